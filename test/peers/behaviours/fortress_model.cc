// What libsdformat 12 reads of a file, as JSON: links and joints by name. Errors are printed, and the status is 1.
#include <cmath>
#include <iostream>
#include <string>

#include <sdf/sdf.hh>

namespace
{
  std::string Number(double value)
  {
    return std::isfinite(value) && std::abs(value) < 1e15 ? std::to_string(value) : "null";
  }

  template <typename... Values>
  std::string List(Values... values)
  {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + Number(values)), ...);
    return "[" + text + "]";
  }

  // Extents of a shape without rotation; empty if there is none.
  std::string Size(const sdf::Geometry &shape)
  {
    if (auto box = shape.BoxShape())
      return List(box->Size().X(), box->Size().Y(), box->Size().Z());
    if (auto ellipsoid = shape.EllipsoidShape())
      return List(2 * ellipsoid->Radii().X(), 2 * ellipsoid->Radii().Y(), 2 * ellipsoid->Radii().Z());
    if (auto sphere = shape.SphereShape())
      return List(2 * sphere->Radius(), 2 * sphere->Radius(), 2 * sphere->Radius());
    if (auto cylinder = shape.CylinderShape())
      return List(2 * cylinder->Radius(), 2 * cylinder->Radius(), cylinder->Length());
    if (auto capsule = shape.CapsuleShape())
      return List(2 * capsule->Radius(), 2 * capsule->Radius(), capsule->Length() + 2 * capsule->Radius());
    return "";
  }

  void Print(const sdf::Model &model)
  {
    for (uint64_t i = 0; i < model.LinkCount(); ++i)
    {
      const sdf::Link &link = *model.LinkByIndex(i);
      const auto t = link.Inertial().Moi();
      ignition::math::Pose3d pose;
      link.SemanticPose().Resolve(pose, "__model__");
      std::cout << "{\"link\": \"" << link.Name() << "\", \"mass\": " << Number(link.Inertial().MassMatrix().Mass())
                << ", \"tensor\": " << List(t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(0, 2), t(1, 2)) << ", \"pose\": "
                << List(pose.X(), pose.Y(), pose.Z(), pose.Rot().W(), pose.Rot().X(), pose.Rot().Y(), pose.Rot().Z())
                << ", \"shapes\": [";
      std::string separator;
      for (uint64_t k = 0; k < link.CollisionCount(); ++k)
      {
        const sdf::Collision &collision = *link.CollisionByIndex(k);
        const auto at = collision.RawPose().Pos();
        if (const std::string size = Size(*collision.Geom()); !size.empty())
          std::cout << std::exchange(separator, ", ") << "[" << List(at.X(), at.Y(), at.Z()) << ", " << size << "]";
      }
      std::cout << "]}\n";
    }
    for (uint64_t i = 0; i < model.JointCount(); ++i)
    {
      const sdf::Joint &joint = *model.JointByIndex(i);
      std::cout << "{\"joint\": \"" << joint.Name() << "\", \"type\": " << static_cast<int>(joint.Type())
                << ", \"pitch\": " << Number(joint.ThreadPitch());
      if (auto axis = joint.Axis())
        std::cout << ", \"limits\": " << List(axis->Lower(), axis->Upper()) << ", \"efforts\": "
                  << List(axis->Effort(), axis->MaxVelocity()) << ", \"dynamics\": "
                  << List(axis->Damping(), axis->Friction());
      std::cout << "}\n";
    }
    for (uint64_t i = 0; i < model.ModelCount(); ++i)
      Print(*model.ModelByIndex(i));
  }
}

int main(int, char **argv)
{
  sdf::Root root;
  const sdf::Errors errors = root.Load(argv[1]);
  for (const auto &error : errors)
    std::cout << error.Message() << "\n";
  if (!errors.empty() || !root.Model())
    return 1;
  Print(*root.Model());
  return 0;
}
