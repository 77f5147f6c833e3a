"""Laws of whole documents: the results of different commands on one document agree.

Everything is asked through the command line's contract (exit status, JSON), never through internals.
"""

from __future__ import annotations

import io
import json
import random
import zlib
from collections.abc import Collection
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
from lxml import etree
from transforms3d.quaternions import quat2mat

_REFERENCES = ("attached_to", "relative_to", "expressed_in", "canonical_link", "placement_frame", "reference", "link",
               "joint", "frame")
_NAMED = ("link", "joint", "frame", "model")
_LARGEST = 1e12  # for larger numbers, cancellation leaves no digits to compare


class BrokenLawError(AssertionError):
    """Two answers about one document contradict each other."""


def judge_document(data: bytes, folder: Path) -> None:
    """Check one document against the general promises, and one group of laws, which its bytes choose.

    Raises
    ------
    BrokenLawError
        What does not agree.
    """
    path = folder / "document.xml"
    path.write_bytes(data)
    status, answer = ask("check", path)
    valid = status == 0
    if valid != answer["valid"]:
        raise BrokenLawError(f"check ends with {status} but says valid: {answer['valid']}")
    root = _parse(data)
    if root is None:
        return
    laws = _URDF_LAWS if root.tag == "robot" else _SDF_LAWS
    laws[zlib.crc32(data) % len(laws)](path, root, valid, folder)


def run_command(command: str, *arguments) -> tuple[int, str]:
    """Return exit status and standard output of a command of ``sdf_frames``; an internal error is a broken law."""
    from sdf_frames.cli import main

    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main([command, *map(str, arguments)])
    for text in (out.getvalue(), err.getvalue()):
        if "X011" in text and "internal-error" in text:
            raise BrokenLawError(f"{command}: {text[:2000]}")
    return status, out.getvalue()


def ask(command: str, path: Path, *arguments) -> tuple[int, dict]:
    """Return exit status and JSON object of a command."""
    status, text = run_command(command, "--json", *arguments, path)
    return status, json.loads(text)


def write(command: str, path: Path, out: Path, *arguments) -> bool:
    """Return whether a command that writes a document ends with 0; the document is then at `out`."""
    out.unlink(missing_ok=True)
    status, _ = run_command(command, *arguments, "-o", out, path)
    if status == 0 and not out.exists():
        raise BrokenLawError(f"{command} ends with 0 but writes nothing")
    return status == 0


def expect_accepted(command: str, out: Path, but: Collection[str] = ()) -> None:
    """Raise BrokenLawError if `check` finds an error other than the codes `but`."""
    _, answer = ask("check", out)
    if errors := [d for d in _errors(answer) if d["code"] not in but]:
        raise BrokenLawError(f"check refuses what {command} ended with 0 for: {_name_error(errors[0])}")


def _judge_conversion(path: Path, root, valid: bool, folder: Path) -> None:
    for options in ((), ("--preserve-fixed-joints",), ("--massless", "keep")):
        if write("convert", path, folder / "out.sdf", *options):
            expect_accepted("convert", folder / "out.sdf")


def _judge_lumping(path: Path, root, valid: bool, folder: Path) -> None:
    """Check that mass, centre, tensor and every pose are those of the robot with all its fixed joints."""
    if not valid:
        return
    options = ("--massless", "keep")
    totals, frames = [], []
    for more in (options, (*options, "--preserve-fixed-joints")):
        status, found = ask("inertia", path, *more)
        placed = _frames(ask("frames", path, *more)[1])
        if status:
            return
        totals.append(_sum_inertia([link for link in found["links"] if link["method"] != "assumed"], placed))
        frames.append(placed)
    _compare_totals(*totals)
    _compare_poses(frames[0], {name: pose for name, pose in frames[1].items() if name in frames[0]}, "lumping")


def _judge_print(path: Path, root, valid: bool, folder: Path) -> None:
    """Check that the printed document is accepted, has the same poses, and is printed again without changes."""
    one, other = folder / "one.sdf", folder / "other.sdf"
    if not write("print", path, one):
        return
    _expect_the_same("print", path, one, root)
    if root.tag == "robot":  # a URDF is printed in the lowest version that can express it, SDFormat in the newest
        write("print", one, other)
        one, other = other, one
    _expect_no_change("print", one, other)


def _judge_upgrade(path: Path, root, valid: bool, folder: Path) -> None:
    one, other = folder / "one.sdf", folder / "other.sdf"
    if write("upgrade", path, one):
        _expect_no_change("upgrade", one, other)
        if valid:  # 'upgrade' reads only the version, and ends with 0 for a file with other defects
            _expect_the_same("upgrade", path, one, root)


def _expect_no_change(command: str, one: Path, other: Path) -> None:
    if not write(command, one, other) or one.read_bytes() != other.read_bytes():
        raise BrokenLawError(f"'{command}' changes its own output")


def _expect_the_same(command: str, path: Path, out: Path, root) -> None:
    """Raise BrokenLawError if the output of a command is refused, or has other poses."""
    expect_accepted(command, out)
    _, answer = ask("frames", path)
    if _is_clean(answer) and not _has_scoped_names(root):
        _compare_poses(_frames(answer), _frames(ask("frames", out)[1]), command)


def _judge_to_urdf(path: Path, root, valid: bool, folder: Path) -> None:
    status, answer = ask("to-urdf", path)
    if status == 0:
        (folder / "out.urdf").write_text(answer["urdf"])
        # What old versions forgive is said of the SDF, too. A URDF of an SDF without mass has none, either. Of massless
        # links between two axes, `to-urdf` itself says what the way back loses, which may be all.
        said = {d["code"] for d in ask("check", path)[1]["diagnostics"]}
        massless = not any(link["mass"] for link in ask("inertia", path)[1]["links"])
        lost = massless or "C068" in {d["code"] for d in answer["diagnostics"]}
        expect_accepted("to-urdf", folder / "out.urdf", said | ({"C004"} if lost else set()))


def _judge_order(path: Path, root, valid: bool, folder: Path) -> None:
    """Check that links, joints and frames in another order give the same frames at the same poses."""
    _, answer = ask("frames", path)
    if not _is_clean(answer):
        return
    chance = random.Random(zlib.crc32(path.read_bytes()))
    for scope in root.iter("model", "robot", "world"):
        places = [i for i, child in enumerate(scope) if child.tag in ("link", "joint", "frame", "gazebo")]
        same = [[i for i in places if scope[i].tag == tag] for tag in ("link", "joint", "frame")]
        children = list(scope)
        if scope.tag == "model" and scope.get("canonical_link") is None and same[0]:
            same[0] = same[0][1:]  # the first link is the canonical one
        for group in same:
            shuffled = list(group)
            chance.shuffle(shuffled)
            for i, k in zip(group, shuffled):
                children[i] = scope[k]
        scope[:] = children
    shuffled = folder / "shuffled.xml"
    shuffled.write_bytes(etree.tostring(root))
    _, other = ask("frames", shuffled)
    _expect_valid(other, "in another order")
    _compare_poses(_frames(answer), _frames(other), "order")


def _judge_names(path: Path, root, valid: bool, folder: Path) -> None:
    """Check that renamed links, joints, frames and models have the same poses."""
    _, answer = ask("frames", path)
    if not _is_clean(answer) or root.find(".//include") is not None or root.find(".//plugin") is not None:
        return
    names = {part for e in root.iter(*_NAMED) for part in (e.get("name") or "").split("::")}
    if any(name.startswith("__") or name in ("world", "") for name in names):
        return

    def rename(text: str) -> str:
        return "::".join(f"q{part}" if part in names else part for part in text.split("::"))

    for element in root.iter():
        if element.tag in _NAMED and element.get("name") is not None:
            element.set("name", rename(element.get("name")))
        for key in _REFERENCES:
            if element.get(key) is not None:
                element.set(key, rename(element.get(key)))
        if element.tag in ("parent", "child", "placement_frame") and element.text and not len(element):
            element.text = rename(element.text.strip())
    renamed = folder / "renamed.xml"
    renamed.write_bytes(etree.tostring(root))
    _, other = ask("frames", renamed)
    _expect_valid(other, "by other names")
    _compare_poses(_frames(answer, rename), _frames(other), "renaming")


_URDF_LAWS = (_judge_conversion, _judge_lumping, _judge_print, _judge_order, _judge_names)
_SDF_LAWS = (_judge_print, _judge_upgrade, _judge_to_urdf, _judge_order, _judge_names)


def _parse(data: bytes):
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False))
    except (etree.XMLSyntaxError, ValueError):
        return None


def _errors(answer: dict) -> list[dict]:
    return [d for d in answer["diagnostics"] if d["severity"] == "error"]


def _name_error(finding: dict) -> str:
    return f"{finding['code']} {finding['message']}"


def _is_clean(answer: dict) -> bool:
    """Return whether there are no warnings of tolerated defects, whose effects may depend on order and names."""
    return answer["valid"] and all(d["severity"] == "info" for d in answer["diagnostics"])


def _has_scoped_names(root) -> bool:
    """Return whether names have '::', which 1.7 allows and newer versions write with '_'."""
    return any("::" in (e.get("name") or "") for e in root.iter(*_NAMED))


def _expect_valid(answer: dict, how: str) -> None:
    if not answer["valid"]:
        raise BrokenLawError(f"{how} it is invalid: {_name_error(_errors(answer)[0])}")


def _frames(answer: dict, rename=str) -> dict[str, list]:
    """Pose by the number of the scope, unless it is the first, and what `rename` makes of the frame's name."""
    return {rename(f["name"]) if not k else f"{k}/{rename(f['name'])}": f["pose"]
            for k, scope in enumerate(answer["scopes"]) for f in scope["frames"]}


def _matrix(pose) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = quat2mat(pose[3:]), pose[:3]
    return X


def _compare_poses(have: dict, want: dict, what: str) -> None:
    if have.keys() != want.keys():
        raise BrokenLawError(f"{what}: other frames: {sorted(have.keys() ^ want.keys())[:6]}")
    numbers = [abs(n) for pose in (*have.values(), *want.values()) for n in pose or () if n is not None]
    scale = max(numbers, default=1.0)
    if scale > _LARGEST:
        return
    for name, pose in have.items():
        if (pose is None) != (want[name] is None):
            raise BrokenLawError(f"{what}: only one of two has a pose for {name}")
        if pose is not None and np.abs(_matrix(pose) - _matrix(want[name])).max() > 1e-9 * max(scale, 1):
            raise BrokenLawError(f"{what}: {name} is at {pose} and at {want[name]}")


def _sum_inertia(links: list[dict], frames: dict) -> tuple:
    """Return mass, first moment and tensor about the model's origin of all links with a pose."""
    total = [0.0, np.zeros(3), np.zeros((3, 3))]
    for link in links:
        if frames.get(link["name"]) is None or None in link["pose"]:
            return None
        X = _matrix(frames[link["name"]]) @ _matrix(link["pose"])
        i, m, c, R = link["inertia"], link["mass"], X[:3, 3], X[:3, :3]
        if m is None or None in i.values():
            return None
        tensor = np.array([[i[f"i{min(a, b)}{max(a, b)}"] for b in "xyz"] for a in "xyz"])
        total[0] += m
        total[1] = total[1] + m * c
        total[2] = total[2] + R @ tensor @ R.T + m * (c @ c * np.eye(3) - np.outer(c, c))
    return tuple(total)


def _compare_totals(one, other) -> None:
    """Raise BrokenLawError if two totals differ by more than rounding."""
    if one is None or other is None:
        return
    for what, a, b in zip(("mass", "centre", "tensor"), one, other):
        scale = max(1.0, *(float(np.abs(part).max()) for total in (one, other) for part in total))
        if not scale < _LARGEST:
            return
        if np.abs(a - b).max() > 1e-9 * scale:
            raise BrokenLawError(f"lumping changes the {what} from {b} to {a}")
