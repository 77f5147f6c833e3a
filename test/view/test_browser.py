"""The page in headless Chromium; the tests skip where playwright or Chromium is not installed.

They wait for states, not for seconds: what viser's client holds of the scene (`window.__viserSceneTree`), text, pixels.
"""
import io
import shutil
import zipfile
from colorsys import rgb_to_hsv
from types import SimpleNamespace
from xml.sax.saxutils import escape

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("playwright", reason="pip install playwright")
image = pytest.importorskip("PIL.Image")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("there is no Chromium", allow_module_level=True)

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.page import Page, write_html  # noqa: E402

ARM = """<sdf version="1.11"><model name="arm">
  <link name="base"><visual name="v"><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>1 0 0 1</diffuse></material></visual></link>
  <link name="tip"><visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>0 0 1 1</diffuse></material></visual>
    <sensor name="eye" type="camera"><camera name="c"/></sensor></link>
  <link name="hand"><pose>0 0 1.5 0 0 0</pose></link><link name="tool"><pose>0 .3 1.5 0 0 0</pose></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>tip</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-2</lower><upper>2</upper></limit></axis></joint>
  <joint name="slide" type="prismatic"><parent>tip</parent><child>hand</child>
    <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
  <joint name="follow" type="revolute"><parent>hand</parent><child>tool</child>
    <axis><xyz>0 0 1</xyz><mimic joint="hinge"><multiplier>-.5</multiplier><offset>.1</offset></mimic></axis></joint>
</model></sdf>"""
_SOFTWARE = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
#: Milliseconds, for machines that do much else.
_PATIENCE = 180_000
#: The batched poses that the client holds of the node NAME, rounded: [positions, quaternions].
_POSES = """name => { const node = (window.__viserSceneTree ? window.__viserSceneTree.getState() : {})[name];
  const props = node && node.message && node.message.props;
  return props ? [[...props.batched_positions], [...props.batched_wxyzs]] : null; }"""

@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=_SOFTWARE)
        yield browser
        browser.close()


@pytest.fixture
def page():
    """A live page that takes uploads."""
    page = Page(port=0, upload=True)
    yield page
    page.close()


@pytest.fixture
def open_tab(browser):
    """Function that opens an address in a tab; none of the tabs may have met an error in the end."""
    opened = []

    def open_tab(url, height=600):
        opened.append(make_tab(browser, url, height))
        return opened[-1]
    yield open_tab
    for tab in opened:
        assert tab.problems == []
        tab.close()


def make_tab(browser, url, height=600):
    tab = browser.new_page(viewport={"width": 900, "height": height})
    tab.set_default_timeout(_PATIENCE)
    tab.problems = []
    tab.on("pageerror", lambda error: tab.problems.append(str(error)))
    tab.goto(url)
    return tab


def find_pixels(tab, channel):
    """Rows and columns of the pixels in the robot's half of the page that are mostly of one colour."""
    pixels = np.asarray(image.open(io.BytesIO(tab.screenshot(timeout=_PATIENCE))).convert("RGB"))[:, :600].astype(int)
    others = pixels[:, :, [c for c in range(3) if c != channel]].max(axis=2)
    return np.nonzero(pixels[:, :, channel] > 1.3 * others + 20)


def wait_until(tab, is_so):
    """Look again and again until something is so."""
    for _ in range(_PATIENCE // 200):
        if is_so():
            return
        tab.wait_for_timeout(200)
    raise AssertionError("it does not come to be")


def find_poses(tab, root="/1"):
    """Pose (position, quaternion) of every frame as the browser has it."""
    found = tab.evaluate(_POSES, f"{root}/frames/0")
    return None if found is None else np.hstack([np.reshape(found[0], (-1, 3)), np.reshape(found[1], (-1, 4))])


def expect_poses(tab, robot, positions, root="/1"):
    """Wait until all frames in the browser have the poses that the library computes."""
    expected = np.array([[*X.xyz, *X.quat_wxyz] for X in (robot.pose(name, positions=positions)
                                                         for name in robot.frames)])

    def is_there():
        found = find_poses(tab, root)
        if found is None:
            return False
        signs = np.sign(np.einsum("ni,ni->n", found[:, 3:], expected[:, 3:]))[:, None]
        found[:, 3:] *= signs
        return np.allclose(found, expected, atol=1e-5)
    wait_until(tab, is_there)


ORANGE = """<sdf version="1.11"><model name="m"><link name="l"><visual name="v"><geometry><box><size>1 1 1</size></box>
  </geometry><material><diffuse>.9 .45 .1 1</diffuse></material></visual></link></model></sdf>"""


def find_mean_colour(png):
    """Hue (degrees), saturation and value of the mean of the coloured pixels."""
    pixels = np.asarray(image.open(io.BytesIO(png)).convert("RGB"))[:, :600].reshape(-1, 3) / 255
    coloured = pixels[np.ptp(pixels, axis=1) > .2]
    hue, saturation, value = rgb_to_hsv(*coloured.mean(axis=0))
    return 360 * hue, saturation, value


def test_colours_are_those_of_the_file_on_the_page_as_in_the_picture(page, open_tab):
    pytest.importorskip("pyvista")
    from sdf_frames.view.painter import draw_picture
    picture = find_mean_colour(draw_picture(build_scenes(sf.loads(ORANGE)), layers=("visuals",)))
    page.add(lambda: sf.loads(ORANGE))
    tab = open_tab(page.url)
    wait_until(tab, lambda: len(find_pixels(tab, 0)[0]) > 1000)
    for hue, saturation, _ in (picture, find_mean_colour(tab.screenshot(timeout=_PATIENCE))):
        # Of the colour itself: 26.25 degrees and 0.889. Light changes both a little; linear light taken for sRGB
        # gives 38 degrees and 0.62.
        assert hue == pytest.approx(26.25, abs=5) and saturation == pytest.approx(.889, abs=.1)


@pytest.fixture(scope="module")
def opened(browser):
    page = Page(port=0)
    robot = page.add(lambda: sf.loads(ARM))
    tab = make_tab(browser, page.url)
    tab.get_by_text("hinge (0°)", exact=True).first.wait_for()
    wait_until(tab, lambda: len(find_pixels(tab, 0)[0]) > 100 and len(find_pixels(tab, 2)[0]) > 100)
    yield page, robot, tab
    tab.close()
    page.close()


def test_page_loads_without_an_error(opened):
    _, robot, tab = opened
    assert tab.problems == []
    assert tab.get_by_text("arm: valid, 0 errors and 0 warnings").count() == 1
    expect_poses(tab, robot, {})  # the tool is at the offset of its mimic joint


def test_frames_and_the_tree_are_seen_in_front_of_the_bodies_they_lie_in(page, open_tab, tmp_path):
    """Axes of 0.06 m, red, green and blue, in a black box of 1 m."""
    robot = sf.loads("""<sdf version="1.11"><model name="m"><link name="l"><visual name="v"><geometry><box><size>1 1 1
      </size></box></geometry><material><diffuse>0 0 0 1</diffuse></material></visual></link></model></sdf>""")
    path = tmp_path / "box.html"
    path.write_text(write_html(build_scenes(robot)), encoding="utf-8")
    page.add(lambda: robot)
    for url in (page.url, path.as_uri()):
        tab = open_tab(url)
        wait_until(tab, lambda: all(len(find_pixels(tab, channel)[0]) > 20 for channel in range(2)))


_CANVAS = "() => document.querySelector('canvas')?.getBoundingClientRect().right"


def test_the_first_view_fills_the_part_of_the_page_beside_the_controls(page, open_tab, tmp_path):
    """A row of three cubes, as wide as the page, from end to end."""
    cubes = "".join(f"""<link name="l{y}"><visual name="v"><pose>0 {3 * y} 0 0 0 0</pose>
      <geometry><box><size>1 1 1</size></box></geometry>
      <material><diffuse>1 0 0 1</diffuse></material></visual></link>""" for y in range(-1, 2))
    robot = sf.loads(f'<sdf version="1.11"><model name="row">{cubes}</model></sdf>')
    path = tmp_path / "row.html"
    path.write_text(write_html(build_scenes(robot), ["visuals"]), encoding="utf-8")
    page.add(lambda: robot)
    for url, width in ((page.url, 576), (path.as_uri(), 630)):  # the controls are 324 and 270 pixels wide
        tab = open_tab(url)
        wait_until(tab, lambda: tab.evaluate(_CANVAS) == width)
        wait_until(tab, lambda: np.ptp(find_pixels(tab, 0)[1]) > .65 * width)
        columns = find_pixels(tab, 0)[1]
        assert (columns.min() + columns.max()) / 2 == pytest.approx(width / 2, abs=.05 * width)
        assert columns.min() > 5 and columns.max() < width - 5


def press(tab, label):
    tab.get_by_role("button", name=label, exact=True).first.evaluate("button => button.click()")


def count_yellow(tab):
    red, green, blue = np.moveaxis(shoot(tab), 2, 0)
    return ((red > 180) & (green > 130) & (blue < 110) & (red > green)).sum()


def test_a_link_that_is_clicked_is_marked_and_gone_to(page, open_tab):
    page.add(lambda: sf.loads(ARM))
    tab = open_tab(page.url)
    wait_until(tab, lambda: len(find_pixels(tab, 0)[0]) > 100)
    others = count_yellow(tab)
    rows, columns = find_pixels(tab, 2)
    tab.mouse.click(float(np.median(columns)), float(np.median(rows)))
    wait_until(tab, lambda: count_yellow(tab) > others + 100)
    assert page.shown[0].panel.chosen.value == "\N{THREE-PER-EM SPACE}tip"
    tab.get_by_text("roll pitch yaw").wait_for()
    before = len(find_pixels(tab, 2)[0])
    press(tab, "go to")
    wait_until(tab, lambda: len(find_pixels(tab, 2)[0]) > 2 * before)


def shoot(tab):
    """The robot's half of the page, below what viser says of software."""
    return np.asarray(image.open(io.BytesIO(tab.screenshot(timeout=_PATIENCE))).convert("RGB"))[150:, :560].astype(int)


_NAMES = """() => Object.values(window.__viserSceneTree.getState()).filter(node =>
  node.message.type === "LabelMessage" && node.effectiveVisibility).map(node => node.message.props.text).sort()"""
#: Go to 0.3 m from a point of the node NAME.
_GO = """([name, ...point]) => { const viewer = window.__viserMutable;
  const {x, y, z} = viewer.nodeRefFromName[name].localToWorld(viewer.camera.position.clone().set(...point));
  viewer.cameraControl.setLookAt(x + .3, y, z, x, y, z, false); viewer.requestRender?.(); }"""


def test_names_have_room_for_each_person_from_where_he_looks(page, open_tab, tmp_path):
    """Five names at one place have four corners; of 2 m that fill 600 pixels, 3 cm are less than a line."""
    links = "".join(f'<link name="{name}"><pose>0 0 {z} 0 0 0</pose></link>' for name, z in (
        *[(f"low{i}", 0) for i in range(5)], ("one", 1.97), ("two", 2)))
    robot = sf.loads(f'<sdf version="1.11"><model name="m">{links}</model></sdf>')
    path = tmp_path / "names.html"
    path.write_text(write_html(build_scenes(robot), ["names"]), encoding="utf-8")
    page.add(lambda: robot)
    page.shown[0].scenes[0].show("names", True)
    file, live, other = (open_tab(url) for url in (path.as_uri(), page.url, page.url))

    def find_high(tab):
        return [name for name in tab.evaluate(_NAMES) if not name.startswith("low")]
    for tab in (file, live, other):
        tab.get_by_text("2 more names: come nearer").wait_for()
        assert len(tab.evaluate(_NAMES)) == 5
    (near,) = find_high(live)
    (far,) = {"one", "two"} - {near}
    page.shown[0].panel.select(far)  # what is chosen goes before what is nearer
    wait_until(tab, lambda: find_high(live) == find_high(other) == [far])
    assert live.get_by_text("2 more names: come nearer").count() == 1
    page.shown[0].panel.search.value = "o"  # finds both, but what is chosen goes before what is found
    for name in (near, far):
        page.shown[0].panel.select(name)
        wait_until(tab, lambda name=name: find_high(live) == find_high(other) == [name])
    page.shown[0].panel.search.value = ""
    for tab, root in ((file, "/0"), (live, "/1")):
        tab.evaluate(_GO, [f"{root}/names", 0, 0, 2])
        tab.get_by_text("come nearer").wait_for(state="hidden")
        assert {*find_high(tab)} == {"one", "two"}
    assert find_high(other) == [far]
    page.shown[0].scenes[0].show("names", False)  # what is hidden stays hidden, and is not counted
    file.locator("input[name=names]").evaluate("box => box.click()")
    other.get_by_text("come nearer").wait_for(state="hidden")
    wait_until(file, lambda: file.evaluate(_NAMES) == [])
    assert other.evaluate(_NAMES) == [far]  # of the mark


def test_slider_moves_its_link(opened):
    page, robot, tab = opened
    field = tab.locator("input[type=text]").filter(has_not_text="search").first
    field.fill("1.5")
    field.press("Enter")
    wait_until(tab, lambda: page.shown[0].panel.positions == {"hinge": pytest.approx(1.5)})
    assert tab.evaluate("""() => [...document.querySelectorAll(".mantine-NumberInput-input")].every(input => {
      const was = input.value;
      input.value = "-0.7853982";
      const fits = input.scrollWidth <= input.clientWidth;
      input.value = was;
      return fits; })""")
    expect_poses(tab, robot, {"hinge": 1.5})


def test_a_file_moves_its_joints_and_switches_its_layers_without_a_server(open_tab, tmp_path):
    robot = sf.loads(ARM)
    path = tmp_path / "arm.html"
    path.write_text(write_html(build_scenes(robot), positions={"slide": .25}), encoding="utf-8")
    tab = open_tab(path.as_uri())
    expect_poses(tab, robot, {"slide": .25}, "/0")
    drag = "([name, q]) => { const i = document.querySelector(`input[name=${name}]`); i.value = q; i.oninput(); }"
    tab.evaluate(drag, ["hinge", 1])
    expect_poses(tab, robot, {"slide": .25, "hinge": 1}, "/0")
    tab.evaluate(drag, ["slide", -.5])
    expect_poses(tab, robot, {"slide": -.5, "hinge": 1}, "/0")
    wait_until(tab, lambda: len(find_pixels(tab, 0)[0]) > 100)
    before = len(find_pixels(tab, 0)[0])
    tab.locator("input[name=visuals]").evaluate("box => box.click()")
    wait_until(tab, lambda: len(find_pixels(tab, 0)[0]) < .3 * before)
    assert tab.locator("input[type=range]").count() == 2


#: Each would run, frame or load something if the page took it for Markdown, MDX or HTML.
ATTACKS = ["<script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>",
           "<iframe srcdoc='<script>top.hacked = 1</script>'></iframe>", "![a](http://localhost:1/x.png)",
           "{window.hacked = 1}", "export const x = (window.hacked = 1)",
           "import 'data:text/javascript,window.hacked=1'", "`</code>` <svg onload=window.hacked=1>",
           "[a](javascript:window.hacked=1)", "| a |\n| --- |\n| <object data=x> |"]
_FOREIGN = """() => [[...document.querySelectorAll(
    "script, iframe, frame, object, embed, img, a[href^=javascript], svg[onload], link, base, meta[http-equiv]")]
  .map(e => e.outerHTML.slice(0, 80)).sort(), window.hacked ?? null]"""


def make_hostile():
    """A model that has each attack as the name or value of everything that the page shows."""
    names = [escape(attack, {'"': "&quot;", "\n": "&#10;"}) for attack in ATTACKS]
    return f'<sdf version="1.11"><model name="{names[5]}">' + "".join(
        f"""<link name="{name}"><visual name="{name}"><geometry><mesh><uri>{name}</uri></mesh></geometry></visual>
  </link><frame name="f{name}" attached_to="no{name}"/><joint name="j{name}" type="revolute"><parent>world</parent>
  <child>{name}</child><axis><xyz>0 0 1</xyz></axis></joint>""" for name in names) + "</model></sdf>"


def pack(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def upload(tab, name, content):
    tab.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def test_no_text_of_a_file_becomes_more_than_text(page, open_tab):
    """Names, values and messages of a file on the page, and names of uploads that are read, refused, not converted."""
    tab = open_tab(page.url, height=60)  # little to draw
    tab.on("dialog", lambda dialog: tab.problems.append(dialog.message) or dialog.dismiss())
    tab.locator("input[type=file]").first.wait_for(state="attached")
    before, nothing = tab.evaluate(_FOREIGN)

    def expect(text):
        wait_until(tab, lambda: text in tab.evaluate("() => document.body.textContent"))
    page.add(lambda: sf.loads(make_hostile(), file=f"/x/{ATTACKS[1]}.sdf"))
    page.shown[0].scenes[0].show("names", True)
    exchange, panel = page._exchange, page.shown[0].panel
    press(tab, "URDF")
    expect("not converted")
    for number, attack in enumerate(ATTACKS):
        panel.select(attack)
        for name, content, said in ((f"{attack}{number}a.zip", b"", f"{number}a.zip is not a zip archive"),
                                    ("a.zip", pack(**{f"../{attack}{number}b": ""}), f"{number}b is outside of"),
                                    (f"{attack}{number}c".replace("/", " "), b"<sdf", f"{number}c")):
            uploaded = SimpleNamespace(name=name, content=content)
            exchange._receive(SimpleNamespace(target=SimpleNamespace(value=uploaded)))
            expect(said)
    panel.warn(panel.findings)
    expect("The page shows how it was before.")
    assert nothing is None and tab.evaluate(_FOREIGN) == [before, None]


def test_the_page_says_in_a_sentence_why_it_refuses_an_upload_and_lives_on(page, open_tab):
    tab = open_tab(page.url, height=60)  # little to draw
    tab.locator("input[type=file]").first.wait_for(state="attached")
    upload(tab, "a.zip", b"x")
    tab.get_by_text("not read: a.zip is not a zip archive").wait_for()
    upload(tab, "arm.sdf", ARM.encode())
    tab.get_by_text("arm: valid, 0 errors and 0 warnings").wait_for()
