// Loads files in Gazebo's own physics (ign-physics 5 with DART, libsdformat 12). Each line of standard input has a
// link, a file (URDF or SDFormat) and the folders of SDF_PATH, with tabs between them.
//
// Without a link, all worlds and the model of the file move for some steps. The line of the answer is empty, or has the
// first error of loading, or says behind "physics:" what went wrong then.
//
// With a link, it is welded to the world, the model moves under gravity, and a line of JSON gives the pose in the world
// of each link before and after, and of each joint before: x, y, z, qw, qx, qy, qz.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

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
    physics::GetModelFromWorld, physics::GetLinkFromModel, physics::LinkFrameSemantics, physics::GetJointFromModel,
    physics::JointFrameSemantics, physics::ForwardStep>;
using World = physics::World3dPtr<Features>;
using Engine = physics::Engine3dPtr<Features>;

// Each step is 1 ms.
static void Step(const World &_world, int _steps) {
  physics::ForwardStep::Output output;
  physics::ForwardStep::State state;
  physics::ForwardStep::Input input;
  for (int i = 0; i < _steps; ++i)
    _world->Step(output, state, input);
}

// A world that is read once: reading takes libsdformat as long as anything else here, however little there is.
static const sdf::World &ReadWorld(const char *_gravity) {
  static std::map<std::string, sdf::Root> roots;
  sdf::Root &root = roots[_gravity];
  if (!root.WorldCount())
    root.LoadSdfString(std::string("<sdf version='1.9'><world name='w'><gravity>") + _gravity
        + "</gravity></world></sdf>");
  return *root.WorldByIndex(0);
}

// Whether all models are there and move for some steps.
static bool Simulate(const Engine &_engine, const sdf::Root &_root, const sdf::World &_empty) {
  bool complete = true;
  for (std::size_t i = 0; i < _root.WorldCount(); ++i) {
    const sdf::World &world = *_root.WorldByIndex(i);
    const auto built = _engine->ConstructWorld(world);
    Step(built, 10);
    complete = complete && (!world.ModelCount() || built->GetModelCount() == world.ModelCount());
  }
  if (_root.Model()) {
    const auto world = _engine->ConstructWorld(_empty);
    complete = complete && world->ConstructModel(*_root.Model());
    Step(world, 10);
  }
  return complete;
}

static std::string Load(const Engine &_engine, const std::string &_file) {
  sdf::Root root;
  const sdf::Errors errors = root.Load(_file);
  if (!errors.empty())
    return std::to_string(static_cast<int>(errors[0].Code())) + " " + errors[0].Message();
  const sdf::World &empty = ReadWorld("0 0 -9.8");
  // DART ends on some models. Its profiler shares memory with children, so no world moves in this process.
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{10, 20};  // seconds on the processor
    setrlimit(RLIMIT_CPU, &limit);
    _exit(Simulate(_engine, root, empty) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? "" : WIFEXITED(status) ? "physics: models are missing" : WTERMSIG(status) == SIGXCPU
      ? "physics: it takes more than 10 s" : "physics: it ends";
}

template <typename Get>
static void PrintPoses(std::ostream &_out, const char *_key, std::size_t _count, Get _get) {
  _out << "\"" << _key << "\": {";
  for (std::size_t i = 0; i < _count; ++i) {
    const auto part = _get(i);
    const Eigen::Isometry3d X = part->FrameDataRelativeToWorld().pose;
    const Eigen::Quaterniond q(X.linear());
    _out << (i ? ", \"" : "\"") << part->GetName() << "\": [" << X.translation().x() << ", "
        << X.translation().y() << ", " << X.translation().z() << ", " << q.w() << ", " << q.x() << ", " << q.y() << ", "
        << q.z() << "]";
  }
  _out << "}";
}

static std::string Move(const Engine &_engine, const std::string &_file, const std::string &_link,
    const sdf::World &_empty) {
  sdf::Root read, welded;
  if (!read.Load(_file).empty() || !read.Model())
    return "{}";
  std::string text = read.Element()->ToString("");
  text.insert(text.rfind("</model>"), "<joint name='welded_here' type='fixed'><parent>world</parent><child>" + _link
      + "</child></joint>");
  if (!welded.LoadSdfString(text).empty())
    return "{}";
  const auto world = _engine->ConstructWorld(_empty);
  const auto model = world->ConstructModel(*welded.Model());
  const auto link_of = [&](std::size_t _i) { return model->GetLink(_i); };
  std::ostringstream out;
  out.precision(17);
  out << "{";
  PrintPoses(out, "joints", model->GetJointCount(), [&](std::size_t _i) { return model->GetJoint(_i); });
  out << ", ";
  PrintPoses(out, "before", model->GetLinkCount(), link_of);
  Step(world, 200);
  out << ", ";
  PrintPoses(out, "after", model->GetLinkCount(), link_of);
  out << "}";
  return out.str();
}

int main(int, char **_arguments) {
  std::ostream answers(std::cout.rdbuf(nullptr));  // DART prints, too
  ignition::plugin::Loader loader;
  loader.LoadLib(_arguments[1]);
  const auto engine = physics::RequestEngine3d<Features>::From(
      loader.Instantiate("ignition::physics::dartsim::Plugin"));
  for (std::string link, file, folders; std::getline(std::cin, link, '\t') && std::getline(std::cin, file, '\t')
       && std::getline(std::cin, folders);) {
    setenv("SDF_PATH", folders.c_str(), 1);
    if (link.empty()) {
      std::string answer = Load(engine, file);
      std::replace(answer.begin(), answer.end(), '\n', ' ');
      answers << answer << std::endl;
      continue;
    }
    const sdf::World &empty = ReadWorld("1 2 -9");
    const pid_t child = fork();
    if (child == 0) {
      answers << Move(engine, file, link, empty) << std::endl;
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
      answers << "physics: it ends" << std::endl;
  }
}
