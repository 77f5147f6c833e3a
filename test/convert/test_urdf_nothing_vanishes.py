"""Each element and attribute that SDFormat 1.12 defines in a model is in the URDF, or a finding says that it is not.

One is added to a small model at a time, with a value of its own.
"""
import pytest
from lxml import etree
from written_text import convert_to_urdf

from sdf_frames.diagnostics import has_errors
from sdf_frames.load import load_text
from sdf_frames.sdf.table import load_table

BOX = "<geometry><box/></geometry>"
MODEL = """<sdf version="1.12"><model name="m">
<link name="a"><collision name="c">{box}</collision><visual name="v">{box}</visual></link>
<link name="b"/><link name="d"/>
<joint name="lead" type="revolute"><parent>a</parent><child>d</child><axis/></joint>
<joint name="j" type="{type}"><parent>a</parent><child>b</child>{axes}</joint>
<model name="n"><link name="q"/></model></model></sdf>"""
HOLDERS = {"model": ["model", "model/model"], "link": ["model/link"], "joint": ["model/joint[2]"],
           "collision": ["model/link/collision"], "visual": ["model/link/visual"]}
JOINTS = {"revolute": "<axis/>", "universal": "<axis/><axis2/>"}
#: What has parts of its own, and is copied whole if one of its values is.
WHOLE = {"link", "joint", "frame", "model", "include", "collision", "visual", "sensor", "light", "projector", "battery",
         "particle_emitter", "audio_source", "audio_sink", "plugin", "gripper", "model_state", "surface", "pbr"}
VALUES = {"bool": "true", "int": "3", "unsigned int": "3", "string": "zork", "vector3": "0.25 0.5 0.375",
          "vector2d": "0.25 0.5", "color": "0.25 0.5 0.375 0.75", "double": "0.375", "pose": "0.25 0.5 0.375 0 0 0"}
NAMED = {"mimic/@joint": "lead", "mimic/@axis": "axis", "mesh/uri": "m.stl", "shader/@type": "pixel"}
#: What a URDF expresses otherwise: poses and axes are computed, and so are masses; it has no frame of the model.
COMPUTED = ("pose", "xyz/@expressed_in", "reference", "mimic/@axis", "inertial/@auto", "density", "auto_inertia_params",
            "model/@canonical_link", "model/@placement_frame")
#: What means nothing in joints of these types, in a mesh that is not optimized, and without a light map.
IDLE = ("gearbox_ratio", "gearbox_reference_body", "screw_thread_pitch", "thread_pitch", "max_convex_hulls",
        "voxel_resolution", "light_map/@uv_set")


def list_paths(spec, around=()):
    """Yield the path, and the type and default, of each attribute and value below an element."""
    for name, value in spec.attributes.items():
        yield (*around, f"@{name}"), value
    if spec.value is not None and around:
        yield around, spec.value
    for tag, child in spec.children.items() if not WHOLE & {*around} else ():
        yield from list_paths(child, (*around, tag))


def fill(element, spec):
    """Add what the format demands in an element."""
    for name in spec.needed:
        element.set(name, element.get(name) or NAMED.get(f"{spec.tag}/@{name}", "point"))
    for tag in spec.required:
        if element.find(tag) is None:
            child = etree.SubElement(element, tag)
            child.text = NAMED.get(f"{spec.tag}/{tag}", getattr(spec.children[tag].value, "default", ""))
            fill(child, spec.children[tag])


def convert(tree):
    """The texts and attributes of the URDF, and the findings on what is not in it; None if the model has errors."""
    loaded = load_text(etree.tostring(tree).decode())
    if has_errors(loaded.diagnostics):
        return None
    text, _, found, _ = convert_to_urdf(loaded)
    words = [word for e in etree.fromstring(text.encode()).iter("*") for word in (e.text or "", *e.attrib.values())]
    return ([word.rpartition("/")[2] for word in words],  # of n/frame, the name in the nested model
            {d.message for d in found if d.name.startswith("urdf-")})


@pytest.mark.parametrize("kind, at, type_", [(kind, at, type_) for kind, places in HOLDERS.items() for at in places
                                             for type_ in JOINTS if kind == "joint" or type_ == "revolute"])
def test_each_value_is_in_the_urdf_or_a_finding_says_that_it_is_not(kind, at, type_):
    spec = load_table().children["model"]
    for step in at.partition("[")[0].split("/")[1:]:
        spec = spec.children[step]
    text = MODEL.format(box=BOX, type=type_, axes=JOINTS[type_])
    before, known = convert(etree.fromstring(text))
    lost, tried = [], 0
    for path, value in list_paths(spec):
        tags = [step for step in path if step[0] != "@"]
        said = "/".join((kind, *path))
        word = NAMED.get("/".join(said.split("/")[-2:])) or VALUES.get(value.type, "")
        word = "false" if value.default in ("true", "1") and value.type == "bool" else word
        if not word or said.endswith((*COMPUTED, *IDLE)) or "pose/" in said or "axis2" in tags and type_ == "revolute":
            continue
        root = etree.fromstring(text)
        element, row = root.find(at), spec
        if "geometry" in tags[:-1]:
            element.find("geometry").clear()
        for step in tags:
            child = element.find(step)
            if child is None:
                child = etree.SubElement(element, step)
            element, row = child, row.children[step]
            fill(element, row)
        if path and path[-1][0] == "@":
            element.set(path[-1][1:], word)
        else:
            element.text = word
        if (made := convert(root)) is not None:
            tried += 1
            words, found = made
            if words.count(word) <= before.count(word) and found <= known:
                lost.append(said)
    assert not lost and tried >= 10, tried
