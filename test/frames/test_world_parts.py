"""Lights and actors of a world define no frame, but their poses may be relative to one."""
import pytest

from sdf_frames.load import load_text


@pytest.mark.parametrize("part", ['<light name="p" type="point">{}</light>', '<actor name="p">{}</actor>'])
@pytest.mark.parametrize("reference, found", [("m", []), ("m::l", []), ("f", []), ("", []), ("l", [2])])
def test_references_of_poses_of_parts_of_a_world(part, reference, found):
    text = ('<sdf version="1.12"><world name="w"><model name="m"><link name="l"/></model><frame name="f"/>\n'
            + part.format(f'<pose relative_to="{reference}"/>') + "</world></sdf>")
    loaded = load_text(text)
    findings = [d for d in loaded.diagnostics if d.name == "unread-pose-relative-to-unknown"]
    assert [d.line for d in findings] == found and loaded.valid
    assert [d.hint for d in findings] == ["did you mean 'm::l'?"] * len(found)


@pytest.mark.parametrize("reference, said", [
    ("arm", []), ("f", []), ("__model__", []),
    ("amr", ["the first friction direction of collision 'c' is expressed in 'amr', which is not in its scope"])])
@pytest.mark.parametrize("declared", [' xmlns:gz="http://gazebosim.org/schema"', ""])
def test_the_frame_of_a_friction_direction(reference, said, declared):
    text = (f'<sdf version="1.9"{declared}><model name="m"><frame name="f"/><link name="arm">\n<collision name="c">'
            '<geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode>\n'
            f'<fdir1 gz:expressed_in="{reference}">1 0 0</fdir1></ode></friction></surface></collision></link>'
            "</model></sdf>")
    found = [d for d in load_text(text).diagnostics if d.name == "friction-direction-frame-unknown"]
    assert [d.message for d in found] == said and [(d.line, d.hint) for d in found] == [
        (3, "did you mean 'arm'?")] * len(said)
