// Moves models in Gazebo's own physics (ign-physics 5 with DART). Each line of standard input names a link and a file,
// URDF or SDFormat, with a tab between them. The link is welded to the world, the model moves under gravity, and a line
// of JSON gives the pose of each link in the world before and after: x, y, z, qx, qy, qz, qw.
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
    physics::GetLinkFromModel, physics::LinkFrameSemantics, physics::ForwardStep>;
static const int kSteps = 200;  // of 1 ms

template <typename Model>
static void PrintPoses(const char *_key, const Model &_model) {
  std::cout << "\"" << _key << "\": {";
  for (std::size_t i = 0; i < _model->GetLinkCount(); ++i) {
    const auto link = _model->GetLink(i);
    const Eigen::Isometry3d X = link->FrameDataRelativeToWorld().pose;
    const Eigen::Quaterniond q(X.linear());
    std::cout << (i ? ", \"" : "\"") << link->GetName() << "\": [" << X.translation().x() << ", "
        << X.translation().y() << ", " << X.translation().z() << ", " << q.x() << ", " << q.y() << ", " << q.z()
        << ", " << q.w() << "]";
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
    std::cout << "{";
    PrintPoses("before", model);
    physics::ForwardStep::Output output;
    physics::ForwardStep::State state;
    physics::ForwardStep::Input input;
    for (int i = 0; i < kSteps; ++i)
      world->Step(output, state, input);
    std::cout << ", ";
    PrintPoses("after", model);
    std::cout << "}" << std::endl;
  }
}
