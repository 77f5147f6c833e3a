"""Documents with what they include in place. Expected elements by hand."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree
from test_carry import spell
from urdf_text import link, robot

from sdf_frames.cli import main
from sdf_frames.convert.expand_includes import expand_includes, find_oldest_version
from sdf_frames.load import LoadOptions, load_file

HALF = repr(pi / 2)
PART = f"""<sdf version="1.9"><model name="part" canonical_link="k"><static>true</static>
<pose>9 9 9 0 0 0</pose>
<link name="l"/><link name="k"><pose relative_to="l">0 0 1 0 0 0</pose></link>
<frame name="f"><pose>1 0 0 0 0 0</pose></frame><frame name="g" attached_to="k"><pose relative_to="__model__">0 2 0 0 0 {HALF}</pose></frame>
<frame name="h" attached_to="__model__"/>
<joint name="j" type="revolute"><pose relative_to="__model__"/><parent>l</parent><child>k</child>
  <axis><xyz expressed_in="__model__">0 0 1</xyz></axis></joint>
<joint name="i" type="fixed"><parent>world</parent><child>__model__</child></joint>
<model name="n"><pose relative_to="__model__"/><placement_frame>__model__</placement_frame><link name="x"/>
  <frame name="y" attached_to="__model__"/></model>
<plugin name="p" filename="f"/></model></sdf>"""  # noqa: E501


@pytest.fixture
def expand(tmp_path):
    """What a model or world holds beside the include, and the include -> the element with the part in its place."""
    (tmp_path / "part.sdf").write_text(PART)

    def expand(include, kind="model", before="", files=None):
        for name, text in (files or {}).items():
            (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / name).write_text(text)
        (tmp_path / "m.sdf").write_text(f'<sdf version="1.12"><{kind} name="m">{before}{include}<frame '
                                        f'name="last"/></{kind}></sdf>')
        loaded = load_file(tmp_path / "m.sdf", LoadOptions(resource_paths=(str(tmp_path),)))
        tree = expand_includes(loaded.root, loaded.resolver)
        assert loaded.root.element.find(".//include") is not None, "the document stays as it is"
        return tree.find(kind), loaded
    return expand


LINK = '<link name="a"/>'


@pytest.mark.parametrize("more, start", [
    ("", '<model name="part" canonical_link="k"><static>true</static><pose>9 9 9 0 0 0</pose>'),
    ("<name>q</name><static>false</static><pose>1 2 3 0 0 0</pose>", '<model name="q" canonical_link="k">'),
])
def test_an_include_becomes_a_model(more, start, expand):
    model, _ = expand(f"<include><uri>part.sdf</uri>{more}</include>", before=LINK)
    assert [(child.tag, child.get("name")) for child in model] == [
        ("link", "a"), ("model", "q" if "q" in start else "part"), ("frame", "last")]
    part = model.find("model")
    assert spell(part).startswith(start)
    assert (part.findtext("static"), part.findtext("pose")) == (
        ("false", "1 2 3 0 0 0") if more else ("true", "9 9 9 0 0 0"))
    assert [p.get("name") for p in part.findall("plugin")] == ["p"]


def test_a_merged_model_is_put_on_its_proxy(expand):
    """Poses and names of the model's frame are the proxy's now; those of what has a frame of its own stay."""
    plugin = '<plugin name="q" filename="q"/>'
    model, _ = expand(f'<include merge="true"><uri>part.sdf</uri><pose>0 0 5 0 0 0</pose>{plugin}</include>',
                      before=LINK)
    proxy = "_merged__part__model__"
    assert [spell(child) for child in model] == [
        LINK, f'<frame name="{proxy}" attached_to="k"><pose relative_to="__model__">0 0 5 0 0 0</pose></frame>',
        f'<link name="l"><pose relative_to="{proxy}"/></link>',
        '<link name="k"><pose relative_to="l">0 0 1 0 0 0</pose></link>',
        f'<frame name="f" attached_to="{proxy}"><pose>1 0 0 0 0 0</pose></frame>',
        f'<frame name="g" attached_to="k"><pose relative_to="{proxy}">0 2 0 0 0 {HALF}</pose></frame>',
        f'<frame name="h" attached_to="{proxy}"/>',
        f'<joint name="j" type="revolute"><pose relative_to="{proxy}"/><parent>l</parent><child>k</child><axis>'
        f'<xyz expressed_in="{proxy}">0 0 1</xyz></axis></joint>',
        f'<joint name="i" type="fixed"><parent>world</parent><child>{proxy}</child></joint>',
        f'<model name="n"><pose relative_to="{proxy}"/><placement_frame>__model__</placement_frame><link name="x"/>'
        '<frame name="y" attached_to="__model__"/></model>',
        '<plugin name="p" filename="f"/>', plugin, '<frame name="last"/>']


@pytest.mark.parametrize("pose, written", [
    ("", '<pose relative_to="__model__">9 9 9 0 0 0</pose>'),
    ("<pose/>", '<pose relative_to="__model__"/>'),
    ('<pose relative_to="b">1 0 0 0 0 0</pose>', '<pose relative_to="b">1 0 0 0 0 0</pose>'),
    # f is 1 along x in the part; g 2 along y, turned by a quarter.
    ("<placement_frame>f</placement_frame><pose>5 0 0 0 0 0</pose>",
     '<pose relative_to="__model__">4 0 0 0 0 0</pose>'),
    ('<placement_frame>g</placement_frame><pose relative_to="b">5 0 0 0 0 0</pose>',
     f'<pose relative_to="b">3 0 0 0 0 {"-" + HALF}</pose>')])
def test_where_the_proxy_is(pose, written, expand):
    include = f'<include merge="true"><uri>part.sdf</uri>{pose}</include>'
    model, loaded = expand(include, before=LINK + '<frame name="b"/>')
    found, expected = model.find("frame[@name='_merged__part__model__']/pose"), etree.fromstring(written)
    assert dict(found.attrib) == dict(expected.attrib)
    there, wanted = ([float(x) for x in (pose.text or "").split()] for pose in (found, expected))
    assert there == pytest.approx(wanted, abs=1e-12)
    assert loaded.resolved


MESH = '<link name="l"><visual name="v"><geometry><mesh><uri>{}</uri></mesh></geometry></visual></link>'
DAE = "<COLLADA/>"


@pytest.mark.parametrize("folder, uri, written", [
    ("sub", "a.dae", "sub/a.dae"), ("sub", "meshes/a.dae", "sub/meshes/a.dae"), ("sub", "nowhere.dae", "nowhere.dae"),
    ("sub", "model://sub/a.dae", "model://sub/a.dae"), ("sub", "https://x.org/a.dae", "https://x.org/a.dae")])
def test_uris_lead_from_the_including_file(folder, uri, written, expand):
    part = f'<sdf version="1.9"><model name="part">{MESH.format(uri)}</model></sdf>'
    files = {f"{folder}/part.sdf": part, f"{folder}/a.dae": DAE, f"{folder}/meshes/a.dae": DAE}
    for merge in ("", ' merge="true"'):
        model, _ = expand(f"<include{merge}><uri>{folder}/part.sdf</uri></include>", before=LINK, files=files)
        assert model.findtext(".//mesh/uri") == written


def test_uris_that_would_lead_elsewhere_become_paths(expand):
    """Found beside the included file, and from the including one under the same words only in another folder."""
    part = f'<sdf version="1.9"><model name="part">{MESH.format("a.dae")}</model></sdf>'
    config = "<model><sdf>part.sdf</sdf></model>"
    files = {"box/inner/part.sdf": part, "box/inner/a.dae": DAE,
             "box/model.config": config.replace("part.sdf", "inner/part.sdf")}
    model, _ = expand("<include><uri>model://box</uri></include>", before=LINK, files=files)
    assert model.findtext(".//mesh/uri") in ("box/inner/a.dae", "model://box/inner/a.dae")


def test_the_oldest_version_of_all_files(expand):
    files = {"old.sdf": '<sdf version="1.5"><model name="old"><link '
                        'name="l"/><include><uri>part.sdf</uri></include></model></sdf>'}
    for include, version in (("part.sdf", "1.9"), ("old.sdf", "1.5")):
        _, loaded = expand(f"<include><uri>{include}</uri></include>", before=LINK, files=files)
        assert find_oldest_version(loaded.root) == version


def test_an_include_that_brought_nothing_stays(expand):
    model, _ = expand("<include><uri>model://nowhere</uri></include><include><uri>part.sdf</uri></include>",
                      before=LINK)
    assert [child.tag for child in model] == ["link", "include", "model", "frame"]


def test_includes_in_included_files(expand):
    files = {"outer.sdf": f'<sdf version="1.9"><model '
                          f'name="outer">{LINK}<include><uri>part.sdf</uri></include></model></sdf>'}
    model, _ = expand('<include><uri>outer.sdf</uri></include><include merge="true"><uri>outer.sdf</uri></include>',
                      before='<link name="b"/>', files=files)
    assert [m.get("name") for m in model.iter("model")] == ["m", "outer", "part", "n", "part", "n"]
    assert not list(model.iter("include"))


def test_a_nested_model_without_a_pose_is_put_on_the_proxy(expand):
    part = ('<sdf version="1.9"><model name="part"><link name="k"/><model name="n"><link name="x"/></model></model>'
            "</sdf>")
    model, _ = expand('<include merge="true"><uri>plain.sdf</uri></include>', before=LINK, files={"plain.sdf": part})
    assert spell(model.find("model")) == (
        '<model name="n"><pose relative_to="_merged__part__model__"/><link name="x"/></model>')


def test_the_mesh_of_a_urdf_that_stands_at_the_root_of_an_included_file_is_found(tmp_path):
    mesh = '<visual><geometry><mesh filename="m.stl"/></geometry></visual>'
    texts = {"b/r.urdf": robot(link("l", 1, mesh)), "b/m.stl": "solid\nendsolid\n",
             "a/i.sdf": '<sdf version="1.9"><include><uri>../b/r.urdf</uri></include></sdf>',
             "w.sdf": '<sdf version="1.9"><world name="w"><include><uri>a/i.sdf</uri></include></world></sdf>'}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "out").mkdir()
    assert main(["print", str(tmp_path / "w.sdf"), "-o", str(tmp_path / "out" / "w.sdf")]) == 0
    assert "<uri>../b/m.stl</uri>" in (tmp_path / "out" / "w.sdf").read_text()
