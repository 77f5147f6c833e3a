"""What of an element counts as its settings, and what is read from it in another way."""
import pytest

from sdf_frames.api.parts import read_settings
from sdf_frames.document.xml_in import read_xml

AXIS = ("<{0}><xyz>1 0 0</xyz><mimic joint='k'><multiplier>1</multiplier></mimic><limit><lower>1</lower>"
        "<upper>2</upper><effort>3</effort><velocity>4</velocity><stiffness>5</stiffness></limit><dynamics><damping>6</damping>"
        "</dynamics></{0}>")
PLAIN = ("empty", "box", "capsule", "cone", "cylinder", "ellipsoid", "plane", "sphere")
SHAPES = "".join(f"<{tag}/>" for tag in PLAIN) + (
    "<polyline><height>1</height></polyline><heightmap><uri>u</uri><size>1 1 1</size><pos>1 1 1</pos>"
    "<sampling>7</sampling></heightmap><image><uri>u</uri><scale>1</scale><height>1</height><threshold>8</threshold>"
    "</image><mesh optimization='x'><uri>u</uri><scale>1 1 1</scale><submesh><name>s</name></submesh></mesh>")
MODEL = ("<model name='x'/><link name='x'/><joint name='x'/><frame name='x'/><include/><pose>1 0 0 0 0 0</pose>"
         "<model_state name='x'/>")
# Each with everything that is read in another way, and one thing that is not.
ELEMENTS = [
    (f"<world name='n'>{MODEL}<state world_name='w'/><gravity>0 0 -9</gravity></world>", {"gravity": "0 0 -9"}),
    (f"<model name='n' placement_frame='f' canonical_link='l'>{MODEL}<static>1</static></model>", {"static": "true"}),
    ("<link name='n'><pose>1 0 0 0 0 0</pose><visual name='v'><cast_shadows>0</cast_shadows></visual>"
     "<collision name='c'><laser_retro>1</laser_retro></collision><inertial auto='1'><mass>1</mass><pose>1</pose>"
     "<inertia><ixx>1</ixx></inertia><density>1</density><auto_inertia_params><x:a>1</x:a></auto_inertia_params>"
     "<fluid_added_mass><xx>2</xx></fluid_added_mass></inertial><kinematic> TRUE </kinematic></link>",
     {"inertial/fluid_added_mass/xx": "2", "kinematic": "true"}),
    (f"<joint name='n' type='fixed'><parent>a</parent><child>b</child><pose>1</pose>{AXIS.format('axis')}"
     f"{AXIS.format('axis2')}<screw_thread_pitch>9</screw_thread_pitch></joint>",
     {"axis/limit/stiffness": "5", "axis/dynamics/damping": "6", "axis2/limit/stiffness": "5",
      "axis2/dynamics/damping": "6", "screw_thread_pitch": "9"}),
    (f"<visual name='n'><pose>1</pose><geometry>{SHAPES}</geometry><transparency>0.5</transparency></visual>",
     {"geometry/heightmap/sampling": "7", "geometry/image/threshold": "8", "transparency": "0.5"}),
    (f"<collision name='n'><pose>1</pose><density>1</density><auto_inertia_params><x:a>1</x:a></auto_inertia_params>"
     f"<geometry>{SHAPES}</geometry><max_contacts>3</max_contacts></collision>",
     {"geometry/heightmap/sampling": "7", "geometry/image/threshold": "8", "max_contacts": "3"}),
    ("<sensor name='n' type='imu'><pose>1</pose><topic> a  b </topic><always_on/></sensor>",
     {"@type": "imu", "topic": "a b", "always_on": "false"})]
AROUND = {"world": "{}", "model": "{}", "link": "<model name='m'>{}</model>", "joint": "<model name='m'>{}</model>"}


@pytest.mark.parametrize("text, settings", ELEMENTS, ids=[text[1:text.index(" ")] for text, _ in ELEMENTS])
def test_settings_are_what_is_not_read_in_another_way(text, settings):
    tag = text[1:text.index(" ")]
    around = AROUND.get(tag, "<model name='m'><link name='l'>{}</link></model>")
    root = read_xml(f'<sdf version="1.12" xmlns:x="u">{around.format(text)}</sdf>')[0].root
    element = next(root.iter(tag))
    found = read_settings(element)
    assert found.texts == settings and found.parts == []


def test_parts_within_have_settings_of_their_own():
    parts = ("sensor", "light", "projector", "audio_source", "particle_emitter", "battery")
    link = "<link name='l'>" + "".join(f"<{tag} name='x'><pose>1</pose></{tag}>" for tag in parts) + "</link>"
    root = read_xml(f"<sdf version='1.12'><world name='w'><model name='m'>{link}<gripper name='x'/></model>"
                    "<actor name='x'/><physics type='ode'/><road name='x'/><population name='x'/>"
                    "<plugin name='x' filename='f'/></world></sdf>")[0].root
    assert [part.tag for part in read_settings(next(root.iter("link"))).parts] == list(parts)
    assert [part.tag for part in read_settings(next(root.iter("model"))).parts] == ["gripper"]
    assert [part.tag for part in read_settings(root[0]).parts] == ["actor", "physics", "road", "population", "plugin"]


def test_what_repeats_is_numbered_or_ignored():
    root = read_xml("<sdf version='1.12' xmlns:x='u'><model name='m'><link name='l' x:a='1' b='2'>"
                    "<kinematic>1</kinematic><kinematic>0</kinematic><!-- c -->"
                    "<x:y><z>1</z><z>2</z></x:y><unknown>3</unknown></link></model></sdf>", keep_comments=True)[0].root
    found = read_settings(root[0][0])
    assert found.texts == {"kinematic": "true", "{u}y/z": "1", "{u}y/z[2]": "2"}
    assert found.defaults == {"kinematic": "false"}


def test_a_text_that_is_empty_is_its_default():
    root = read_xml("<sdf version='1.12'><model name='m'><link name='l'><gravity/><visual name='v'><cast_shadows/>"
                    "<transparency>x</transparency><material><ambient/></material></visual></link></model></sdf>")[0].root
    assert read_settings(root[0][0]).texts == {"gravity": "true"}
    found = read_settings(root[0][0][1])
    assert found.texts == {"cast_shadows": "true", "transparency": "x", "material/ambient": "0 0 0 1"}
    assert found.defaults == {"cast_shadows": "true", "transparency": "0.0", "material/ambient": "0 0 0 1"}
