// libsdformat at its best at URDF text to SDF text: log off, schema read once, no file access inside the clock.
//
//   libsdformat_convert FILE          answers each line on standard input by one run: a JSON line with CPU and wall
//                                     milliseconds and the peak memory in KiB. Lines: "convert" (text to text),
//                                     "ready" (nothing: the memory before).
//   libsdformat_convert --once FILE   prints the SDF: the smallest program that converts, start-up included.
#include <cstring>

#include "libsdformat_measure.hh"

int main(int argc, char **argv)
{
  measure::Silence();
  if (argc == 3 && !std::strcmp(argv[1], "--once"))
  {
    auto document = std::make_shared<sdf::SDF>();
    sdf::init(document);
    sdf::Errors errors;
    bool good = sdf::readFile(argv[2], document, errors);
    std::cout << document->ToString();
    return good ? 0 : 1;
  }
  if (argc != 2)
    return 2;
  const std::string urdf = measure::ReadFile(argv[1]);
  measure::Document();
  for (std::string command; std::getline(std::cin, command);)
  {
    std::string line;
    if (command != "ready")
    {
      auto document = measure::Document();
      sdf::Errors errors;
      measure::Span span;
      bool good = sdf::readString(urdf, document, errors);
      const std::string sdf = document->ToString();
      line = span.Json("run") + ", \"good\": " + (good ? "true" : "false") +
             ", \"bytes\": " + std::to_string(sdf.size()) + ", ";
    }
    std::cout << "{" << line << "\"peak_kib\": " << measure::PeakKiB() << "}" << std::endl;
  }
}
