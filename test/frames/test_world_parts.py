"""Lights and actors of a world define no frame, but their poses may be relative to one."""
import pytest

from sdf_frames.load import load_text


@pytest.mark.parametrize("part", ['<light name="p" type="point">{}</light>', '<actor name="p">{}</actor>'])
@pytest.mark.parametrize("reference, found", [("m", []), ("m::l", []), ("f", []), ("", []), ("l", [2])])
def test_references_of_poses_of_parts_of_a_world(part, reference, found):
    text = ('<sdf version="1.12"><world name="w"><model name="m"><link name="l"/></model><frame name="f"/>\n'
            + part.format(f'<pose relative_to="{reference}"/>') + "</world></sdf>")
    loaded = load_text(text)
    findings = [d for d in loaded.diagnostics if d.name == "part-pose-relative-to-unknown"]
    assert [d.line for d in findings] == found and loaded.valid
    assert [d.hint for d in findings] == ["did you mean 'm::l'?"] * len(found)
