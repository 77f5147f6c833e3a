"""The live page in headless Chromium; the tests skip where playwright or Chromium is not installed."""
import shutil

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("there is no Chromium", allow_module_level=True)

from sdf_frames.view.page import Page  # noqa: E402

ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="v"><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>1 0 0 1</diffuse></material></visual></link>
  <link name="tip"><visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>0 0 1 1</diffuse></material></visual></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>tip</child>
    <axis><xyz>0 1 0</xyz><limit><lower>-2</lower><upper>2</upper></limit></axis></joint>
</model></sdf>"""
_SOFTWARE = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="module")
def opened():
    page = Page(port=0)
    robot = page.add(lambda: sf.loads(ARM))
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=_SOFTWARE)
        tab = browser.new_page(viewport={"width": 900, "height": 600})
        problems = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(page.url)
        tab.get_by_text("hinge", exact=True).first.wait_for(timeout=60_000)
        tab.wait_for_timeout(4000)
        yield page, robot, tab, problems
        browser.close()
    page.close()


def find_pixels(tab, channel):
    """Rows and columns of the pixels in the robot's half of the page that are mostly of one colour."""
    import io
    image = pytest.importorskip("PIL.Image")
    pixels = np.asarray(image.open(io.BytesIO(tab.screenshot(timeout=120_000))).convert("RGB"))[:, :600].astype(int)
    others = pixels[:, :, [c for c in range(3) if c != channel]].max(axis=2)
    return np.nonzero(pixels[:, :, channel] > 1.3 * others + 20)


def test_page_loads_without_an_error(opened):
    _, _, tab, problems = opened
    assert problems == []
    assert tab.get_by_text("arm: valid, 0 errors").count() == 1
    assert len(find_pixels(tab, 0)[0]) > 100 and len(find_pixels(tab, 2)[0]) > 100


def test_click_names_the_link(opened):
    page, _, tab, _ = opened
    rows, columns = find_pixels(tab, 0)
    tab.mouse.click(float(np.median(columns)), float(np.median(rows)))
    tab.wait_for_timeout(2000)
    assert page.shown[0].panel.chosen.value == "base"
    assert tab.get_by_text("roll pitch yaw").count() == 1


def test_slider_moves_its_link(opened):
    page, robot, tab, _ = opened
    field = tab.locator("input[type=text]").filter(has_not_text="search").first
    field.fill("1.5")
    field.press("Enter")
    tab.wait_for_timeout(1000)
    positions = page.shown[0].panel.positions
    assert positions == {"hinge": pytest.approx(1.5)}
    X = robot.pose("tip", positions=positions)
    np.testing.assert_allclose(np.abs(page.shown[0].scenes[0].bodies["tip"].wxyz @ X.quat_wxyz), 1)


def test_layer_switches(opened):
    page, _, tab, _ = opened
    before = len(find_pixels(tab, 0)[0])
    # Drawn in software, the page is never still enough for a click with the mouse.
    box = tab.get_by_text("visuals", exact=True).first.get_attribute("for")
    tab.evaluate("id => document.getElementById(id).click()", box)
    tab.wait_for_timeout(2500)
    assert not page.shown[0].scenes[0].visible["visuals"]
    assert len(find_pixels(tab, 0)[0]) < .3 * before  # the axes of frames are still there
