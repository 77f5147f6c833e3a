// libsdformat at its best at loading SDF text and resolving the pose of everything in it.
//
//   libsdformat_frames [FILE]   answers each line on standard input: "load" (text to sdf::Root, frame graphs built and
//                               checked; "load FILE": of that file from now on), "resolve" (SemanticPose().Resolve of
//                               every model, link, joint and frame of the last one loaded), "ready" (nothing: the
//                               memory before).
#include <optional>
#include <type_traits>

#include "libsdformat_measure.hh"

namespace
{
  struct Count
  {
    long frames = 0, failures = 0;
  };

  template <typename T>
  void Resolve(const T &_entity, Count &_count)
  {
    std::decay_t<decltype(_entity.RawPose())> pose;
    ++_count.frames;
    if (!_entity.SemanticPose().Resolve(pose).empty())
      ++_count.failures;
  }

  void ResolveModel(const sdf::Model &_model, Count &_count)
  {
    for (uint64_t i = 0; i < _model.LinkCount(); ++i)
      Resolve(*_model.LinkByIndex(i), _count);
    for (uint64_t i = 0; i < _model.JointCount(); ++i)
      Resolve(*_model.JointByIndex(i), _count);
    for (uint64_t i = 0; i < _model.FrameCount(); ++i)
      Resolve(*_model.FrameByIndex(i), _count);
    for (uint64_t i = 0; i < _model.ModelCount(); ++i)
    {
      Resolve(*_model.ModelByIndex(i), _count);
      ResolveModel(*_model.ModelByIndex(i), _count);
    }
  }

  Count ResolveRoot(const sdf::Root &_root)
  {
    Count count;
    for (uint64_t i = 0; i < _root.WorldCount(); ++i)
    {
      const sdf::World &world = *_root.WorldByIndex(i);
      for (uint64_t j = 0; j < world.FrameCount(); ++j)
        Resolve(*world.FrameByIndex(j), count);
      for (uint64_t j = 0; j < world.ModelCount(); ++j)
      {
        Resolve(*world.ModelByIndex(j), count);
        ResolveModel(*world.ModelByIndex(j), count);
      }
    }
    if (_root.Model())
      ResolveModel(*_root.Model(), count);
    return count;
  }
}

int main(int argc, char **argv)
{
  measure::Silence();
  if (argc > 2)
    return 2;
  std::string text = argc == 2 ? measure::ReadFile(argv[1]) : "";
  measure::Document();
  std::optional<sdf::Root> root;
  for (std::string command; std::getline(std::cin, command);)
  {
    std::string line;
    if (command.rfind("load", 0) == 0)
    {
      if (command.size() > 5)
        text = measure::ReadFile(command.c_str() + 5);
      auto document = measure::Document();
      root.emplace();
      measure::Span span;
      sdf::Errors errors;
      bool good = sdf::readString(text, document, errors) && root->Load(document).empty();
      line = span.Json("run") + ", \"good\": " + (good ? "true" : "false") + ", ";
    }
    else if (command == "resolve" && root)
    {
      measure::Span span;
      Count count = ResolveRoot(*root);
      line = span.Json("run") + ", \"good\": " + (count.failures ? "false" : "true") +
             ", \"frames\": " + std::to_string(count.frames) + ", ";
    }
    std::cout << "{" << line << "\"peak_kib\": " << measure::PeakKiB() << "}" << std::endl;
  }
}
