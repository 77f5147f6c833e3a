"""Every robot at hand, converted: libsdformat takes the result, and no link or joint is missing without a word."""
import os
import shutil
import subprocess

import numpy as np
import pytest
from lxml import etree
from sources import NEWEST, STEP, STRIDE, some, urdf_files
from written_text import convert_text

from sdf_frames.convert.urdf_to_sdf import ConvertOptions
from sdf_frames.diagnostics import has_errors

FILES = some(urdf_files())
IGN = shutil.which("ign") or shutil.which("gz")

if not FILES:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)
each_robot = pytest.mark.parametrize("name", FILES)
lumped_or_not = pytest.mark.parametrize("preserve", [False, True], ids=["lumped", "preserved"])


def convert(name, preserve=False, massless="frame"):
    text = FILES[name].read_bytes()
    sdf, conversion, found = convert_text(text, name, ConvertOptions(preserve, massless))
    if sdf is None:
        assert has_errors(found), "nothing came out, and nothing says why"
        pytest.skip("not convertible: " + next(d.message for d in found if d.severity == "error"))
    return read(sdf.encode()), sdf, conversion


def read(content):
    """A tree as forgivingly read as libsdformat does: some robots have a malformed declaration."""
    return etree.fromstring(content, etree.XMLParser(recover=True, remove_comments=True))


def find_unphysical(root) -> str | None:
    """The first link whose declared inertia no body has (libsdformat 12's rule: positive, triangle inequality)."""
    for link in root.iter("link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        mass = float(inertial.findtext("mass", "1"))
        m = {tag: float(inertial.findtext(f"inertia/{tag}", "1" if tag[1] == tag[2] else "0"))
             for tag in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
        a, b, c = np.linalg.eigvalsh([[m["ixx"], m["ixy"], m["ixz"]], [m["ixy"], m["iyy"], m["iyz"]],
                                      [m["ixz"], m["iyz"], m["izz"]]])
        if not (mass > 0 and a > 0 and a + b >= c * (1 - 1e-6)):
            return f"link {link.get('name')}: mass {mass:g}, principal moments {a:g} {b:g} {c:g}"
    return None


def is_new(root) -> bool:
    """Whether Debian's libsdformat 12 cannot read the version of an SDF."""
    return tuple(map(int, root.get("version").split("."))) > NEWEST


def without_mimics(root) -> str:
    """The text as SDF 1.9: ``<mimic>`` is what later versions are for."""
    for mimic in list(root.iter("mimic")):
        mimic.getparent().remove(mimic)
    root.set("version", "1.9")
    return etree.tostring(root, encoding="unicode")


@lumped_or_not
@each_robot
def test_no_link_or_joint_is_lost(name, preserve):
    root, _, conversion = convert(name, preserve)
    robot = read(FILES[name].read_bytes())
    present = {e.get("name") for e in root.find("model") if e.tag in ("link", "joint", "frame")}
    for kind in ("link", "joint"):
        rows = {}
        for row in conversion.rows:
            if row.element == kind:
                assert row.name not in rows, f"{kind} {row.name} has two rows"
                rows[row.name] = row
        for element in robot.findall(kind):
            called = element.get("name")
            assert called in rows, f"{kind} {called} has no row"
            row = rows[called]
            if row.action == "dropped":
                assert row.reason, f"{kind} {called} is dropped for no reason"
            elif called != "world":
                assert (row.into if row.action == "renamed" else called) in present, f"{kind} {called}: {row}"


def ask_ign(path) -> list[str]:
    """The verdict of ``ign sdf -k``: its lines with errors, or that the file is valid."""
    # It never ends on some files, and timeout(1), other than Python's, also ends what it has started.
    done = subprocess.run(["timeout", "-k", "1", "120", IGN, "sdf", "-k", path], env=dict(os.environ, SDF_PATH=""),
                          capture_output=True, text=True, errors="replace")
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if line.startswith("Error") or line.strip() == "Valid."]


#: Each robot in one of three ways, or in all where all robots are wanted.
WAYS = {"lumped": (False, "frame"), "preserved": (True, "frame"), "massless-kept": (False, "keep")}
ASKED = [pytest.param(name, *way, id=f"{said}-{name}") for number, name in enumerate(list(FILES)[::STRIDE // STEP])
         for place, (said, way) in enumerate(WAYS.items()) if STRIDE == 1 or number % len(WAYS) == place]


@pytest.mark.skipif(not IGN, reason="neither ign nor gz is installed (Debian: ignition-tools, libsdformat-dev)")
@pytest.mark.parametrize(("name", "preserve", "massless"), ASKED)
def test_libsdformat_takes_what_we_write(name, preserve, massless, tmp_path):
    root, sdf, _ = convert(name, preserve, massless)
    if is_new(root):
        sdf = without_mimics(root)
    path = tmp_path / "robot.sdf"
    path.write_text(sdf, encoding="utf-8")
    lines = ask_ign(path)
    if lines != ["Valid."] and (problem := find_unphysical(root)):
        pytest.skip(f"not a physical robot: {problem}")
    assert lines == ["Valid."]
