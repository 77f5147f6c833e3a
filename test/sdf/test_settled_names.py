"""One meaning in every command: which element bears a clashing name, and what a reference means, before 1.7 and 1.8.

Lines of the seeds are in the names and comments of tests: 004 is "Pose Frame Semantics" of 1.4 to 1.6.
"""
import json

import pytest
from readings import every_reading, frames, include, joint, joints, link, sdf
from written_text import upgrade_file, upgrade_text

from sdf_frames.cli import main
from sdf_frames.load import LoadOptions, load_file, load_text
from sdf_frames.spatial.pose import compose


def shuffled(parts):
    """A few orders of the parts: as they are, backwards, and each of them first."""
    yield list(parts)
    yield list(reversed(parts))
    yield from ([p, *[q for q in parts if q is not p]] for p in parts[1:])


def test_a_models_own_pose_is_relative_to_what_is_around_it(tmp_path, capsys):
    """004:57 scopes: the pose of n names b::x beside n, although there is a b::x in n, whose b gets another name."""
    inside = link("b") + f'<model name="b"><pose>0 0 5 0 0 0</pose>{link("x", 3)}</model>'
    body = (link("l") + f'<model name="b">{link("x", 7)}</model>'
            + f'<model name="n"><pose frame="b::x">1 0 0 0 0 0</pose>{inside}</model>')
    for loaded in every_reading(sdf(body), tmp_path, capsys):
        found = frames(loaded)
        assert found["n"][2][:3] == (8, 0, 0) and found["n::b_model::x"][2][:3] == (11, 0, 5)


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6"])
def test_a_link_named_world_is_meant_wherever_a_link_may_stand(version, tmp_path, capsys):
    """004:420: the joint connects the link to its sibling rather than to a fixed inertial frame; as child, too."""
    nested = "" if version == "1.4" else f'<model name="n">{link("k")}{joint("i", "world", "k")}</model>'
    body = link("l") + link("world", 4) + link("world_link", 9)
    body += joint("j", "l", "world") + joint("h", "world", "world_link")
    readings = list(every_reading(sdf(body + nested, version), tmp_path, capsys))
    assert joints(readings[0])["j"][:2] == ("l", "world")
    for loaded in readings[1:]:
        found = joints(loaded)
        assert found["j"][:2] == ("l", "world_link0") and found["h"][:2] == ("world_link0", "world_link")
        assert frames(loaded)["world_link0"][2][:3] == (4, 0, 0)
        assert not nested or found["n::i"][:2] == ("world", "n::k")


def test_the_new_name_of_a_link_named_world_has_a_true_reason(tmp_path, capsys):
    file = tmp_path / "x.sdf"
    file.write_text(sdf(link("l") + link("world", 4) + joint("j", "l", "world")))
    _, found = upgrade_file(str(file), "1.12")
    assert [(d.name, "shares" in d.message) for d in found] == [("name-not-allowed", False)]
    assert main(["to-urdf", "--json", str(file)]) == 0
    answer = json.loads(capsys.readouterr().out)
    (row,) = [r for r in answer["report"] if r["name"] == "world"]
    assert row["action"] == "renamed" and row["into"] == "world_link" and "inertial" in row["reason"]
    assert answer["urdf"].count('<link name="world_link">') == 1 and '<link name="world"' not in answer["urdf"]


def test_the_pose_of_an_include_follows_a_renamed_frame(parts, capsys):
    folder = parts(part=sdf(link("k", 3)).replace('"m"', '"p"'))
    body = link("a") + link("x", 5) + joint("x", "a", "x") + include("part", "p", '<pose frame="x">0 1 0 0 0 0</pose>')
    for loaded in every_reading(sdf(body), folder, capsys):
        assert frames(loaded)["p::k"][2][:3] == (8, 1, 0)
    body = link("a") + link("x::y", 5) + include("part", "p", '<pose relative_to="x::y">0 1 0 0 0 0</pose>')
    for loaded in every_reading(sdf(body, "1.7"), folder, capsys):
        assert frames(loaded)["p::k"][2][:3] == (8, 1, 0)


def test_a_model_with_a_delimiter_gives_way_to_what_is_in_another(parts, capsys):
    """`n::b::k` is the link b::k of the model n; of two names with '::' the longer one changes, in every order."""
    folder = parts(part=sdf(link("k", 3), "1.12"), outer=sdf(link("l") + include("part", "b"), "1.12"))
    nested = [include("part", "n::b"), f'<model name="n">{link("b::k", 7)}</model>', link("l"),
              '<frame name="f"><pose relative_to="n::b::k"/></frame>']
    for order in shuffled(nested):
        for loaded in every_reading(sdf("".join(order), "1.7"), folder, capsys):
            assert frames(loaded)["f"][2][:3] == (7, 0, 0)
        assert frames(load_file(folder / "x.sdf"))["n::b_model::k"][2][:3] == (3, 0, 0)
    longer = [include("outer", "n::c"), link("l"), '<frame name="n::c::b::k"><pose>1 0 0 0 0 0</pose></frame>']
    for order in shuffled(longer):
        loaded = load_text(sdf("".join(order), "1.7"), str(folder / "y.sdf"))
        assert frames(loaded)["n::c::b::k"][0] == "link" and frames(loaded)["n::c::b::k_frame"][0] == "frame"


def test_files_that_include_each_other_in_a_circle_end(parts):
    body = link("x") + joint("x", "world", "x") + '<frame name="f"><pose frame="{0}::{1}::x"/></frame>'
    folder = parts(a=sdf(body.format("b", "a") + include("b")), b=sdf(body.format("a", "b") + include("a")))
    loaded = load_file(folder / "a.sdf", LoadOptions(resource_paths=(str(folder),)))
    assert "include-cycle" in [d.name for d in loaded.diagnostics]


@pytest.mark.parametrize("group", [
    # A joint that mimics one outside of the group; an inertial that is in a frame outside of it.
    link("arm::l") + link("arm::k") + joint(
        "arm::i", "arm::l", "arm::k", '<axis><xyz>1 0 0</xyz><mimic joint="j"/></axis>'),
    link("arm::l", 0, '<inertial><pose frame="base">0 1 0 0 0 0</pose></inertial>'),
    # What a file brings stays where it is, and may be named like something in the group.
    include("part", "arm::p") + link("arm::l") + joint("arm::i", "arm::p::k", "arm::l"),
])
def test_flattened_names_stay_where_a_model_of_its_own_would_lose_something(group, parts, capsys):
    folder = parts(part=sdf(link("k", 3)))
    body = link("base", 1) + link("c") + joint("j", "base", "c", "<axis><xyz>1 0 0</xyz></axis>") + group
    first, *readings = every_reading(sdf(body, "1.6", True), folder, capsys)
    assert frames(first)["m::arm::l"][0] == "link"
    for loaded in readings:
        assert inertial_places(loaded) == inertial_places(first)
        (graph,) = loaded.graphs
        mimics = [a.mimic.joint for vertex, _ in graph.joints for a in graph.joint(vertex).axes if a.mimic]
        assert mimics == ["j"] * group.count("mimic")


def inertial_places(loaded):
    places = {name: pose for name, (_, _, pose) in frames(loaded).items()}
    return sorted(compose(places[link.name], link.pose) for link in loaded.inertias().links)


def test_siblings_of_one_kind_stay_an_error_under_their_new_name():
    """004:40: names of siblings of one type are unique in every version."""
    found = load_text(sdf(link("x") + '<frame name="x"/><frame name="x"/>')).diagnostics
    assert [d.name for d in found if d.severity == "error"] == ["name-duplicate"]


@pytest.mark.parametrize("first, kept, frame, body", [
    (link("b"), link("a::k", 2), '<frame name="f" attached_to="a::k"/>', "m::a::k"),
    ("", f'<model name="a::k">{link("x")}</model>', "", "m::a::k::x")])
def test_no_flattened_model_takes_the_name_of_an_included_one(tmp_path, first, kept, frame, body):
    """1.8 would gather a::k in a model called a, which the file brings: it keeps its name."""
    (tmp_path / "part.sdf").write_text(f'<sdf version="1.7"><model name="a">{link("l", 1)}</model></sdf>')
    main = tmp_path / "main.sdf"
    main.write_text(f'<sdf version="1.7"><world name="w"><model name="m">{first}{include("part")}{kept}{frame}</model>'
                    "</world></sdf>")
    found = frames(load_file(main))
    assert {name: found[f"m::{name}"][1] for name in ("a", "a::l", "a::k")} == {
        "a": "m::a::l", "a::l": "m::a::l", "a::k": body}
    assert not frame or found["m::f"][1] == body


def test_values_among_comments_are_upgraded():
    text, _ = upgrade_text('<sdf version="1.11"><world name="w"><state world_name="w"><model name="m"><link name="l">'
                           "<wrench><!-- N, Nm -->1 2 3 4 5 6</wrench></link></model></state></world></sdf>",
                           None, "1.12")
    assert "<force>1 2 3<!-- N, Nm --></force><torque>4 5 6</torque>" in text
