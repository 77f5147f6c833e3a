"""Against libsdformat 17's recorded converter output for real robots."""
import re

import numpy as np
import pytest
from lxml import etree
from plain_sdf import Sdf, numbers
from written_text import convert_text

from sdf_frames.convert.options import ConvertOptions


def read_record(text: str) -> Sdf:
    """libsdformat writes prefixes without declaring them."""
    return Sdf(etree.fromstring(re.sub(r"<(/?)([\w]+)::?", r"<\1\2_", text).encode(),
                                etree.XMLParser(recover=True, remove_comments=True)))


def assert_same(have: Sdf, want: Sdf, name: str, exact: bool) -> None:
    if exact:
        assert set(have._elements) == set(want._elements), name
    for element in want._elements:
        assert element in have._elements, (name, element)
        if not exact and want._elements[element].findtext("child", element) not in want._elements:
            continue  # a joint under <gazebo> whose link the reference has dropped
        assert have.body(element) == want.body(element), name
        # The reference's angles near a pitch of 90° are good to 2e-8 only.
        assert have.pose(element) == pytest.approx(want.pose(element), abs=5e-8), (name, element)
    assert set(have.joints) == set(want.joints), name
    for joint, element in want.joints.items():
        mine = have.joints[joint]
        assert mine.get("type") == element.get("type") and mine.findtext("child") == element.findtext("child")
        if element.find("axis/xyz") is not None:
            assert numbers(mine.findtext("axis/xyz"), 3) == pytest.approx(numbers(element.findtext("axis/xyz"), 3)), (
                name, joint)
        for path in ("axis/limit/lower", "axis/limit/upper", "axis/limit/effort", "axis/limit/velocity",
                     "axis/dynamics/damping",
                     "axis/dynamics/friction", "axis/dynamics/spring_stiffness", "physics/provide_feedback"):
            a, b = mine.findtext(path), element.findtext(path)
            assert (a is None) == (b is None) and (a == b or float(a) == pytest.approx(float(b))), (name, joint, path)
    for link, element in want.links.items():
        a, b = have.inertia(link), want.inertia(link)
        assert a[0] == pytest.approx(b[0], rel=1e-9)
        assert a[1][:3, 3] == pytest.approx(b[1][:3, 3], abs=1e-9)
        tensors = [X[:3, :3] @ I @ X[:3, :3].T for _, X, I in (a, b)]
        assert tensors[0] == pytest.approx(tensors[1], abs=1e-8 * max(np.abs(tensors[1]).max(), 1e-300)), (name, link)
        for kind in ("visual", "collision", "sensor"):
            # Shapes after one that cannot be read are lost there, not here.
            mine, theirs = ([e.get("name") for e in x.findall(kind)] for x in (have.links[link], element))
            assert mine[:len(theirs)] == theirs, (name, link)


def test_valid_robots_convert_as_in_libsdformat(golden_urdfs, corpus):
    compared = 0
    for record in golden_urdfs:
        if not record["check"]["ok"]:
            continue
        text, conversion, found = convert_text((corpus / record["file"]).read_bytes(), record["file"])
        if text is None and any(d.code[0] == "X" for d in found):
            continue  # read or not is the XML reader's test
        assert text is not None, (record["file"], found)
        assert_same(Sdf(conversion.document.root), read_record(record["convert"]), record["file"], exact=True)
        compared += 1
    assert compared >= 80


def test_valid_robots_with_fixed_joints_preserved(golden_urdfs, corpus):
    """Here libsdformat drops massless links; what it keeps is here, too, and alike."""
    compared = 0
    for record in golden_urdfs:
        if not record["check"]["ok"] or record["convert_preserve_rc"] != 0 or "<link" not in record["convert_preserve"]:
            continue
        text, conversion, found = convert_text((corpus / record["file"]).read_bytes(), record["file"],
                                               ConvertOptions(preserve_fixed_joints=True))
        if text is None and any(d.code[0] == "X" for d in found):
            continue
        have, want = Sdf(conversion.document.root), read_record(record["convert_preserve"])
        if any(r.action == "to-frame" for r in conversion.rows) and set(have.links) != set(want.links):
            continue  # subtrees that hang on massless links live here
        shapes = any(r.action == "moved" and r.element in ("visual", "collision", "sensor") for r in conversion.rows)
        if not shapes:
            assert_same(have, want, record["file"], exact=False)
            compared += 1
    assert compared >= 45
