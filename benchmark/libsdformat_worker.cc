// libsdformat at its best: log off, schema read once, no file access inside the clock.
//
//   libsdformat_worker [FILE]         has the protocol of worker.py: answers each line on standard input by a JSON
//                                     line with CPU milliseconds. Lines: "ready" (nothing), "convert" (URDF text to SDF
//                                     text), "load" (text to sdf::Root, frame graphs built and checked; "load FILE": of
//                                     that file from now on), "resolve" (SemanticPose().Resolve of every model, link,
//                                     joint and frame of the last one loaded).
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>

#include <sdf/sdf.hh>

namespace
{
  double CpuMs()
  {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
  }

  std::string ReadFile(const std::string &_path)
  {
    std::ifstream stream(_path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // libsdformat 17 calls it SetRoot, 12 Root.
  template <typename T>
  auto SetRoot(T &_document, sdf::ElementPtr _root, int) -> decltype(_document.SetRoot(_root))
  {
    _document.SetRoot(_root);
  }

  template <typename T>
  void SetRoot(T &_document, sdf::ElementPtr _root, long)
  {
    _document.Root(_root);
  }

  // A fresh document with the schema, copied from one that was read at the first call.
  sdf::SDFPtr Document()
  {
    static sdf::SDFPtr schema;
    if (!schema)
    {
      schema = std::make_shared<sdf::SDF>();
      sdf::init(schema);
    }
    auto document = std::make_shared<sdf::SDF>();
    SetRoot(*document, schema->Root()->Clone(), 0);
    return document;
  }

  template <typename T>
  bool Resolve(const T &_entity)
  {
    std::decay_t<decltype(_entity.RawPose())> pose;
    return _entity.SemanticPose().Resolve(pose).empty();
  }

  bool ResolveParts(const sdf::Model &_model)
  {
    bool good = true;
    for (uint64_t i = 0; i < _model.LinkCount(); ++i)
      good &= Resolve(*_model.LinkByIndex(i));
    for (uint64_t i = 0; i < _model.JointCount(); ++i)
      good &= Resolve(*_model.JointByIndex(i));
    for (uint64_t i = 0; i < _model.FrameCount(); ++i)
      good &= Resolve(*_model.FrameByIndex(i));
    for (uint64_t i = 0; i < _model.ModelCount(); ++i)
      good &= Resolve(*_model.ModelByIndex(i)) & ResolveParts(*_model.ModelByIndex(i));
    return good;
  }

  bool ResolveRoot(const sdf::Root &_root)
  {
    bool good = !_root.Model() || ResolveParts(*_root.Model());
    for (uint64_t i = 0; i < _root.WorldCount(); ++i)
    {
      const sdf::World &world = *_root.WorldByIndex(i);
      for (uint64_t j = 0; j < world.FrameCount(); ++j)
        good &= Resolve(*world.FrameByIndex(j));
      for (uint64_t j = 0; j < world.ModelCount(); ++j)
        good &= Resolve(*world.ModelByIndex(j)) & ResolveParts(*world.ModelByIndex(j));
    }
    return good;
  }
}

int main(int argc, char **argv)
{
  // Without HOME no log file is opened, and nothing goes to the terminal.
  unsetenv("HOME");
  std::cerr.setstate(std::ios::failbit);
  sdf::Console::Instance()->SetQuiet(true);
  std::string text = argc > 1 ? ReadFile(argv[1]) : "";
  Document();
  std::optional<sdf::Root> root;
  for (std::string command; std::getline(std::cin, command);)
  {
    const bool loads = command.rfind("load", 0) == 0;
    if (command.size() > 5 && loads)
      text = ReadFile(command.substr(5));
    auto document = loads || command == "convert" ? Document() : nullptr;
    if (loads)
      root.emplace();
    bool good = true;
    sdf::Errors errors;
    const double start = CpuMs();
    if (command == "convert")
      good = sdf::readString(text, document, errors) && !document->ToString().empty();
    else if (loads)
      good = sdf::readString(text, document, errors) && root->Load(document).empty();
    else if (command == "resolve")
      good = root && ResolveRoot(*root);
    std::cout << "{\"run_ms\": " << CpuMs() - start << ", \"good\": " << (good ? "true" : "false") << "}" << std::endl;
  }
}
