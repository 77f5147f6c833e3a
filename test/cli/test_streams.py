"""What goes in and out of commands: encodings, closed and full streams, files that must not be overwritten."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
URDF = ('<robot name="r\u00f6b"><link name="\u673a"><inertial><mass value="2"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        'iyz="0"/></inertial></link></robot>')


def run(*arguments, cwd, stdout=subprocess.PIPE, **environment):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
                   **environment}
    return subprocess.run([sys.executable, "-m", "sdf_frames", *arguments], cwd=cwd, env=environment, stdout=stdout,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "r.urdf").write_text(URDF, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [["convert"], ["frames"], ["inertia"], ["graph"], ["convert", "--json"]])
def test_output_is_utf8_in_every_locale(command, folder):
    results = [run(*command, "r.urdf", cwd=folder, **environment) for environment in (
        {}, {"PYTHONIOENCODING": "latin-1", "PYTHONHASHSEED": "7"},
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"})]
    assert {r.returncode for r in results} == {0}
    assert len({r.stdout for r in results}) == 1
    assert "\u673a" in results[0].stdout.decode("utf-8")


def test_a_full_device_is_one_line_and_status_1(folder):
    if not Path("/dev/full").is_char_device():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        result = run("convert", "r.urdf", cwd=folder, stdout=full)
    assert result.returncode == 1
    assert result.stderr.decode().splitlines() == ["sdf_frames convert: No space left on device"]


def test_a_help_on_a_full_device_is_one_line_and_status_1(folder):
    if not Path("/dev/full").is_char_device():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        for words in ((), ("check",), ("convert",)):
            result = run(*words, "--help", cwd=folder, stdout=full, PYTHONUNBUFFERED="1" if words == ("check",) else "")
            assert result.returncode == 1
            assert result.stderr.decode() == f"{' '.join(('sdf_frames', *words))}: No space left on device\n"


def test_a_closed_stream_is_not_an_internal_error(folder):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))

    def shell(command: str) -> subprocess.CompletedProcess:
        return subprocess.run(["/bin/sh", "-c", f'"$0" -m sdf_frames {command}', sys.executable], cwd=folder,
                              env=environment,
                              capture_output=True, text=True, timeout=120)

    result = shell("check --json - <&-")
    assert result.returncode == 1
    assert [d["name"] for d in json.loads(result.stdout)["diagnostics"]] == ["file-unreadable"]
    result = shell("convert r.urdf >&-")
    assert result.returncode == 0 and not result.stderr
    result = shell("check r.urdf 2>&-")
    assert result.returncode == 0 and "valid" in result.stdout
    assert [shell(f"{command} 2>&-").returncode for command in ("check gone.urdf", "chek", "check --gone")] == [1, 2, 2]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux")
def test_a_file_name_that_is_not_utf8(folder):
    os.rename(folder / "r.urdf", os.fsencode(folder) + b"/caf\xe9.urdf")
    result = run("check", "--json", b"caf\xe9.urdf", cwd=folder)
    assert result.returncode == 0
    assert json.loads(result.stdout.decode("utf-8")) == {
        "file": "caf\udce9.urdf", "valid": True, "resolved": True, "convertible": True,
        "consumers": {"gazebo": True, "ros": True}, "diagnostics": []}
    assert run("convert", b"caf\xe9.urdf", "--output-dir", "out", cwd=folder).returncode == 0
    assert os.listdir(os.fsencode(folder) + b"/out") == [b"caf\xe9.sdf"]
