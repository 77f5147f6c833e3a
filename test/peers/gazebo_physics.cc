// Moves models in Gazebo's own physics (ign-physics 5 with DART). Each line of standard input names a link and a file,
// URDF or SDFormat, with a tab between them. The link is welded to the world, the model moves under gravity, and a line
// of JSON gives the pose in the world of each link before and after, and of each joint before: x, y, z, qw, qx, qy, qz.
#include <iostream>
#include <ignition/physics/ForwardStep.hh>
#include <ignition/physics/FrameSemantics.hh>
#include <ignition/physics/GetEntities.hh>
#include <ignition/physics/RequestEngine.hh>
#include <ignition/physics/sdf/ConstructModel.hh>
#include <ignition/physics/sdf/ConstructWorld.hh>
#include <ignition/plugin/Loader.hh>
#include <sdf/sdf.hh>

namespace physics = ignition::physics;
using Features = physics::FeatureList<physics::sdf::ConstructSdfWorld, physics::sdf::ConstructSdfModel,
    physics::GetLinkFromModel, physics::LinkFrameSemantics, physics::GetJointFromModel, physics::JointFrameSemantics,
    physics::ForwardStep>;
static const int kSteps = 200;  // of 1 ms

template <typename Get>
static void PrintPoses(const char *_key, std::size_t _count, Get _get) {
  std::cout << "\"" << _key << "\": {";
  for (std::size_t i = 0; i < _count; ++i) {
    const auto part = _get(i);
    const Eigen::Isometry3d X = part->FrameDataRelativeToWorld().pose;
    const Eigen::Quaterniond q(X.linear());
    std::cout << (i ? ", \"" : "\"") << part->GetName() << "\": [" << X.translation().x() << ", "
        << X.translation().y() << ", " << X.translation().z() << ", " << q.w() << ", " << q.x() << ", " << q.y() << ", "
        << q.z() << "]";
  }
  std::cout << "}";
}

int main(int, char **_arguments) {
  ignition::plugin::Loader loader;
  loader.LoadLib(_arguments[1]);
  const auto engine = physics::RequestEngine3d<Features>::From(
      loader.Instantiate("ignition::physics::dartsim::Plugin"));
  std::cout.precision(17);
  for (std::string link, file; std::getline(std::cin, link, '\t') && std::getline(std::cin, file);) {
    sdf::Root read, welded, scene;
    std::string text;
    if (read.Load(file).empty() && read.Model()) {
      text = read.Element()->ToString("");
      text.insert(text.rfind("</model>"), "<joint name='welded_here' type='fixed'><parent>world</parent><child>" + link
          + "</child></joint>");
    }
    if (text.empty() || !welded.LoadSdfString(text).empty()) {
      std::cout << "{}" << std::endl;
      continue;
    }
    scene.LoadSdfString("<sdf version='1.9'><world name='w'><gravity>1 2 -9</gravity></world></sdf>");
    const auto world = engine->ConstructWorld(*scene.WorldByIndex(0));
    const auto model = world->ConstructModel(*welded.Model());
    const auto link_of = [&](std::size_t _i) { return model->GetLink(_i); };
    std::cout << "{";
    PrintPoses("joints", model->GetJointCount(), [&](std::size_t _i) { return model->GetJoint(_i); });
    std::cout << ", ";
    PrintPoses("before", model->GetLinkCount(), link_of);
    physics::ForwardStep::Output output;
    physics::ForwardStep::State state;
    physics::ForwardStep::Input input;
    for (int i = 0; i < kSteps; ++i)
      world->Step(output, state, input);
    std::cout << ", ";
    PrintPoses("after", model->GetLinkCount(), link_of);
    std::cout << "}" << std::endl;
  }
}
