"""References that are written anew when what they mean has got another name, in a document and into included files."""
import pytest
from lxml import etree

from sdf_frames.document.budget import DEFAULT
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import choose_reading_rules, settle_names

# In it, the joint and the model called b yield to the link.
OLD = ('<sdf version="1.6"><model name="old"><link name="c"/><link name="b"/><joint name="b" type="fixed">'
       '<parent>c</parent><child>b</child></joint><model name="b"><link name="x"><visual name="v"/></link></model>'
       "</model></sdf>")
PARAMS = ('<experimental:params><joint element_id="{}" action="modify"/><link element_id="{}"/>'
          '<visual element_id="{}"/><link element_id="{}"/><model element_id="{}"/></experimental:params>')


@pytest.fixture
def settle(tmp_path):
    """The text of a model (or world) after its names were settled; `old.sdf` is beside it."""
    (tmp_path / "old.sdf").write_text(OLD)

    def settle(text, version="1.6"):
        content = f'<sdf version="{version}" xmlns:experimental="e">{text}</sdf>'
        root = read_xml(content, str(tmp_path / "main.sdf"))[0].root
        rules = choose_reading_rules(version)
        settle_names(root, rules, LookAhead(Resolver([str(tmp_path)]), DEFAULT))
        return etree.tostring(root[0], encoding="unicode").replace(' xmlns:experimental="e"', "")
    return settle


@pytest.mark.parametrize("name, merge", [("<name>p</name>", ""), ("", ""), ("", ' merge="true"')])
def test_params_and_placement_frames_follow_the_names_in_the_file(settle, name, merge):
    """Each element means its own kind; what is in a link has no name of its own there."""
    include = f"<include{merge}><uri>old.sdf</uri>{name}<placement_frame>{{}}</placement_frame>{PARAMS}</include>"
    old = include.format("b::x", "b", "b", "b::x::v", "b::x", "b")
    new = include.format("b_model::x", "b_joint", "b", "b_model::x::v", "b_model::x", "b_model")
    text = '<model name="m"><link name="l"/>{}</model>'
    assert settle(text.format(old), "1.12") == text.format(new)
    unknown = include.format("z", "z", "z::x", "z::v", "c", "")
    assert settle(text.format(unknown), "1.12") == text.format(unknown)


@pytest.mark.parametrize("include, prefix", [
    ("<include><uri>old.sdf</uri><name>p</name></include>", "p::"), ("<include><uri>old.sdf</uri></include>", "old::"),
    ('<include merge="true"><uri>old.sdf</uri></include>', "")])
def test_references_lead_into_included_files(settle, include, prefix):
    text = ('<model name="m"><link name="l"/>{0}<frame name="f" attached_to="{1}b{2}::x"/><joint name="j" type="fixed">'
            "<parent>{1}b{2}::x</parent><child>l</child></joint></model>")
    assert settle(text.format(include, prefix, ""), "1.12") == text.format(include, prefix, "_model")


def test_each_place_of_a_reference(settle):
    """Links come before models, models before joints, and joints before frames; some places mean one kind."""
    text = (
        '<model name="m" canonical_link="b" placement_frame="{f}"><pose relative_to="b"/><link name="b"/>'
        '<link name="c"><pose relative_to="b"/><sensor name="s"><pose frame="{m}::x"/></sensor></link>'
        '<joint name="{j}" type="fixed"><parent>{m}::x</parent><child> c </child><axis><xyz expressed_in="b"/>'
        '<mimic joint="{j}"/></axis></joint><joint name="k" type="gearbox"><parent>b</parent><child>c</child>'
        "<gearbox_reference_body>{m}::x</gearbox_reference_body></joint>"
        '<model name="{m}"><pose relative_to="{m}::x"/><link name="x"><pose relative_to="b"/></link></model>'
        '<frame name="{f}" attached_to="{m}::x"><pose relative_to="b"/></frame>'
        '<gripper name="g"><gripper_link>{m}::x</gripper_link><palm_link>b</palm_link></gripper>'
        '<plugin name="p"><joint_name>{j}</joint_name><link>b</link><topic>b</topic><other relative_to="{m}::x"/>'
        "</plugin></model>")
    assert settle(text.format(f="f", m="b", j="b")) == text.format(f="f", m="b_model", j="b_joint")


def test_in_a_world_models_keep_their_names_and_states_follow(settle):
    text = ('<world name="w"><model name="m"><pose relative_to="{f}"/><link name="a"/><joint name="{j}" type="fixed">'
            "<parent>world</parent><child>a</child></joint></model><frame name=\"{f}\" attached_to=\"m::a\"/>"
            '<joint name="k" type="fixed"><parent>m::a</parent><child>{f}</child></joint>'
            '<state world_name="w"><model name="m"><link name="a"/><joint name="{j}"/><joint_state name="{j}"/>'
            '<other name="a"/></model><model name="n"/></state></world>')
    assert settle(text.format(f="f", j="a")) == text.format(f="f", j="a_joint")


def test_a_frame_of_a_world_yields_to_a_model(settle):
    text = ('<world name="w"><model name="m"><link name="a"/></model><frame name="{0}"/>'
            '<frame name="g" attached_to="m"/><model name="n"><pose relative_to="m"/><link name="m"/></model></world>')
    assert settle(text.format("m")) == text.format("m_frame")


def test_an_include_that_gets_another_name_gets_a_name_as_its_first_child(settle):
    text = ('<model name="m"><link name="{0}"/><include>{1}<uri>old.sdf</uri></include>'
            '<frame name="f" attached_to="{2}::c"/></model>')
    assert settle(text.format("old", "", "old")) == text.format("old", "<name>old_model</name>", "old_model")
    assert settle(text.format("l", "", "old")) == text.format("l", "", "old")
