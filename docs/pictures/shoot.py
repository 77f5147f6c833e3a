"""Take a picture of the page of `sdf_frames view` in headless Chromium (pip install playwright).

    python docs/pictures/shoot.py docs/pictures/page.png
"""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import sdf_frames as sf
from sdf_frames.view.page import Page

ROBOT = Path(__file__).resolve().parents[2] / "robots" / "mobile_manipulator" / "mobile_manipulator.urdf"
SOFTWARE = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

page = Page(port=0)
page.add(lambda: sf.load(ROBOT))
with sync_playwright() as started:
    browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=SOFTWARE)
    tab = browser.new_page(viewport={"width": 1100, "height": 750})
    tab.goto(page.url)
    tab.get_by_text("Layers").first.wait_for(timeout=120_000)
    tab.wait_for_timeout(12_000)  # drawn in software, pictures are slow
    tab.locator("button.mantine-Notification-closeButton").first.click(force=True)
    tab.wait_for_timeout(6_000)
    tab.screenshot(path=sys.argv[1], timeout=120_000)
    browser.close()
page.close()
