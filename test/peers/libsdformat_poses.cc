// What libsdformat makes of SDF files: for each path on standard input one JSON line with the verdict of loading, what
// `ign sdf -k` and `ign sdf -g` say where the library has them, and the pose of every frame and of the lights relative
// to its world or root model.
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include <sdf/sdf.hh>

// The commands of `ign sdf`; libsdformat 12 to 15 have them.
extern "C" int cmdCheck(const char *_path) __attribute__((weak));
extern "C" int cmdGraph(const char *_type, const char *_path) __attribute__((weak));

namespace
{
  using Pose = std::decay_t<decltype(std::declval<sdf::Link>().RawPose())>;

  std::string Quote(const std::string &_text)
  {
    std::ostringstream out;
    out << '"';
    for (unsigned char c : _text)
    {
      if (c == '"' || c == '\\')
        out << '\\' << c;
      else if (c == '\n')
        out << "\\n";
      else if (c < 0x20)
        out << ' ';
      else
        out << c;
    }
    out << '"';
    return out.str();
  }

  class Table
  {
    public: std::ostringstream out;

    public: void Add(const std::string &_name, const Pose &_X)
    {
      this->out << (this->first ? "" : ", ") << Quote(_name) << ": [" << _X.Pos().X() << ", " << _X.Pos().Y() << ", "
                << _X.Pos().Z() << ", " << _X.Rot().W() << ", " << _X.Rot().X() << ", " << _X.Rot().Y() << ", "
                << _X.Rot().Z() << "]";
      this->first = false;
    }

    private: bool first = true;
  };

  template <typename T>
  void AddOne(const T &_entity, const Pose &_parent, const std::string &_prefix, Table &_table,
      const std::string &_resolveTo = "")
  {
    Pose pose;
    if (_entity.SemanticPose().Resolve(pose, _resolveTo).empty())
      _table.Add(_prefix + _entity.Name(), _parent * pose);
  }

  void AddModel(const sdf::Model &_model, const Pose &_X, const std::string &_prefix, Table &_table)
  {
    for (uint64_t i = 0; i < _model.LinkCount(); ++i)
      AddOne(*_model.LinkByIndex(i), _X, _prefix, _table);
    for (uint64_t i = 0; i < _model.JointCount(); ++i)
      AddOne(*_model.JointByIndex(i), _X, _prefix, _table, "__model__");  // alone, in the frame of its child
    for (uint64_t i = 0; i < _model.FrameCount(); ++i)
      AddOne(*_model.FrameByIndex(i), _X, _prefix, _table);
    for (uint64_t i = 0; i < _model.ModelCount(); ++i)
    {
      const sdf::Model &nested = *_model.ModelByIndex(i);
      AddOne(nested, _X, _prefix, _table);
      Pose pose;
      if (nested.SemanticPose().Resolve(pose).empty())
        AddModel(nested, _X * pose, _prefix + nested.Name() + "::", _table);
    }
  }

  void AddLights(const sdf::Model &_model, const Pose &_X, const std::string &_prefix, Table &_table)
  {
    for (uint64_t i = 0; i < _model.LinkCount(); ++i)
    {
      const sdf::Link &link = *_model.LinkByIndex(i);
      Pose pose;
      if (!link.SemanticPose().Resolve(pose).empty())
        continue;
      for (uint64_t j = 0; j < link.LightCount(); ++j)
        AddOne(*link.LightByIndex(j), _X * pose, _prefix + link.Name() + "::", _table);
    }
    for (uint64_t i = 0; i < _model.ModelCount(); ++i)
    {
      const sdf::Model &nested = *_model.ModelByIndex(i);
      Pose pose;
      if (nested.SemanticPose().Resolve(pose).empty())
        AddLights(nested, _X * pose, _prefix + nested.Name() + "::", _table);
    }
  }

  // What a command prints on standard output.
  template <typename Command>
  std::string Capture(Command _command)
  {
    std::ostringstream text;
    std::streambuf *before = std::cout.rdbuf(text.rdbuf());
    _command();
    std::cout.rdbuf(before);
    return text.str();
  }

  std::string Describe(const std::string &_path)
  {
    sdf::Root root;
    sdf::Errors errors = root.Load(_path);
    bool valid = errors.empty();
    std::ostringstream out, scopes, lights;
    out.precision(17);
    for (uint64_t w = 0; w < root.WorldCount(); ++w)
    {
      const sdf::World &world = *root.WorldByIndex(w);
      Table table, lit;
      table.out.precision(17);
      lit.out.precision(17);
      for (uint64_t i = 0; i < world.LightCount(); ++i)
        AddOne(*world.LightByIndex(i), Pose(), "", lit);
      for (uint64_t i = 0; i < world.FrameCount(); ++i)
        AddOne(*world.FrameByIndex(i), Pose(), "", table);
      for (uint64_t i = 0; i < world.ModelCount(); ++i)
      {
        const sdf::Model &model = *world.ModelByIndex(i);
        AddOne(model, Pose(), "", table);
        Pose pose;
        if (model.SemanticPose().Resolve(pose).empty())
        {
          AddModel(model, pose, model.Name() + "::", table);
          AddLights(model, pose, model.Name() + "::", lit);
        }
      }
      lights << (lights.tellp() > 0 ? ", " : "") << "{" << lit.out.str() << "}";
      scopes << (scopes.tellp() > 0 ? ", " : "") << "{" << table.out.str() << "}";
    }
    if (root.Model())
    {
      Table table, lit;
      table.out.precision(17);
      lit.out.precision(17);
      AddModel(*root.Model(), Pose(), "", table);
      AddLights(*root.Model(), Pose(), "", lit);
      lights << (lights.tellp() > 0 ? ", " : "") << "{" << lit.out.str() << "}";
      scopes << (scopes.tellp() > 0 ? ", " : "") << "{" << table.out.str() << "}";
    }
    if (valid)
    {
      valid = sdf::checkCanonicalLinkNames(&root) && sdf::checkJointParentChildLinkNames(&root) &&
              sdf::checkFrameAttachedToNames(&root) && sdf::checkFrameAttachedToGraph(&root) &&
              sdf::checkPoseRelativeToGraph(&root);
      if (root.Element())
        valid = valid && sdf::recursiveSameTypeUniqueNames(root.Element()) &&
                sdf::recursiveSiblingUniqueNames(root.Element()) && sdf::recursiveSiblingNoDoubleColonInNames(root.Element());
    }
    out << "{\"file\": " << Quote(_path) << ", \"valid\": " << (valid ? "true" : "false") << ", \"errors\": [";
    for (size_t i = 0; i < errors.size(); ++i)
      out << (i ? ", " : "") << Quote(std::to_string(static_cast<int>(errors[i].Code())) + " " + errors[i].Message());
    out << "], \"scopes\": [" << scopes.str() << "], \"lights\": [" << lights.str() << "]";
    if (cmdCheck && cmdGraph)
    {
      // A file that does not load cannot pass, and drawings of it are not compared: each command loads it anew.
      out << ", \"check\": " << Quote(errors.empty() ? Capture([&] { cmdCheck(_path.c_str()); }) : "");
      for (const char *kind : {"pose", "frame"})
        if (valid)
          out << ", \"" << kind << "\": " << Quote(Capture([&] { cmdGraph(kind, _path.c_str()); }));
    }
    out << "}";
    return out.str();
  }
}

int main()
{
  unsetenv("HOME");
  std::cerr.setstate(std::ios::failbit);
  sdf::Console::Instance()->SetQuiet(true);
  for (std::string path; std::getline(std::cin, path);)
  {
    try
    {
      std::cout << Describe(path) << std::endl;
    }
    catch (const std::exception &error)
    {
      std::cout << "{\"file\": " << Quote(path) << ", \"thrown\": " << Quote(error.what()) << "}" << std::endl;
    }
  }
}
