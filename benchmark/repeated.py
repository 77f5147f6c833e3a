"""Elements that repeat: what ten times as many cost in every command."""
from __future__ import annotations

import contextlib
import gc
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from sdf_frames.cli import main

_INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
_AXIS = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
_PARAMS = ('<experimental:params><visual element_id="l" action="add" name="v"><geometry><empty/></geometry></visual>'
           "</experimental:params>")
_PART = '<sdf version="1.12"><model name="p"><link name="l"/></model></sdf>'
_PLACES = '<sdf version="1.12"><model name="p"><frame name="f{}"/></model></sdf>'
_SMALLEST_MS = 5  # below this, what a command costs without any file is all that is seen


def _each(n: int, text: Callable[[int], str]) -> str:
    return "".join(map(text, range(n)))


def _world(body: str) -> str:
    return f'<sdf version="1.12" xmlns:experimental="e"><world name="w">{body}</world></sdf>'


def _model(body: str) -> str:
    return f'<sdf version="1.12" xmlns:experimental="e"><model name="m"><link name="l"/>{body}</model></sdf>'


def _old(body: str) -> str:
    return f'<sdf version="1.4"><model name="m"><link name="l"/>{body}</model></sdf>'


def _link(body: str) -> str:
    return f'<sdf version="1.12"><model name="m"><link name="l">{body}</link></model></sdf>'


def _robot(n: int, joint: Callable[[int], str] = lambda i: "", more: Callable[[int], str] = lambda i: "") -> str:
    return '<robot name="r">' + _each(n, lambda i: f'<link name="l{i}">{_INERTIAL}</link>' + (
        f'<joint name="j{i}" type="revolute"><parent link="l{i - 1}"/><child link="l{i}"/>{_AXIS}{joint(i)}</joint>'
        if i else "")
        + more(i)) + "</robot>"


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


# Name: (suffix, text of n of them, n of the larger size). Files beside it are those of _write_parts.
FAMILIES: dict[str, tuple[str, Callable[[int], str], int]] = {
    "includes": ("sdf", lambda n: _world(_each(n, lambda i: f"<include><uri>p.sdf</uri><name>p{i}</name></include>")),
                 4000),
    "includes, merged": ("sdf", lambda n: _model(_each(n, lambda i: (
        f'<include merge="true"><uri>p{i % 1000}.sdf</uri><name>p{i}</name></include>'))), 1000),
    "includes, merged in models": ("sdf", lambda n: _model(_each(n, lambda i: (
        f'<model name="n{i}"><include merge="true"><uri>p.sdf</uri></include></model>'))), 2000),
    "includes with params": ("sdf",
        lambda n: _world(_each(n, lambda i: f"<include><uri>p.sdf</uri><name>p{i}</name>{_PARAMS}</include>")), 1000),
    "includes that are missing": ("sdf", lambda n: _world(_each(n, lambda i: f"<include><uri>gone{i}</uri></include>")),
                                  2000),
    "outlines": ("sdf", lambda n: _link(
        f'<inertial auto="true"/><collision name="c"><geometry>{_each(n, _square)}</geometry></collision>'), 4000),
    "outline that crosses itself": ("sdf", lambda n: _link(
        '<inertial auto="true"/><collision name="c"><geometry><polyline><height>1</height>'
        + _each(n, lambda i: f"<point>{i * (n // 2 + 1) % n} {(i % 2) * n + i}</point>")
        + "</polyline></geometry></collision>"), 20_000),
    "comments that suppress": ("sdf", lambda n: _model(_each(n, lambda i: (
        f'<!-- sdf_frames: ignore F003 --><frame name="f{i}" attached_to="x{i}"/>'))), 3000),
    "names, long": ("sdf", lambda n: _model(f'<frame name="{"ab" * n}"/><frame name="f" attached_to="{"ba" * n}"/>'),
                    100_000),
    "plugins": ("sdf", lambda n: _model(_each(n, lambda i: f'<plugin name="p{i}" filename="f"><a>{i}</a></plugin>')),
                8000),
    "sensors": ("sdf",
        lambda n: _link(_each(n, lambda i: f'<sensor name="s{i}" type="imu"><pose>{i} 0 0 0 0 0</pose></sensor>')),
        4000),
    "visuals": ("sdf", lambda n: _link(_each(n, lambda i: (
        f'<visual name="v{i}"><geometry><box><size>1 1 1</size></box></geometry><material>'
        f'<diffuse>1 0 {i / n} 1</diffuse></material></visual>'))), 2000),
    "mimic": ("sdf", lambda n: _model(_each(n, _mimic)), 2000),
    "joints": ("sdf", lambda n: _model(_each(n, _hinge)), 2000),
    "frames": ("sdf", lambda n: _model(_each(n, lambda i: f'<frame name="f{i}"/>')), 6000),
    "models": ("sdf", lambda n: _model(_each(n, lambda i: f'<model name="n{i}"><link name="l"/></model>')), 3000),
    "names, duplicate": ("sdf", lambda n: _model(_each(n, lambda i: '<frame name="f"/>')), 3000),
    "names, duplicate, old": ("sdf", lambda n: _old(_each(n, lambda i: '<link name="x"/>')), 3000),
    "names, missing": ("sdf", lambda n: _model(_each(n, lambda i: "<frame/>")), 3000),
    "names, unknown": ("sdf", lambda n: _model(_each(n, lambda i: f'<frame name="f{i}" attached_to="x{i}"/>')), 3000),
    "attributes": ("sdf", lambda n: _model(_each(n // 200, lambda k: (
        f"<frame name='f{k}' " + _each(200, lambda i: f'a{i}="1" ') + "/>"))), 40_000),
    "elements, unknown": ("sdf", lambda n: _model(_each(n, lambda i: f"<what{i}/>")), 4000),
    "robot, links": ("urdf", _robot, 2000),
    "robot, mimic": ("urdf", lambda n: _robot(n, lambda i: f'<mimic joint="j{i - 1}"/>' if i > 1 else ""), 2000),
    "robot, gazebo blocks": ("urdf", lambda n: _robot(2, more=lambda i: "<gazebo><a>1</a></gazebo>" * (n // 2)), 6000),
    "robot, gazebo references": ("urdf",
        lambda n: _robot(n, more=lambda i: f'<gazebo reference="l{i}"><mu1>1</mu1></gazebo>'), 1500),
    "robot, one reference": ("urdf",
        lambda n: _robot(2, more=lambda i: '<gazebo reference="l0"><mu1>1</mu1></gazebo>' * (n // 2)), 4000),
    "robot, unknown references": ("urdf", lambda n: _robot(2, more=lambda i: _each(n // 2, lambda k: (
        f'<gazebo reference="x{i}_{k}"><mu1>1</mu1></gazebo>'))), 4000),
    "robot, sensors": ("urdf", lambda n: _robot(2, more=lambda i: _each(n // 2, lambda k: (
        f'<gazebo reference="l0"><sensor name="s{i}_{k}" type="imu"/></gazebo>'))), 2000),
    "robot, plugins": ("urdf", lambda n: _robot(2, more=lambda i: _each(n // 2, lambda k: (
        f'<gazebo><plugin name="p{i}_{k}" filename="f"/></gazebo>'))), 4000),
    "robot, materials": ("urdf", lambda n: _robot(2, more=lambda i: _each(n // 2, lambda k: (
        f'<material name="m{i}_{k}"><color rgba="1 0 0 1"/></material>'))), 6000),
    "robot, transmissions": ("urdf", lambda n: _robot(n, more=lambda i: (
        f'<transmission name="t{i}"><type>x</type><joint name="j{i}"/><actuator name="a{i}"/></transmission>' if i
        else "")), 1500),
    "robot, duplicate names": ("urdf", lambda n: '<robot name="r">' + f'<link name="l">{_INERTIAL}</link>' * n
                               + "</robot>", 3000),
    "robot, missing names": ("urdf", lambda n: f'<robot name="r"><link name="l">{_INERTIAL}</link>' + "<link/>" * n
                             + "</robot>", 4000),
    "robot, unknown elements": ("urdf", lambda n: _robot(2, more=lambda i: _each(n // 2, lambda k: f"<what{i}_{k}/>")),
                                6000),
}
_OF_BOTH = (["check"], ["check", "--json"], ["frames"], ["inertia"], ["print"], ["graph"], ["uri"], ["diff"])
COMMANDS = {"sdf": (*_OF_BOTH, ["upgrade"], ["to-urdf"]), "urdf": (*_OF_BOTH, ["convert", "--report"])}


def measure_repeated(folder: Path, turns: int) -> Iterator[dict]:
    """A row for each family: the command that grows most, what it takes, and how much more than for a tenth of the
    size."""
    for k in range(1000):
        (folder / f"p{k}.sdf").write_text(_PLACES.format(k))
    (folder / "p.sdf").write_text(_PART)
    for family, (suffix, generate, n) in FAMILIES.items():
        sizes = [folder / f"{m}.{suffix}" for m in (n // 10, n)]
        for m, path in zip((n // 10, n), sizes):
            path.write_text(generate(m))
        costs = {}
        for command in COMMANDS[suffix]:
            _time(sizes[0], command)  # what is imported once
            costs[" ".join(command)] = [min(_time(path, command) for _ in range(turns)) for path in sizes]
        growths = {name: large / max(small, _SMALLEST_MS) for name, (small, large) in costs.items()}
        worst = max(growths, key=growths.__getitem__)
        yield {"family": family, "n": n, "case": f"{family}, {n}: {worst}", "bytes": sizes[1].stat().st_size,
               "ours_ms": costs[worst][1], "growth": growths[worst]}


def _time(path: Path, command: list[str]) -> float:
    """CPU milliseconds of a command; what it prints goes nowhere."""
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        start = time.process_time()
        main([*command, *[str(path)] * (2 if command == ["diff"] else 1)])
        return (time.process_time() - start) * 1e3
