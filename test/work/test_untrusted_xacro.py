"""Xacro files that are not trusted: what they may read, and that they can do nothing else."""
import os
import subprocess
import sys

import pytest

from sdf_frames.document.xacro_expansion import expand_xacro
from sdf_frames.work import untrusted_xacro
from sdf_frames.work.untrusted_xacro import expand_untrusted

pytest.importorskip("xacro")

XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}</robot>'
OUTSIDE = "it is outside of the checked folders and the resource paths"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A repository that is a package, with a file that is secret beside it."""
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
        monkeypatch.delenv(variable, raising=False)
    repository = tmp_path / "repository"
    (repository / "config").mkdir(parents=True)
    (repository / "package.xml").write_text("<package><name>robot</name></package>")
    (repository / "config" / "sizes.yaml").write_text("name: arm")
    (repository / "part.xacro").write_text(XACRO.format(
        '<xacro:macro name="part" params="name"><link name="${name}"/></xacro:macro>'))
    (tmp_path / "secret.yaml").write_text("name: secret")
    (tmp_path / "secret.xacro").write_text(XACRO.format('<link name="secret"/>'))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "package.xml").write_text("<package><name>other</name></package>")
    (repository / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (repository / "config" / "top").symlink_to("..")
    return repository


def expand(folder, text, seconds=60.0, paths=(), **arguments):
    file = folder / "r.urdf.xacro"
    file.write_text(XACRO.format(text))
    return expand_untrusted(str(file), arguments, paths, [str(folder)], seconds)


def test_what_is_in_the_repository_expands_as_ever(folder):
    """Text, places and lines are those of a file that is trusted."""
    text = """<xacro:include filename="$(find robot)/part.xacro"/>
      <xacro:property name="sizes" value="${xacro.load_yaml('config/sizes.yaml')}"/>
      <xacro:arg name="side" default="right"/>
      <xacro:part name="${sizes['name']}_$(arg side)_${'%.2f' % sin(pi / 2)}_$(eval 3 + 1)"/>"""
    made = expand(folder, text, side="left")
    assert made.findings == () and '<link name="arm_left_1.00_4"/>' in made
    trusted = expand_xacro(made.file, {"side": "left"})
    assert (made, made.file, made.places, made.lines) == (trusted, trusted.file, trusted.places, trusted.lines)


def test_an_argument_that_has_no_effect_is_named(folder):
    (found,) = expand(folder, '<xacro:arg name="sides" default="1"/>', side="left").findings
    assert (found.name, found.hint) == (
        "xacro-argument-unknown", "this file declares the argument sides; did you mean 'sides'?")


@pytest.mark.parametrize("text", [
    """<link name="${xacro.load_yaml('{top}/secret.yaml')['name']}"/>""",
    """<link name="${load_yaml('../secret.yaml')['name']}"/>""", """<link name="${load_yaml('link.yaml')['name']}"/>""",
    '<xacro:include filename="{top}/secret.xacro"/>', '<xacro:include filename="../secret.xacro"/>',
    """<link name="${load_yaml('config/top/../secret.yaml')['name']}"/>""",
    '<xacro:include filename="config/top/../secret.xacro"/>',
    """<link name="${load_yaml('{top}/gone.yaml')['name']}"/>""", '<xacro:include filename="../gone.xacro"/>'])
def test_nothing_outside_is_read_or_told(folder, text):
    found = expand(folder, text.replace("{top}", str(folder.parent)))
    assert found.name == "xacro-failed" and OUTSIDE in found.message and found.line == 1


def test_a_path_of_a_class_of_its_own_is_not_opened(folder):
    """``!radians`` evaluates what may have braces; the class says that its paths are one that was opened."""
    expression = ("load_yaml(python.type('P', (str,), {'__hash__': lambda s: python.hash('TOP/repository/size.yaml'), "
                  "'__eq__': lambda a, b: True, '__ne__': lambda a, b: False})('TOP/secret.yaml'))['name']")
    (folder / "size.yaml").write_text(f'a: !radians "xacro.fatal({expression})"'.replace("TOP", str(folder.parent)))
    found = expand(folder, """<link name="${xacro.load_yaml('size.yaml')}"/>""")
    assert "may only read files" in found.message and "; when evaluating" in found.message


def test_packages_outside_are_not_found(folder):
    found = expand(folder, '<xacro:include filename="$(find other)/x.xacro"/>')
    assert found.name == "xacro-package-missing"
    made = expand(folder, '<link name="$(find other)"/>', paths=[str(folder.parent)])
    assert made.findings == () and f'name="{folder.parent}/other"' in made


def test_the_environment_is_not_told(folder, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    made = expand(folder, '<link name="$(optenv SECRET_TOKEN none)"/>')
    assert made.findings == () and 'name="none"' in made


ESCAPE = ("(lambda: [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
          ".__init__.__globals__['system']('touch {top}/made'))()")


@pytest.mark.parametrize("expression", [
    f"${{{ESCAPE}}}", "${[g.gi_frame for g in [(1 for _ in '')]]}", "${python.vars(python.type)}",
    "${open('{top}/secret.yaml')}", "$(eval True.__class__)"])
def test_expressions_lead_nowhere(folder, expression):
    found = expand(folder, f'<link name="{expression.replace("{top}", str(folder.parent))}"/>')
    assert found.name == "xacro-failed" and "secret" not in found.message.replace("secret.yaml", "")
    assert not (folder.parent / "made").exists()


#: What xacro does not need, and what is said of it.
REFUSED = (
    ("os.system('true')", "os.system"), ("os.posix_spawn('/bin/true', ['true'], {})", "os.posix_spawn"),
    ("os.fork()", "os.fork"), ("os.execv('/bin/true', ['true'])", "os.exec"),
    ("subprocess.run(['true'])", "subprocess.Popen"), ("socket.socket()", "socket.__new__"),
    ("socket.gethostname()", "socket.gethostname"), ("ctypes.CDLL(None)", "ctypes.dlopen"),
    ("open('new', 'w')", "may only read files"), ("os.open('new', os.O_CREAT)", "may only read files"),
    ("open('a', 'r+')", "may only read files"), ("os.remove('a')", "os.remove"), ("os.mkdir('b')", "os.mkdir"),
    ("os.rename('a', 'b')", "os.rename"), ("os.symlink('a', 'b')", "os.symlink"), ("open('/etc/passwd')", OUTSIDE),
    ("os.open('/etc/passwd', 0)", OUTSIDE), ("os.listdir('/etc')", OUTSIDE), ("os.scandir('/etc')", OUTSIDE),
    ("open('/proc/self/environ')", OUTSIDE), ("open(0)", "may only read files"),
    ("import wave", "import"), ("os.chdir('/')", "os.chdir"), ("os.kill(1, 0)", "os.kill"),
    ("open('pipe')", "it is not a file"),
    ("os.environ.update(a='b')", "os.putenv"))
#: Runs each of its arguments in a process of its own with the hook, and prints a line of what comes of it.
HOOKED = """
import ctypes, os, socket, subprocess, sys
from functools import partial
from sdf_frames.document.uris import Resolver
from sdf_frames.work.untrusted_xacro import _refuse
door = Resolver(confined=True, named=[os.getcwd()]).door
for statement in sys.argv[1:]:
    if os.fork() == 0:
        sys.addaudithook(partial(_refuse, door))
        try:
            exec(statement)
            print("done", flush=True)
        except Exception as error:
            print(repr(error), flush=True)
        os._exit(0)
    os.wait()
"""


def test_the_hook_refuses_what_xacro_does_not_need(tmp_path):
    """Whatever an expression may reach: each statement in a process with the hook and nothing else."""
    (tmp_path / "a").write_text("")
    os.mkfifo(tmp_path / "pipe")
    ended = subprocess.run([sys.executable, "-c", HOOKED, *[statement for statement, _ in REFUSED]], cwd=tmp_path,
                           capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    for (statement, said), line in zip(REFUSED, ended.stdout.splitlines(), strict=True):
        assert said in line, statement


def test_time_is_limited(folder):
    found = expand(folder, '<link name="${9**9**9}"/>', seconds=2)
    assert found.message.endswith("it takes more than 2 s")


@pytest.mark.parametrize("output", [
    b"", b"{", b"[]", b"[null, []]", b"[null, [{}]]", b'[{"text": 1}, []]', b"[" * 100_000, b"\xff",
    b'[null, [{"code": 1, "related": 2}]]'])
def test_an_answer_that_is_none_is_one_finding(folder, monkeypatch, output):
    monkeypatch.setattr(untrusted_xacro, "_exchange", lambda *_: output)
    found = expand(folder, "")
    assert found.message.endswith("its process ended without an answer")


def test_modules_of_the_repository_are_not_imported(folder, monkeypatch):
    """As with ``python -m sdf_frames`` in it, which puts the working directory before all others."""
    for name in ("xacro", "yaml", "json"):
        (folder / f"{name}.py").write_text("raise RuntimeError")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", ["", str(folder), *sys.path])
    made = expand(folder, '<link name="a"/>')
    assert made.findings == () and 'name="a"' in made
