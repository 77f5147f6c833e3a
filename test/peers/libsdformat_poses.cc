// What libsdformat makes of SDF files: for each path on standard input one JSON line with the verdict of `ign sdf -k`
// and the pose of every frame relative to its world or root model.
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include <sdf/sdf.hh>

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
  void AddOne(const T &_entity, const Pose &_parent, const std::string &_prefix, Table &_table)
  {
    Pose pose;
    if (_entity.SemanticPose().Resolve(pose).empty())
      _table.Add(_prefix + _entity.Name(), _parent * pose);
  }

  void AddModel(const sdf::Model &_model, const Pose &_X, const std::string &_prefix, Table &_table)
  {
    for (uint64_t i = 0; i < _model.LinkCount(); ++i)
      AddOne(*_model.LinkByIndex(i), _X, _prefix, _table);
    for (uint64_t i = 0; i < _model.JointCount(); ++i)
      AddOne(*_model.JointByIndex(i), _X, _prefix, _table);
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

  std::string Describe(const std::string &_path)
  {
    sdf::Root root;
    sdf::Errors errors = root.Load(_path);
    bool valid = errors.empty();
    std::ostringstream out, scopes;
    out.precision(17);
    for (uint64_t w = 0; w < root.WorldCount(); ++w)
    {
      const sdf::World &world = *root.WorldByIndex(w);
      Table table;
      table.out.precision(17);
      for (uint64_t i = 0; i < world.FrameCount(); ++i)
        AddOne(*world.FrameByIndex(i), Pose(), "", table);
      for (uint64_t i = 0; i < world.ModelCount(); ++i)
      {
        const sdf::Model &model = *world.ModelByIndex(i);
        AddOne(model, Pose(), "", table);
        Pose pose;
        if (model.SemanticPose().Resolve(pose).empty())
          AddModel(model, pose, model.Name() + "::", table);
      }
      scopes << (scopes.tellp() > 0 ? ", " : "") << "{" << table.out.str() << "}";
    }
    if (root.Model())
    {
      Table table;
      table.out.precision(17);
      AddModel(*root.Model(), Pose(), "", table);
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
    out << "], \"scopes\": [" << scopes.str() << "]}";
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
