"""Attributes and texts with a list of words: each word of the specification is taken, others are findings."""
import pytest
from readings import judge as judge_marked

from sdf_frames.load import load_text

LINK = '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>'


def judge(inside):
    return [d.name for d in load_text(LINK.format(inside)).diagnostics if d.severity != "info"]


@pytest.mark.parametrize("tag, kinds", [
    ("particle_emitter", ("point", "box", "cylinder", "ellipsoid")), ("light", ("point", "spot", "directional"))])
def test_kinds_of_particle_emitters_and_lights(tag, kinds):
    assert [judge(f'<{tag} name="e" type="{kind}"/>') for kind in kinds] == [[]] * len(kinds)


# The kinds of the specification's sensor page, and the element of a noise in each that has one.
SENSORS = {
    "air_pressure": "air_pressure", "air_speed": "air_speed", "altimeter": "altimeter", "camera": "camera",
    "contact": "",
    "boundingbox_camera": "camera", "boundingbox": "camera", "custom": "", "depth_camera": "camera", "depth": "camera",
    "force_torque": "force_torque", "gps": "gps", "gpu_lidar": "lidar", "gpu_ray": "ray", "imu": "imu",
    "lidar": "lidar", "logical_camera": "", "magnetometer": "magnetometer", "multicamera": "", "navsat": "navsat",
    "ray": "ray", "rfid": "", "rfidtag": "", "rgbd_camera": "camera", "rgbd": "camera", "segmentation_camera": "camera",
    "segmentation": "camera", "sonar": "", "thermal_camera": "camera", "thermal": "camera", "wideanglecamera": "camera",
    "wide_angle_camera": "camera", "wireless_receiver": "", "wireless_transmitter": ""}
NOISES = {
    "air_pressure": "<pressure>{}</pressure>", "air_speed": "<pressure>{}</pressure>", "camera": "{}", "lidar": "{}",
    "ray": "{}", "altimeter": "<vertical_position>{}</vertical_position>",
    "imu": "<angular_velocity><x>{}</x></angular_velocity>",
    "force_torque": "<force><x>{}</x></force>", "magnetometer": "<x>{}</x>",
    "gps": "<position_sensing><horizontal>{}</horizontal></position_sensing>",
    "navsat": "<position_sensing><horizontal>{}</horizontal></position_sensing>"}


@pytest.mark.parametrize("kind, part", SENSORS.items())
def test_kinds_of_sensors_and_their_noises(kind, part):
    sensor = f'<sensor name="s" type="{kind}">' + "{}</sensor>"
    assert judge(sensor.format("")) == []
    if part:
        inside = f"<{part}>{NOISES[part]}</{part}>"
        # The noise of cameras and lidars has its type in an element; the attribute is judged all the same.
        own = ["attribute-unknown"] if part in ("camera", "lidar", "ray") else []
        for noise in ("none", "gaussian", "gaussian_quantized", "Gaussian"):
            assert judge(sensor.format(inside.format(f'<noise type="{noise}"/>'))) == own
        assert set(judge(sensor.format(inside.format('<noise type="pink"/>')))) == {"noise-type-invalid", *own}


def test_another_kind_of_sensor():
    text = LINK.format('<sensor name="s" type="smell"/>')
    (found,) = load_text(text).diagnostics
    assert (found.name, found.hint) == (
        "attribute-invalid", 'write type="custom" gz:type="smell" for a sensor of a plugin')
    mended = text.replace('type="smell"', 'type="custom" gz:type="smell"').replace(
        "<sdf ", '<sdf xmlns:gz="http://gazebosim.org/schema" ')
    assert load_text(mended).diagnostics == ()


@pytest.mark.parametrize("kind, inside, names", [
    ("gpu_lidar", "<lidar><range><min>0.1</min><max>10</max></range></lidar>", []),
    ("gpu_lidar", "<lidar><range><min>10</min><max>10</max></range></lidar>", ["sensor-range-empty"]),
    ("ray", "<ray><range><min>10</min><max>1</max></range></ray>", ["sensor-range-empty"]),
    ("gpu_lidar", "<lidar><range><min>10</min></range></lidar>", []),
    ("gpu_lidar", "<lidar><scan><horizontal><samples>0</samples></horizontal></scan></lidar>",
     ["sensor-count-not-positive"]),
    ("gpu_lidar", "<lidar><scan><vertical><samples>1</samples></vertical></scan></lidar>", []),
    ("camera", "<camera><clip><near>0.1</near><far>0.2</far></clip></camera>", []),
    ("camera", "<camera><clip><near>5</near><far>1</far></clip></camera>", ["sensor-range-empty"]),
    ("depth_camera", "<camera><depth_camera><clip><near>5</near><far>1</far></clip></depth_camera></camera>",
     ["sensor-range-empty"]),
    ("camera", "<camera><image><width>0</width><height>-1</height></image></camera>",
     ["sensor-count-not-positive"] * 2),
    ("logical_camera", "<logical_camera><near>5</near><far>1</far></logical_camera>", ["sensor-range-empty"])])
def test_sensors_that_measure_nothing(kind, inside, names):
    assert judge(f'<sensor name="s" type="{kind}">{inside}</sensor>') == names


@pytest.mark.parametrize("models, include, more", [
    ("a", "", ""), ("b", "", "; the world has no model 'b'"), ("ab", "<include><uri>x</uri></include>", ""),
    ("abc", "<include><uri>x</uri><name>c</name></include>", "; the world has no model 'b'"),
    ("bcdefgh", "", "; the world has no model 'b', 'c', 'd', 'e', 'f', …")])
def test_the_state_of_a_world_is_not_read(models, include, more):
    state = "".join(f'<model name="{name}"/>' for name in models)
    found = load_text(f'<sdf version="1.9"><world name="w"><model name="a"><link name="l"/></model>{include}\n'
                      f'<state world_name="w">{state}</state></world></sdf>').diagnostics
    assert [(d.severity, d.line, d.message.partition(" puts them")[2]) for d in found if d.name == "state-unread"] == [
        ("info", 2, more)]


# Those of the specification's camera page, then what libsdformat's reader of a camera takes besides.
@pytest.mark.parametrize("word", [
    "L8", "L16", "R_FLOAT16", "R_FLOAT32", "R8G8B8", "B8G8R8", "BAYER_RGGB8", "BAYER_BGGR8", "BAYER_GBRG8",
    "BAYER_GRBG8",
    "UNKNOWN_PIXEL_FORMAT", "L_INT8", "L_INT16", "RGB_INT8", "RGBA_INT8", "BGRA_INT8", "RGB_INT16", "RGB_INT32",
    "BGR_INT8", "BGR_INT16", "BGR_INT32", "RGB_FLOAT16", "RGB_FLOAT32", "UNKNOWN", "R8G8B8A8",
    "B8G8R8A8", "BAYER_RGGR8", "L_UINT16"])
def test_formats_of_a_cameras_image(word):
    camera = '<sensor name="s" type="camera"><camera><image><format>{}</format></image></camera></sensor>'
    assert judge(camera.format(word)) == []
    assert judge(camera.format(f"{word}?")) == ["enumeration-invalid"]


@pytest.mark.parametrize("tag, words", [
    ("frame", ("child", "parent", "sensor")), ("measure_direction", ("child_to_parent", "parent_to_child"))])
def test_words_of_a_force_torque_sensor(tag, words):
    sensor = '<sensor name="s" type="force_torque"><force_torque><{0}>{1}</{0}></force_torque></sensor>'
    assert [judge(sensor.format(tag, word)) for word in words] == [[]] * len(words)
    assert judge(sensor.format(tag, "up")) == ["enumeration-invalid"]


@pytest.mark.parametrize("kind, needs_map", [
    ("pixel", False), ("vertex", False), ("normal_map_object_space", True), ("normal_map_objectspace", True),
    ("normal_map_tangent_space", True), ("normal_map_tangentspace", True)])
def test_kinds_of_shaders(kind, needs_map):
    visual = ('<visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry><material>'
              '<shader type="{}">{}</shader></material></visual>')
    assert judge(visual.format(kind, "<normal_map>a.png</normal_map>")) == []
    assert judge(visual.format(kind, "")) == (["element-missing"] if needs_map else [])
    assert judge(visual.format("toon", "")) == ["enumeration-invalid"]


@pytest.mark.parametrize("script, names", [
    ("<uri>u</uri><name>n</name>", []), ("<uri>u</uri>", ["material-script-without-name"]),
    # Its hint says to write both.
    ("", ["material-script-without-uri"]), ("Gazebo/Wood", ["material-script-without-uri"]),
    ("<uri>u</uri><name>n</name>text", ["element-text-unknown"]),
    # An empty name is reported once.
    ("<uri/><name/>", ["element-empty", "material-script-without-uri"]),
    ("<uri>__default__</uri><name> </name>", ["element-empty", "material-script-without-uri"])])
def test_a_material_script_needs_uri_and_name(script, names):
    assert judge(SHAPE.format(f"<script>{script}</script>")) == names


@pytest.mark.parametrize("inside", ['<atmosphere type="adiabatic"/>', *[
    f"<spherical_coordinates><{tag}>{word}</{tag}></spherical_coordinates>" for tag, word in (
        ("surface_model", "EARTH_WGS84"), ("surface_model", "MOON_SCS"), ("surface_model", "CUSTOM_SURFACE"),
        ("world_frame_orientation", "ENU"))]])
def test_words_of_a_world(inside):
    found = load_text(f'<sdf version="1.12"><world name="w">{inside}</world></sdf>').diagnostics
    assert [d.name for d in found if d.severity == "error" or d.name == "enumeration-invalid"] == []


@pytest.mark.parametrize("kind", SENSORS)
def test_a_noise_of_another_sensors_part_is_not_looked_at(kind):
    """libsdformat reads the part of the sensor's own kind alone."""
    other = "imu" if SENSORS[kind] != "imu" else "magnetometer"
    inside = f"<{other}>{NOISES[other]}</{other}>".format('<noise type="pink"/>')
    assert judge(f'<sensor name="s" type="{kind}">{inside}</sensor>') == []


def noise(kind, inside):
    return f'<sensor name="s" type="{kind}">{inside}</sensor>'


SHAPE = '<visual name="v"><geometry><empty/></geometry><material>{}</material></visual>'
@pytest.mark.parametrize("parent", [
    '<world name="w">{}</world>', "{}", '<model name="m"><link name="l">{}</link></model>'])
def test_lights_are_judged_wherever_they_may_stand(parent):
    light = parent.format('<light name="x" type="^laser"/>')
    found, marks = judge_marked(f'<sdf version="1.12">{light}</sdf>')
    assert [(name, place) for name, _, place in found] == [("attribute-invalid", *marks)]


@pytest.mark.parametrize("text, names", [
    ('<sdf version="1.12"><world name="w"><state world_name="w"><insertions><light name="x" type="laser"/></insertions>'
     "</state></world></sdf>", []),
    (LINK.format('<visual name="v"><geometry><image><uri>a.png</uri><format>RGB</format></image></geometry></visual>'),
     ["element-unknown"])])
def test_lights_of_a_state_and_images_of_a_shape_have_no_list_of_words(text, names):
    assert [d.name for d in load_text(text).diagnostics if d.severity != "info"] == names
