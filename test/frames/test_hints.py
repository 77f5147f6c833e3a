"""What a finding says beside its message: the name that was meant, and the other places that take part."""
import pytest

from sdf_frames.load import load_file, load_text

LINKS = '<link name="upper_arm"/><link name="lower_arm"/>'
M = '<sdf version="1.12"><model name="m"%s>%s</model></sdf>'


def joint(name="elbow", parent="upper_arm", child="lower_arm", rest=""):
    return f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>{rest}</joint>'


def axis(expressed_in="", mimic=""):
    mimic = (f'<mimic joint="{mimic}"><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>'
             if mimic else "")
    return f'<axis><xyz expressed_in="{expressed_in}">0 0 1</xyz>{mimic}</axis>'


@pytest.mark.parametrize("inside, name, meant", [
    (joint(parent="uper_arm"), "joint-parent-unknown", "upper_arm"),
    ('<model name="n"><link name="hand"/></model>' + joint(parent="hand"), "joint-parent-unknown", "n::hand"),
    (joint(child="Lower_Arm"), "joint-child-unknown", "lower_arm"),
    (joint(child="m::lower_arm"), "joint-child-unknown", "lower_arm"),  # with the model's own name
    ('<model name="n"><link name="x"/></model>' + joint(parent="n.x"), "joint-parent-unknown", "n::x"),
    (f'<model name="n">{LINKS}{joint(parent="n/upper_arm")}</model>', "joint-parent-unknown", "upper_arm"),
    (joint(parent="wrld"), "joint-parent-unknown", "world"),
    ('<link name="world_arm"/>' + joint(parent="World_arm"), "joint-parent-unknown", "world_arm"),
    ('<link name="hand"/>' + joint(rest=axis()) + joint("wrist", "lower_arm", "hand", axis(mimic="elbw")),
     "joint-mimic-invalid", "elbow"),
    # A link is no leader.
    ('<link name="elbo"/>' + joint(rest=axis()) + joint("wrist", "lower_arm", "elbo", axis(mimic="elbo")),
     "joint-mimic-invalid", "elbow"),
    (joint(rest=axis("upperarm")), "joint-axis-expressed-in-unknown", "upper_arm"),
    ('<link name="k"><visual name="v"><pose relative_to="uper_arm"/><geometry><empty/></geometry></visual></link>',
     "part-pose-relative-to-unknown", "upper_arm")])
def test_the_nearest_name_is_named(inside, name, meant):
    (finding,) = [d for d in load_text(M % ("", LINKS + inside)).diagnostics if d.severity != "info"]
    assert (finding.name, finding.hint) == (name, f"did you mean {meant!r}?")


@pytest.mark.parametrize("parent, child, name", [
    ("wall::link", "hall::link", "joint-child-unknown"), ("hall::link", "wall::link", "joint-parent-unknown")])
def test_the_other_end_of_a_joint_is_not_meant(parent, child, name):
    model = M % ("", '<link name="base"/><model name="wall"><link name="link"/></model><joint name="j" type="fixed">'
                     f"<parent>{parent}</parent><child>{child}</child></joint>")
    (finding,) = [d for d in load_text(model).diagnostics if d.severity == "error"]
    assert (finding.name, finding.hint) == (name, NOBODY)


PART = '<sdf version="1.12">\n<model name="part">\n<link name="base_link"/>\n%s</model>\n</sdf>'


@pytest.fixture
def world(tmp_path):
    """Writes a part and a world that includes it; the world's path."""
    def write(part, include="", inside=""):
        (tmp_path / "part.sdf").write_text(PART % part)
        (tmp_path / "world.sdf").write_text(
            f'<sdf version="1.12" xmlns:experimental="e">\n<world '
            f'name="w">\n<include>\n<uri>part.sdf</uri>\n{include}\n</include>\n{inside}</world>\n</sdf>')
        return tmp_path / "world.sdf"
    return write


@pytest.mark.parametrize("change, file, line, path", [
    ('<frame element_id="" action="add" name="f" attached_to="x"/>', "world.sdf", 6, 'frame[@name="f"]'),
    ('<link element_id="" action="add" name="k">\n<pose>1</pose></link>', "world.sdf", 7, 'link[@name="k"]/pose'),
    ('<frame element_id="g" action="replace" name="g" attached_to="x"/>', "world.sdf", 6, 'frame[@name="g"]'),
    ('<frame element_id="g" action="modify" attached_to="x"/>', "world.sdf", 6, 'frame[@name="g"]'),
    ('<frame element_id="g" action="modify"><pose>1</pose></frame>', "world.sdf", 6, 'frame[@name="g"]/pose'),
    ('<frame element_id="g" action="modify" attached_to="base_link"/>\n', "part.sdf", 5, 'frame[@name="h"]'),
])
def test_a_finding_in_what_params_bring_carries_the_file_where_it_is_written(world, change, file, line, path):
    main = world('<frame name="g"><pose/></frame>\n' + ('<frame name="h" attached_to="y"/>' if file == "part.sdf"
                                                        else ""),
                 f"<experimental:params>\n{change}</experimental:params>")
    (finding,) = load_file(main).diagnostics
    assert finding.file == str(main.parent / file)
    assert (finding.line, finding.path) == (line, '/sdf/model[@name="part"]/' + path)


@pytest.mark.parametrize("part, name, line, path", [
    ('<frame name="f" attached_to="x"/>', "frame-attached-to-unknown", 4, '/sdf/model[@name="part"]/frame[@name="f"]'),
    ('<link name="base_link"/>', "name-duplicate", 4, '/sdf/model[@name="part"]/link[@name="base_link"]'),
    ('<colour/>', "element-unknown", 4, '/sdf/model[@name="part"]/colour'),
    ('<static>x</static>', "value-invalid", 4, '/sdf/model[@name="part"]/static'),
])
def test_a_finding_in_an_included_file_carries_its_file_line_and_path(world, part, name, line, path):
    main = world(part)
    (finding,) = load_file(main).diagnostics
    assert (finding.name, finding.file, finding.line, finding.path) == (name, str(main.parent / "part.sdf"), line, path)


def test_consequences_are_counted(tmp_path, capsys):
    """f hangs on nothing: that is the error; g hangs on f, and h is posed in g."""
    from sdf_frames.cli import main
    path = tmp_path / "m.sdf"
    path.write_text(
        M % ("", LINKS
            + '<frame name="f" attached_to="x"/><frame name="g" attached_to="f"/><frame name="h">'
              '<pose relative_to="g"/></frame>'))
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out.endswith(f"{path}: invalid (1 error); 2 more frames without pose or body\n")


NOBODY = "name a frame of this scope, or define one of that name"
OUTSIDE = "that name exists outside of this model, but references can only use names inside of it"


@pytest.mark.parametrize("prefix, reference, hint", [
    ("", "arn", "did you mean 'arm'?"), ("n::", "arn", "did you mean 'ark'?"), ("n::o::", "arn", NOBODY),
    # A name in a model inside is meant before one that is only like it.
    ("", "tip", "did you mean 'n::o::tip'?"), ("n::", "tip", "did you mean 'o::tip'?"),
    ("n::o::", "tipp", "did you mean 'tip'?"),
    ("", "a b", "give 'a  b' single blanks: readers do so in the text of a reference"),
    ("n::o::", "arm", OUTSIDE), ("", "zzzz", NOBODY), ("n::", "n2", OUTSIDE)])
def test_the_names_of_a_scope_are_compared(prefix, reference, hint):
    """The others begin as the scope does, or stand beside it."""
    from sdf_frames.frames.hints import NameHints
    names = ["arm", "n", "n2", "n2::arn2", "n::ark", "n::o", "n::o::tip", "n;zrk", "m::x", "a  b"]
    assert NameHints({name: i for i, name in enumerate(names)}).suggest(prefix, reference) == hint


@pytest.mark.parametrize("content", [
    '<joint name="plate_joint" type="fixed"><parent>l</parent><child>plate</child></joint>',
    '<joint name="plate_joint" type="fixed"><parent>plate</parent><child>l</child></joint>',
    '<frame name="plate_joint" attached_to="plate"/>',
    '<frame name="plate_joint"><pose relative_to="plate"/></frame>'])
def test_an_element_is_no_suggestion_for_its_own_reference(content):
    hints = [d.hint for d in load_text(f'<sdf version="1.11"><model name="m"><link name="l"/>{content}</model></sdf>')
             .diagnostics]
    assert hints == ["name a frame of this scope, or define one of that name"]
