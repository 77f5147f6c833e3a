// What both measuring programs share: clocks, peak memory, a schema that is read once.
#ifndef SDF_FRAMES_BENCHMARK_LIBSDFORMAT_MEASURE_HH
#define SDF_FRAMES_BENCHMARK_LIBSDFORMAT_MEASURE_HH

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <sdf/sdf.hh>

namespace measure
{
  inline double CpuMs()
  {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
  }

  inline double WallMs()
  {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
  }

  // Most memory this program ever held, in KiB. Not getrusage: that also counts the program that started this one.
  inline long PeakKiB()
  {
    std::ifstream status("/proc/self/status");
    std::string word;
    long value = 0;
    while (status >> word)
      if (word == "VmHWM:")
        status >> value;
    return value;
  }

  inline std::string ReadFile(const char *_path)
  {
    std::ifstream stream(_path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // Without HOME no log file is opened, and nothing goes to the terminal.
  inline void Silence()
  {
    unsetenv("HOME");
    std::cerr.setstate(std::ios::failbit);
    sdf::Console::Instance()->SetQuiet(true);
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
  inline sdf::SDFPtr Document()
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

  class Span
  {
    public: Span() : cpu(CpuMs()), wall(WallMs()) {}

    // `"NAME_ms": …, "NAME_wall_ms": …` since the construction.
    public: std::string Json(const std::string &_name) const
    {
      return "\"" + _name + "_ms\": " + std::to_string(CpuMs() - this->cpu) +
             ", \"" + _name + "_wall_ms\": " + std::to_string(WallMs() - this->wall);
    }

    private: double cpu, wall;
  };
}
#endif
