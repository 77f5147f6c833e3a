"""Links of SDFormat in a URDF: where their parts are, and what goes under <gazebo>."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree

from sdf_frames.convert.report import Row, make_rows
from sdf_frames.document.elements import line_of
from sdf_frames.urdf.model import Origin

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"


def test_sensors_and_lights_go_under_gazebo_with_their_pose_in_the_link(to_robot):
    conversion = to_robot(f"""<link name="l"><pose>1 0 0 0 0 0</pose>
<sensor name="s" type="imu"><always_on>1</always_on><pose>0 0 3 0 0 0</pose></sensor>
<light name="lamp" type="point"><pose relative_to="f">0 1 0 0 0 0</pose></light>
<collision name="c"><pose relative_to="f">0 1 0 0 0 0</pose>{BOX}</collision>
<visual name="v"><pose relative_to="l" degrees="true">0 0 3 0 0 90</pose>{BOX}</visual></link>
<frame name="f"><pose>5 0 0 0 0 {pi / 2!r}</pose></frame>""")
    link = conversion.robot.links[0]
    # f is 4 along x from the link, and turned by a quarter about z: its y axis is the link's -x axis.
    assert link.collisions[0].origin.xyz == pytest.approx((3, 0, 0))
    assert link.collisions[0].origin.rpy == pytest.approx((0, 0, pi / 2))
    assert link.visuals[0].origin.xyz == (0, 0, 3) and link.visuals[0].origin.rpy == pytest.approx((0, 0, pi / 2))
    assert line_of(link.element) == 1
    sensor, lamp = conversion.robot.gazebo
    assert etree.tostring(sensor, with_tail=False) == (
        b'<gazebo reference="l"><sensor name="s" type="imu"><pose>0 0 3 0 0 0</pose><always_on>1</always_on></sensor>'
        b"</gazebo>")
    assert lamp.get("reference") == "l" and [child.tag for child in lamp[0]] == ["pose"]
    assert [float(x) for x in lamp.findtext("light/pose").split()] == pytest.approx([3, 0, 0, 0, 0, pi / 2])
    assert not lamp.find("light/pose").attrib
    assert [row for row in make_rows(conversion.entries) if row.action == "moved"] == [
        Row("sensor", "s", "moved", '<gazebo reference="l">', 2),
        Row("light", "lamp", "moved", '<gazebo reference="l">', 3)]


def test_a_pose_as_written_is_used_only_in_the_links_own_frame(to_robot):
    text = '<link name="l"><pose>1 0 0 0 0 0</pose>{}</link><link name="f"/>'
    shapes = "".join(f'<collision name="{name}"><pose relative_to="{frame}">0.5 0 0 0 0 7</pose>{BOX}</collision>'
                     for name, frame in (("a", ""), ("b", "l"), ("c", "f")))
    origins = [c.origin for c in to_robot(text.format(shapes)).robot.links[0].collisions]
    assert origins[:2] == [Origin((0.5, 0, 0), (0, 0, 7))] * 2
    assert origins[2].xyz == pytest.approx((-0.5, 0, 0)) and origins[2].rpy == pytest.approx((0, 0, 7 - 2 * pi))


def test_the_elements_of_the_sdf_stay_as_they_are(to_robot):
    """A sensor is copied: its pose in the SDF is not the URDF's."""
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.load import load_text
    loaded = load_text('<sdf version="1.12"><model name="m"><link name="l"/><link name="k"><pose>1 0 0 0 0 0</pose>'
                       '<sensor name="s" type="imu"><pose relative_to="l"/></sensor></link></model></sdf>')
    before = etree.tostring(loaded.document.root)
    convert_model(loaded.graphs[0], {}, lambda uri, element: uri)
    assert etree.tostring(loaded.document.root) == before
