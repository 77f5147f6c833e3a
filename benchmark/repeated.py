"""Elements that repeat: what ten times as many cost in every command."""
from __future__ import annotations

import contextlib
import gc
import io
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmark.results import Results
from benchmark.tables import Effort
from sdf_frames.cli import main

_LINK = ('<link name="{}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
         "</inertial></link>")
_AXIS = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
_PARAMS = ('<experimental:params><visual element_id="l" action="add" name="v"><geometry><empty/></geometry></visual>'
           "</experimental:params>")
_PART = '<sdf version="1.12"><model name="p"><link name="l"/></model></sdf>'
_PLACES = '<sdf version="1.12"><model name="p"><frame name="f{}"/></model></sdf>'
_SMALLEST = 0.005  # below this, what a command costs without any file is all that is seen


def _each(n: int, text: str | Callable[[int], str]) -> str:
    """A text n times, with its number in place of {i}, or what a function makes of the number."""
    return "".join(text.replace("{i}", str(i)) if isinstance(text, str) else text(i) for i in range(n))


def _repeat(around: str, text: str | Callable[[int], str], n: int) -> str:
    return around % _each(n, text)


def _robot(n: int, joint: Callable[[int], str] = lambda i: "", more: str = "") -> str:
    return '<robot name="r">' + _each(n, lambda i: _LINK.format(f"l{i}") + (
        f'<joint name="j{i}" type="revolute"><parent link="l{i - 1}"/><child link="l{i}"/>{_AXIS}{joint(i)}</joint>'
        if i else "")) + more + "</robot>"


def _square(i: int) -> str:
    return (f"<polyline><height>1</height><point>{3 * i} 0</point><point>{3 * i + 1} 0</point><point>"
            f"{3 * i + 1} 1</point>"
            f"<point>{3 * i} 1</point></polyline>")


def _hinge(i: int, more: str = "") -> str:
    return (f'<link name="l{i}"/><joint name="j{i}" type="revolute"><parent>{f"l{i - 1}" if i else "l"}</parent>'
            f'<child>l{i}</child>'
            f"<axis><xyz>0 0 1</xyz>{more}</axis></joint>")


def _mimic(i: int) -> str:
    leader = f'<mimic joint="j{i - 1}"><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>'
    return _hinge(i, leader if i else "")


# What is around the repeated elements.
_WORLD = '<sdf version="1.12" xmlns:experimental="e"><world name="w">%s</world></sdf>'
_MODEL = '<sdf version="1.12" xmlns:experimental="e"><model name="m"><link name="l"/>%s</model></sdf>'
_OLD = '<sdf version="1.4"><model name="m"><link name="l"/>%s</model></sdf>'
_BODY = '<sdf version="1.12"><model name="m"><link name="l">%s</link></model></sdf>'
_OUTLINED = _BODY % '<inertial auto="true"/><collision name="c"><geometry>%s</geometry></collision>'
_ARM = _robot(2, more="%s")
#: Name: what is around, what is repeated (a text or a function of its number), how often at the larger size.
_EACH: dict[str, tuple[str, str | Callable[[int], str], int]] = {
    "includes": (_WORLD, "<include><uri>p.sdf</uri><name>p{i}</name></include>", 4000),
    "includes, merged": (_MODEL, lambda i: (
        f'<include merge="true"><uri>p{i % 1000}.sdf</uri><name>p{i}</name></include>'), 1000),
    "includes, merged in models": (
        _MODEL, '<model name="n{i}"><include merge="true"><uri>p.sdf</uri></include></model>', 2000),
    "includes with params": (_WORLD, "<include><uri>p.sdf</uri><name>p{i}</name>" + _PARAMS + "</include>", 1000),
    "includes that are missing": (_WORLD, "<include><uri>gone{i}</uri></include>", 2000),
    "outlines": (_OUTLINED, _square, 4000),
    "comments that suppress": (
        _MODEL, '<!-- sdf_frames: ignore F003 --><frame name="f{i}" attached_to="x{i}"/>', 3000),
    "plugins": (_MODEL, '<plugin name="p{i}" filename="f"><a>{i}</a></plugin>', 8000),
    "sensors": (_BODY, '<sensor name="s{i}" type="imu"><pose>{i} 0 0 0 0 0</pose></sensor>', 4000),
    "visuals": (_BODY, '<visual name="v{i}"><geometry><box><size>1 1 1</size></box></geometry><material>'
                       "<diffuse>1 0 .{i} 1</diffuse></material></visual>", 2000),
    "mimic": (_MODEL, _mimic, 2000),
    "joints": (_MODEL, _hinge, 2000),
    "frames": (_MODEL, '<frame name="f{i}"/>', 6000),
    "models": (_MODEL, '<model name="n{i}"><link name="l"/></model>', 3000),
    "names, duplicate": (_MODEL, '<frame name="f"/>', 3000),
    "names, duplicate, old": (_OLD, '<link name="x"/>', 3000),
    "names, missing": (_MODEL, "<frame/>", 3000),
    "names, unknown": (_MODEL, '<frame name="f{i}" attached_to="x{i}"/>', 3000),
    "attributes": (_MODEL, "<frame name='f{i}' " + "".join(f'a{k}="1" ' for k in range(200)) + "/>", 200),
    "elements, unknown": (_MODEL, "<what{i}/>", 4000),
    "robot, gazebo blocks": (_ARM, "<gazebo><a>1</a></gazebo>", 6000),
    "robot, one reference": (_ARM, '<gazebo reference="l0"><mu1>1</mu1></gazebo>', 4000),
    "robot, unknown references": (_ARM, '<gazebo reference="x{i}"><mu1>1</mu1></gazebo>', 4000),
    "robot, sensors": (_ARM, '<gazebo reference="l0"><sensor name="s{i}" type="imu"/></gazebo>', 2000),
    "robot, plugins": (_ARM, '<gazebo><plugin name="p{i}" filename="f"/></gazebo>', 4000),
    "robot, materials": (_ARM, '<material name="m{i}"><color rgba="1 0 0 1"/></material>', 6000),
    "robot, duplicate names": (_ARM, _LINK.format("l"), 3000),
    "robot, missing names": (_ARM, "<link/>", 4000),
    "robot, unknown elements": (_ARM, "<what{i}/>", 6000),
}
#: Name: the text for a size, the larger size. Files beside it are those of measure_repeated.
FAMILIES: dict[str, tuple[Callable[[int], str], int]] = {
    **{name: (partial(_repeat, *row[:2]), row[2]) for name, row in _EACH.items()},
    "outline that crosses itself": (lambda n: _OUTLINED % ("<polyline><height>1</height>" + _each(n, lambda i: (
        f"<point>{i * (n // 2 + 1) % n} {(i % 2) * n + i}</point>")) + "</polyline>"), 20_000),
    "names, long": (
        lambda n: _MODEL % f'<frame name="{"ab" * n}"/><frame name="f" attached_to="{"ba" * n}"/>', 100_000),
    "robot, links": (_robot, 2000),
    "robot, mimic": (lambda n: _robot(n, lambda i: f'<mimic joint="j{i - 1}"/>' if i > 1 else ""), 2000),
    "robot, gazebo references": (
        lambda n: _robot(n, more=_each(n, '<gazebo reference="l{i}"><mu1>1</mu1></gazebo>')), 1500),
    "robot, transmissions": (lambda n: _robot(n, more=_each(n - 1, lambda i: (
        f'<transmission name="t{i}"><type>x</type><joint name="j{i + 1}"/><actuator name="a{i}"/></transmission>'))),
        1500),
}
_OF_BOTH = (["check"], ["check", "--json"], ["frames"], ["inertia"], ["print"], ["graph"], ["uri"], ["diff"])
COMMANDS = {"sdf": (*_OF_BOTH, ["upgrade"], ["to-urdf"]), "urdf": (*_OF_BOTH, ["convert", "--report"])}


def measure_repeated(effort: Effort, results: Results) -> None:
    """For each family, the command that grows most: what it takes, and how much more than for a tenth of the size."""
    folder = effort.folder
    for k in range(1000):
        (folder / f"p{k}.sdf").write_text(_PLACES.format(k))
    (folder / "p.sdf").write_text(_PART)
    for family, (generate, n) in FAMILIES.items():
        suffix = "urdf" if family.startswith("robot") else "sdf"
        sizes = [folder / f"{m}.{suffix}" for m in (n // 10, n)]
        for m, path in zip((n // 10, n), sizes):
            path.write_text(generate(m))
        worst = 0.0, "", [0.0]
        for command in COMMANDS[suffix]:
            _time(sizes[0], command)  # what is imported once
            small, large = ([_time(path, command) for _ in range(min(effort.turns, 3))] for path in sizes)
            worst = max(worst, (min(large) / max(min(small), _SMALLEST), " ".join(command), large))
        results.add("ours", f"{family}, {n}: {worst[1]}", worst[2])
        print(f"{family}: ten times as many take {worst[0]:.1f} times as long", flush=True)


def _time(path: Path, command: list[str]) -> float:
    """Seconds of processor time of a command; what it prints goes nowhere."""
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        start = time.process_time()
        main([*command, *[str(path)] * (2 if command == ["diff"] else 1)])
        return time.process_time() - start
