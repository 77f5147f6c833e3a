"""Custom calculators (lines 147 to 210 of the automatic-inertia proposal) and ``<auto_inertia_params>`` (line 67).

Boxes of known edges stand for what a calculator finds: m = density · x·y·z, ixx = m (y² + z²) / 12.
"""
import importlib.metadata
from importlib.metadata import EntryPoint

import pytest
from inertia_snippets import codes

from sdf_frames import mesh_inertia
from sdf_frames.cli import main
from sdf_frames.diagnostics import Diagnostic, Location
from sdf_frames.inertia.calculators import ask_calculator, choose_calculator, find_calculator, find_calculators
from sdf_frames.load import LoadOptions, load_text
from sdf_frames.spatial.solids import integrate_box

trimesh = pytest.importorskip("trimesh")

MODEL = ('<sdf version="1.12" xmlns:gz="http://gazebosim.org/schema" xmlns:a="http://a.b"><model name="m">'
         '<link name="l">'
         '<inertial auto="true"/><collision name="c"><density>7</density>{}<geometry><mesh><uri>{}</uri></mesh>'
         '</geometry>'
         "</collision></link></model></sdf>")


def make(params="", uri="m.stl"):
    return MODEL.format(f"<auto_inertia_params>{params}</auto_inertia_params>" if params else "", uri)


def cube(density, mesh, params):
    return integrate_box(2, 2, 2)


@pytest.fixture
def box(tmp_path):
    """A 1 × 2 × 3 box in a file beside the model."""
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "m.stl")
    return str(tmp_path / "model.sdf")


def test_a_calculator_gets_density_file_and_parameters(box, tmp_path):
    seen = []

    def calculate(density, mesh, params):
        seen.append((density, mesh.path, [c.text for c in params]))
        return cube(density, mesh, params)
    options = LoadOptions(inertia_calculator=calculate)
    (link,) = load_text(make("<a:cells>9</a:cells>"), box, options).inertias().links
    assert seen == [(7, str(tmp_path / "m.stl"), ["9"])]
    assert (link.mass, link.method) == (7 * 8, "custom") and link.inertia[0] == pytest.approx(7 * 8 * 8 / 12)


def test_confined_it_sees_no_file_outside(tmp_path, box):
    seen = []
    (tmp_path / "in").mkdir()
    options = LoadOptions(resource_paths=(str(tmp_path / "in"),), confined=True,
                          inertia_calculator=lambda density, mesh, params: seen.append(mesh.path))
    for uri in ("m.stl", str(tmp_path / "m.stl"), f"file://{tmp_path}/m.stl", "model://../m.stl"):
        load_text(make(uri=uri), None, options).inertias()
    assert seen == [None] * 4
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "in" / "m.stl")
    load_text(make(uri="m.stl"), None, options).inertias()
    assert seen[4:] == [str(tmp_path / "in" / "m.stl")]


def test_every_command_that_computes_takes_it(box, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.metadata, "entry_points",
                        lambda group: [EntryPoint("mine", "test_calculators:cube", group)])
    (tmp_path / "model.sdf").write_text(make())
    for command, words in (("inertia", "56"), ("to-urdf", '"56"')):
        assert main([command, box, "--calculator", "mine"]) == 0
        assert words in capsys.readouterr().out
    assert main(["print", "--expand-auto-inertials", box, "--calculator", "mine"]) == 0
    assert "<mass>56</mass>" in capsys.readouterr().out


@pytest.mark.parametrize("calculator, words",
    [({"l::d": cube}, "'l::d'"), ({"l": cube, "c": cube}, "'c' is no name of a collision or link"),
     ({3: cube}, "3 is no name"), ({"link": cube}, "'link'"), ({"mm.stl": cube}, "did you mean 'm.stl'"), (5, "not 5"),
     ({"l": 5}, "not 5")])
def test_misuse_is_an_exception(box, calculator, words):
    with pytest.raises(TypeError, match=words):
        load_text(make(), box).inertias(calculator=calculator)
    with pytest.raises(TypeError, match=words):
        load_text(make(), box, LoadOptions(auto_inertia="save", inertia_calculator=calculator)).diagnostics


@pytest.mark.parametrize("params",
                         ["<a:method>voxel</a:method>", "<method>voxel</method>", "<a:voxel_size>abc</a:voxel_size>",
                                    "<a:method>voxel</a:method><a:voxel_size>.5</a:voxel_size>"])
def test_parameters_of_others_steer_nothing(box, params):
    result = load_text(make(params), box).inertias()
    assert result.links[0].method == "exact" and codes(result) == []


@pytest.mark.parametrize("params, words", [
    ("<gz:voxel_size>0</gz:voxel_size>", "'0'"), ("<gz:voxel_size>-1</gz:voxel_size>", "'-1'"),
    ("<gz:voxel_size>abc</gz:voxel_size>", "'abc'"),
    ("<gz:voxel_size>inf</gz:voxel_size>", "'inf'"), ("<gz:voxel_size/>", "''"),
    ("<gz:method>voxels</gz:method>", "one of auto, exact")])
def test_wrong_values_are_errors(box, params, words):
    loaded = load_text(make(params), box)
    for found in (loaded.diagnostics, loaded.inertias().diagnostics):
        (error,) = found
        assert (error.name, error.severity) == ("inertia-param-invalid", "error") and words in error.message
        assert error.path.endswith(("/gz:voxel_size", "/gz:method"))


def test_a_voxel_size_without_effect_is_a_note(box):
    size, voxel = "<gz:voxel_size>.5</gz:voxel_size>", "<gz:method>voxel</gz:method>"
    (found,) = load_text(make(size), box).inertias().diagnostics
    assert (found.name, found.severity) == ("voxel-size-without-effect", "info")
    assert "the method is exact" in found.message
    (link,) = load_text(make(size + voxel), box).inertias().links
    assert link.method == "voxel" and link.mass == pytest.approx(42)
    assert codes(load_text(make(size), box).inertias(method="exact")) == [], "the caller's choice"
    assert load_text(make(voxel), box).inertias(method="hull").links[0].method == "hull"


@pytest.mark.parametrize("method, noted", [("exact", True), ("hull", True), ("voxel", False), ("auto", False)])
def test_a_voxel_size_beside_a_method_without_voxels_is_a_note(box, tmp_path, method, noted):
    """Without a method, it is for the meshes that need voxels."""
    of_mesh = mesh_inertia(tmp_path / "m.stl", method=method, voxel_size=.1)
    of_link = load_text(make(), box).inertias(method=method, voxel_size=.1)
    assert of_mesh.method == of_link.links[0].method == ("exact" if method == "auto" else method)
    for found in (of_mesh.findings, of_link.diagnostics):
        assert [d.name for d in found] == ["voxel-size-without-effect"] * noted


def test_calculators_are_registered_in_the_group_that_the_documents_name(monkeypatch):
    """docs/inertia.md tells packages to use it."""
    asked = []
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: asked.append(group) or [])
    _, (finding,) = find_calculator("mine")
    assert asked == ["sdf_frames.inertia_calculators"] and finding.name == "inertia-unknown-calculator"


AT = Location("m.sdf", 7, "/sdf", 5)


def ask(answer):
    """Answer of a calculator of that answer, or error."""
    def calculate(*_):
        if isinstance(answer, Exception):
            raise answer
        return answer
    return ask_calculator(calculate, 7.0, None, None, "l::c", AT)


CUBE = integrate_box(2, 2, 2)


NO_SOLID = "its result is not a volume, three coordinates and six moments, all finite"


@pytest.mark.parametrize("answer, problem", [
    (ValueError("no luck"), "no luck"), (KeyError(), "KeyError"), (5, "it returned 5, not a Solid"),
    ("s" * 99, f"it returned '{'s' * 59}, not a Solid"),
    ((1, (0, 0, "x"), (1,) * 6), "it returned (1, (0, 0, 'x'), (1, 1, 1, 1, 1, 1)), not a Solid"),
    ((1, (0, 0), (1,) * 6), NO_SOLID), ((1, (0, 0, 0), (1,) * 5), NO_SOLID),
    ((float("inf"), (0, 0, 0), (1,) * 6), NO_SOLID),
    ((1, (0, 0, float("nan")), (1,) * 6), NO_SOLID), ((1, (0, 0, 0), (1,) * 5 + (float("inf"),)), NO_SOLID),
    ((0, (0, 0, 0), (1, 1, 1, 0, 0, 0)), "it returned a volume of 0 m³"),
    ((-2, (0, 0, 0), (1, 1, 1, 0, 0, 0)), "it returned a volume of -2 m³"),
    ((2, (0, 0, 0), (-1, 1, 1, 0, 0, 0)), "it returned moments that no rigid body can have: the smallest principal "
     "moment is -1 kg·m², below zero")])
def test_what_is_wrong_with_an_answer(answer, problem):
    solid, (found,) = ask(answer)
    assert solid is None and (found.name, found.file, found.line, found.path, found.column) == (
        "inertia-calculator-failed", "m.sdf", 7, "/sdf", 5)
    assert found.message == f"collision 'l::c': the registered calculator failed: {problem}"


@pytest.mark.parametrize("file, line, expected", [
    (None, None, ("m.sdf", 7, "/sdf", 5)), ("other", None, ("other", None, None, None)),
    (None, 3, (None, 3, None, None)), ("other", 3, ("other", 3, None, None))])
def test_a_finding_without_a_place_is_put_at_the_mesh(file, line, expected):
    note = Diagnostic("X1", "thin-wall", "warning", "a wall is thin", file=file, line=line)
    solid, (found,) = ask((CUBE, [note]))
    assert solid == CUBE and (found.file, found.line, found.path, found.column) == expected
    assert found.message == "a wall is thin"


def test_a_calculator_is_chosen_by_collision_then_link_then_mesh():
    one, two, three = (lambda *_: None for _ in range(3))
    assert choose_calculator(one, "l::c", "m.stl") is one and choose_calculator(None, "l::c", "m.stl") is None
    everything = {"m.stl": one, "n::l": two, "n::l::c": three}
    assert choose_calculator(everything, "n::l::c", "m.stl") is three
    assert choose_calculator(everything, "n::l::d", "m.stl") is two
    assert choose_calculator(everything, "n::k::c", "m.stl") is one
    assert choose_calculator(everything, "n::k::c", "k.stl") is None
    assert choose_calculator({"n": one}, "n::l::c", "m.stl") is None


def test_names_in_a_mapping_are_looked_up(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [EntryPoint("b", "math:sqrt", group),
                                                                           EntryPoint("a", "no_module_here:x", group)])
    assert find_calculators(None) == (None, ()) and find_calculators(cube) == (cube, ())
    found, problems = find_calculators({"l": "b", "k": "a", "j": "c", "i": cube, "h": None})
    assert [key for key, value in found.items() if value is None] == ["k", "j", "h"]
    assert found["l"](9) == 3 and found["i"] is cube
    assert [(d.name, d.message, d.hint) for d in problems][1] == (
        "inertia-unknown-calculator", "no calculator is registered as 'c'", problems[1].hint)
    assert problems[0].message == "collision 'a': the registered calculator failed: No module named 'no_module_here'"
    assert "a, b" in problems[1].hint
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [])
    assert "none" in find_calculators("c")[1][0].hint
