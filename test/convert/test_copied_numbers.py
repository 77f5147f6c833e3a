"""The two tools of seeds 002:739 and 004:657: what ``check --urdf`` passes, ``to-urdf`` copies as text, each number."""
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from written_text import convert_to_urdf

from sdf_frames.checks.urdf_compatibility import check_urdf_compatibility
from sdf_frames.convert.one_model import choose_model
from sdf_frames.load import load_text

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")


def obstacles(text):
    loaded = load_text(text)
    assert loaded.valid, loaded.diagnostics
    return [d.name for scope in loaded.scopes for d in check_urdf_compatibility(choose_model(scope)[0])]


def test_a_model_that_has_no_place_in_its_world_is_looked_at_all_the_same():
    (scope,) = load_text('<sdf version="1.12"><world name="w"><model name="m"><pose relative_to="nowhere"/>'
                         '<link name="l"/><frame name="f"/></model></world></sdf>').scopes
    graph, prefix, _ = choose_model(scope)
    assert prefix == "m::" and [d.name for d in check_urdf_compatibility(graph)] == ["direct-urdf-frame"]


def to_urdf(text):
    urdf = convert_to_urdf(load_text(text))
    assert urdf.text is not None, urdf.diagnostics
    return urdf


def values(text):
    """Words that are numbers, of attributes and texts, but for names."""
    root = etree.fromstring(text.encode())
    words = [w for e in root.iter(etree.Element) for name, v in e.attrib.items()
             if name not in ("name", "version", "link") for w in v.split()]
    words += [w for e in root.iter(etree.Element) if e.text for w in e.text.split()]
    return [w for w in words if NUMBER.fullmatch(w)]


class Maker:
    """Models that are trees of links at their joints, with numbers as nobody else writes them."""

    def __init__(self, seed):
        self.chance = Random(seed)

    def number(self, positive=False):
        c = self.chance
        value = c.choice([c.uniform(0.1, 3), c.randint(1, 9), 0.3, 1.5707963267948966, 0.5])
        longer = f"{value!r}0" if "." in repr(value) and "e" not in repr(value) else repr(value)
        text = c.choice([repr(value), f"{value:.3f}", f"{value:.4e}", repr(value).removeprefix("0"), f"+{value!r}",
                         longer])
        return text if positive or c.random() < 0.7 else "-" + text.lstrip("+")

    def numbers(self, count, positive=False):
        return self.chance.choice([" ", "  ", "\n"]).join(self.number(positive) for _ in range(count))

    def pose(self, reference=None):
        if reference is None and self.chance.random() < 0.3:
            return ""
        relative = f' relative_to="{reference}"' if reference else ""
        return f"<pose{relative}>{self.numbers(6)}</pose>"

    def shape(self):
        n = self.number
        return self.chance.choice([f"<box><size>{self.numbers(3, True)}</size></box>",
                                   f"<sphere><radius>{n(True)}</radius></sphere>",
                                   f"<cylinder><radius>{n(True)}</radius><length>{n(True)}</length></cylinder>",
                                   f"<mesh><uri>a.stl</uri><scale>{self.numbers(3, True)}</scale></mesh>"])

    def link(self, i):
        mass, moment = self.number(True), self.number(True)
        inertia = (f"<inertial>{self.pose()}<mass>{mass}</mass><inertia><ixx>{moment}</ixx><iyy>{moment}</iyy>"
                   f"<izz>{moment}</izz><ixy>0</ixy><ixz>0.0</ixz><iyz>0e0</iyz></inertia></inertial>")
        colour = "<material><diffuse>.1 0.20 3e-1 1</diffuse></material>"
        at = f'<pose relative_to="j{i}"/>' if i else ""
        return (f'<link name="l{i}">{at}{inertia}<visual name="v{i}">{self.pose()}<geometry>{self.shape()}'
                f'</geometry>{colour}</visual><collision name="c{i}">{self.pose()}<geometry>'
                f'{self.shape()}</geometry></collision></link>')

    def joint(self, i):
        parent = self.chance.randrange(i)
        kind = self.chance.choice(["fixed", "revolute", "prismatic", "continuous"])
        limit = (f"<limit><lower>-{self.number(True).lstrip('+')}</lower><upper>{self.number(True)}</upper>"
                 f"<effort>{self.number(True)}</effort><velocity>{self.number(True)}</velocity></limit>")
        xyz = self.chance.choice(["0 0 1", "0 .6 0.80", "2 0 0", "-1. 0e0 0"])
        axis = (f"<axis><xyz>{xyz}</xyz>{limit}<dynamics><damping>{self.number(True)}</damping>"
                f"<friction>{self.number(True)}</friction></dynamics></axis>")
        return (f'<joint name="j{i}" type="{kind}">{self.pose(f"l{parent}")}<parent>l{parent}</parent>'
                f'<child>l{i}</child>{"" if kind == "fixed" else axis}</joint>')

    def make(self):
        count = self.chance.randint(1, 5)
        body = "".join(self.link(i) for i in range(count)) + "".join(self.joint(i) for i in range(1, count))
        model = f'<model name="m">{body}</model>'
        in_world = self.chance.random() < 0.3
        return '<sdf version="1.9">' + (f'<world name="w">{model}</world>' if in_world else model) + "</sdf>"


@given(st.integers(0, 2**32))
def test_numbers_of_models_without_obstacles_are_copied_as_text(seed):
    text = Maker(seed).make()
    assert obstacles(text) == []
    copied, written = values(to_urdf(text).text), set(values(text))
    assert len(copied) > 10 and set(copied) <= written, set(copied) - written


SEED = """<sdf version="1.9"><model name="m"><link name="l0"/><link name="l1"><pose relative_to="j"/></link>
<joint name="j" type="fixed"><pose relative_to="l0">1 2 3 .3 1.5707963267948966 .5</pose><parent>l0</parent>
<child>l1</child></joint></model></sdf>"""


def test_the_pose_of_the_issue():
    assert obstacles(SEED) == []
    assert '<origin xyz="1 2 3" rpy=".3 1.5707963267948966 .5"/>' in to_urdf(SEED).text


@pytest.mark.parametrize("old, new, name", [
    ("</model>", "<pose>0 0 1 0 0 0</pose></model>", "direct-urdf-model-pose"),
    ('<pose relative_to="l0">1 2 3', '<pose relative_to="l0" degrees="true">1 2 3', "direct-urdf-pose-form"),
    ('<pose relative_to="l0">1 2 3 .3 1.5707963267948966 .5',
     '<pose relative_to="l0" rotation_format="quat_xyzw">1 2 3 0 0 0 1', "direct-urdf-pose-form"),
    ('<link name="l0"/>', '<link name="l0"><visual name="v"><pose degrees="true">0 0 0 0 0 90</pose><geometry><box/>'
     '</geometry></visual></link>', "direct-urdf-pose-form"),
    ('<link name="l0"/>', '<link name="l0"><inertial auto="true"/><collision name="v"><geometry><box/></geometry>'
     '</collision></link>', "direct-urdf-inertia")])
def test_each_feature_that_prevents_copying_is_an_obstacle(old, new, name):
    assert old in SEED and obstacles(SEED.replace(old, new)) == [name]


@pytest.mark.parametrize("reference, expected", [("0.5", ["direct-urdf-mimic"]), ("0", [])])
def test_the_reference_of_a_mimic_has_no_place(reference, expected):
    joint = ('<joint name="k" type="revolute"><pose relative_to="l1"/><parent>l1</parent><child>l2</child><axis>'
             '<xyz>0 0 1</xyz>%s</axis></joint><link name="l2"><pose relative_to="k"/></link>')
    mimic = f'<mimic joint="k"><multiplier>.5</multiplier><offset>1.0</offset><reference>{reference}</reference>'
    mimic += "</mimic>"
    second = (joint % mimic).replace('"k" type', '"o" type').replace("l2", "l3").replace('to="k"', 'to="o"')
    text = SEED.replace("</model>", joint % "" + second + "</model>").replace("1.9", "1.11")
    assert obstacles(text) == expected
    assert ('multiplier=".5" offset="1.0"' in to_urdf(text).text) == (not expected)


def test_a_world_joint():
    text = SEED.replace('"l0">1 2 3', '"__model__">1 2 3').replace("<parent>l0", "<parent>world")
    text = text.replace('<link name="l0"/>', "")
    assert obstacles(text) == []
    assert '<origin xyz="1 2 3" rpy=".3 1.5707963267948966 .5"/>' in to_urdf(text).text
    assert obstacles(text.replace("</model>", "<pose>0 0 1 0 0 0</pose></model>")) == ["direct-urdf-model-pose"]


def test_a_world_with_one_model_is_taken_and_one_with_two_is_not():
    model = SEED[SEED.index("<model"):SEED.index("</sdf>")]
    assert obstacles(f'<sdf version="1.9"><world name="w">{model}</world></sdf>') == []
    other = model.replace('name="m"', 'name="k"')
    assert obstacles(f'<sdf version="1.9"><world name="w">{model}{other}</world></sdf>') == ["urdf-needs-one-model"]


def test_a_model_pose_that_has_no_place_has_a_row():
    rows = to_urdf(SEED.replace("</model>", "<pose>0 0 1 0 0 0</pose></model>")).rows
    (row,) = [r for r in rows if r.element == "pose"]
    assert (row.name, row.action, "spawned" in row.reason) == ("m", "dropped", True)
    assert [r for r in to_urdf(SEED).rows if r.element == "pose"] == []


def test_an_old_inertial_in_another_frame_is_not_copied():
    inertial = '<inertial><pose frame="{}">0 1 0 0 0 0</pose><mass>2</mass></inertial>'
    model = '<sdf version="1.6"><model name="m"><link name="l">{}</link></model></sdf>'
    assert obstacles(model.format(inertial.format("__model__"))) == ["direct-urdf-part-pose"]
    assert obstacles(model.format(inertial.replace(' frame="{}"', ""))) == []
