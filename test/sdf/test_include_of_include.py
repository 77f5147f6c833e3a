"""A file that has an include at its root, beside or instead of a model, and that is itself included."""
import pytest

from sdf_frames.cli import main
from sdf_frames.document.budget import Budget
from sdf_frames.load import LoadOptions, load_file, load_text

FILES = {
    "leaf": '<model name="leaf"><link name="l"><pose>0 0 1 0 0 0</pose></link></model>',
    "own": '<model name="own"><link name="o"/></model>', "light": '<light name="x" type="point"/>', "empty": "",
    "wild": '<model name="world"><link name="l"/></model>'}
AT = "<pose>1 2 3 0 0 0</pose>"
WORLD, MODEL = '<world name="w">{}</world>', '<model name="m"><link name="b"/>{}</model>'


def include(uri, more="", merge=""):
    return f"<include{merge}><uri>{uri}.sdf</uri>{more}</include>"


@pytest.fixture
def load(tmp_path):
    """Loads a document of this content beside mid.sdf, and the files above."""
    def load(mid, content, options=LoadOptions(), version="1.9"):
        for name, text in {**FILES, "mid": mid, "top": content}.items():
            (tmp_path / f"{name}.sdf").write_text(
                f'<sdf version="{version}" xmlns:experimental="urn:x">{text}</sdf>')
        return load_file(tmp_path / "top.sdf", options)
    return load


def errors(loaded):
    return [(d.name, d.file.rpartition("/")[2]) for d in loaded.diagnostics if d.severity == "error"]


def places(loaded):
    return {f.name: f.pose[:3] for f in loaded.scopes[0].frames if f.kind == "link"}


# Poses and verdicts of libsdformat 12 on the same files; at the root, poses are in the model's frame.
@pytest.mark.parametrize("mid, content, expected", [
    (include("leaf", AT), WORLD.format(include("mid")), {"leaf::l": (1, 2, 4)}),
    (include("leaf", AT), MODEL.format(include("mid")), {"b": (0, 0, 0), "leaf::l": (1, 2, 4)}),
    (include("leaf", AT), MODEL.format(include("mid", merge=' merge="1"')), {"b": (0, 0, 0), "l": (1, 2, 4)}),
    (include("leaf", AT), include("mid"), {"l": (0, 0, 1)}),
    (include("leaf", f"<name>x</name>{AT}"), WORLD.format(include("mid")), {"x::l": (1, 2, 4)}),
    (include("leaf", f"<name>x</name>{AT}"), WORLD.format(include("mid", "<name>q</name><pose>5 0 0 0 0 0</pose>")),
     {"q::l": (5, 0, 1)}),
    (include("leaf", f"{AT}<placement_frame>l</placement_frame>"), WORLD.format(include("mid")),
     {"leaf::l": (1, 2, 3)}),
    (include("leaf", '<pose relative_to="f">1 2 3 0 0 0</pose>'),
     WORLD.format(include("mid") + '<frame name="f"><pose>10 0 0 0 0 0</pose></frame>'), {"leaf::l": (11, 2, 4)}),
    (include("wild"), WORLD.format(include("mid", "<name>q</name>")), {"q::l": (0, 0, 0)})])
def test_the_entity_of_an_include_at_the_root_is_that_of_its_file(load, mid, content, expected, tmp_path, capsys):
    loaded = load(mid, content)
    assert errors(loaded) == [] and places(loaded) == expected
    assert main(["print", str(tmp_path / "top.sdf")]) == 0
    printed = capsys.readouterr().out
    assert "<include" not in printed and places(load_text(printed)) == expected


def test_through_three_files_with_what_each_include_adds(load, tmp_path):
    (tmp_path / "outer.sdf").write_text(f'<sdf version="1.9">{include("mid", "<name>z</name>")}</sdf>')
    plugin = '<plugin name="p" filename="f"/>'
    loaded = load(include("leaf", AT + "<static>true</static>" + plugin), WORLD.format(include("outer") * 2))
    assert errors(loaded) == [("name-duplicate", "top.sdf")]
    model = loaded.root.worlds[0].models[0]
    assert (model.name, model.static, model.element.find("plugin").get("name")) == ("z", True, "p")


def test_an_include_of_a_light_at_the_root(load):
    """The light that mid.sdf renames is another one in the file of its own."""
    mid = include("light", "<name>y</name>")
    assert errors(load(mid, WORLD.format(include("light") + include("mid") + include("light")))) == [
        ("name-duplicate", "top.sdf")]
    assert errors(load(mid, WORLD.format(include("mid") + include("light")))) == []
    assert errors(load(mid, MODEL.format(include("mid", merge=' merge="1"')))) == [("merge-unsupported", "top.sdf")]


def test_params_of_an_include_at_the_root(load):
    change = '<link element_id="l" action="modify"><pose>5 0 0 0 0 0</pose></link>'
    loaded = load(include("leaf", f"<experimental:params>{change}</experimental:params>"),
                  WORLD.format(include("mid")), version="1.12")
    assert errors(loaded) == [] and places(loaded) == {"leaf::l": (5, 0, 0)}


@pytest.mark.parametrize("mid, expected", [
    (FILES["own"] + include("leaf"), ("include-several-entities", "top.sdf")),
    (include("leaf") + FILES["own"], ("include-several-entities", "top.sdf")),
    (include("leaf") * 2, ("include-several-entities", "top.sdf")),
    (FILES["own"] + include("none"), ("include-several-entities", "top.sdf")),
    (include("none"), ("uri-not-found", "mid.sdf")), (include("empty"), ("include-without-entity", "mid.sdf")),
    (include("leaf", merge=' merge="1"'), ("merge-unsupported", "mid.sdf")),
    (include("mid"), ("include-cycle", "mid.sdf")),
    (include("leaf", "<placement_frame>l</placement_frame>"), ("placement-frame-without-pose", "mid.sdf")),
    (include("leaf", '<plugin name="p"/>'), ("attribute-missing", "mid.sdf")),
    (include("wild"), ("name-reserved", "wild.sdf"))])
def test_what_is_wrong_with_an_include_at_the_root_is_said_once(load, mid, expected):
    assert errors(load(mid, WORLD.format(include("mid")))) == [expected]


@pytest.mark.parametrize("limits", [{"include_depth": 2}, {"includes": 1}, {"elements": 8}])
def test_an_include_at_the_root_counts(load, limits):
    loaded = load(include("leaf"), WORLD.format(include("mid")), LoadOptions(budget=Budget(**limits)))
    (name,) = {name for name, _ in errors(loaded)}
    assert name in ("include-too-deep", "limit-exceeded")


def test_of_several_includes_at_the_root_only_the_first_is_read(load, tmp_path):
    """With both, the time would double with each of these files."""
    for i in range(20):
        (tmp_path / f"m{i + 1}.sdf").write_text(f'<sdf version="1.9">{include(f"m{i}") * 2}</sdf>')
    (tmp_path / "m0.sdf").write_text(f'<sdf version="1.9">{FILES["leaf"]}</sdf>')
    loaded = load("", WORLD.format(include("m20")), LoadOptions(budget=Budget(includes=21)))
    assert {name for name, _ in errors(loaded)} == {"include-several-entities"}


def test_relative_uris_lead_from_the_file_that_has_them(load, tmp_path, capsys):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.stl").write_text("solid a\nendsolid a")
    shape = "<geometry><mesh><uri>a.stl</uri></mesh></geometry>"
    (tmp_path / "far" / "far.sdf").write_text(
        f'<sdf version="1.9"><model name="far"><link name="l"><visual name="v">{shape}</visual></link></model></sdf>')
    assert errors(load(include("far/far"), WORLD.format(include("mid")))) == []
    main(["print", str(tmp_path / "top.sdf")])
    assert "<uri>far/a.stl</uri>" in capsys.readouterr().out
