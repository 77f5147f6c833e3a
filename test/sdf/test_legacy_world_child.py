"""Until 1.4 a joint could have the world as its child: the same joint seen from its other end."""
import pytest

from sdf_frames.load import load_text

# The model stands at z = 5; the joint's pose is in its child, the world: at z = 6 there, so at z = 1 in the model.
OLD = """<sdf version="{version}"><model name="m"><pose>0 0 5 0 0 0</pose><link name="l"><pose>0 0 2 0 0 0</pose></link>
<joint name="j" type="revolute"><pose>0 0 6 0 0 0</pose><parent>l</parent><child>world</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></sdf>"""


def test_its_ends_and_axis_are_turned_round():
    loaded = load_text(OLD.format(version="1.4"))
    assert loaded.valid and [d.name for d in loaded.diagnostics] == ["joint-child-is-world"]
    scope = loaded.scopes[0]
    joint = scope.joints[0]
    assert (joint.parent, joint.child, joint.axes) == ("world", "l", ((0, (0, -1, 0)),))
    frame = next(f for f in scope.frames if f.name == "j")
    assert frame.link == "l" and frame.pose == pytest.approx((0, 0, 1, 1, 0, 0, 0))


@pytest.mark.parametrize("version", ["1.5", "1.12"])
def test_later_it_is_an_error(version):
    loaded = load_text(OLD.format(version=version))
    assert not loaded.valid and "joint-child-is-world" in [d.name for d in loaded.diagnostics]
