"""Options of commands: what their words mean, and which values are refused."""
import importlib

import pytest

from sdf_frames.cli import COMMANDS, build_parser
from sdf_frames.document.budget import DEFAULT

#: The arguments that each command needs.
NEEDED = {"diff": ["a", "b"], "view": [], "batch": ["check", "a", "--to", "out"], "report": ["results"],
          "place": ["a", "f", "--in", "g"], "attach": ["a", "b", "--at", "l"],
          "reroot": ["a", "l"], "cut": ["a", "--from", "l"],
          "describe": [], "explain": [], "demo": [], "doctor": []}
REFUSED = {
    "check": [("--jobs 10000", "--jobs/-j: '10000' is not a number of processes from 0 to 9999"),
              ("--jobs ²", "--jobs/-j: '²' is not a number of processes from 0 to 9999"),
              ("--format xml", "--format: invalid choice: 'xml'"), ("--massless lump", "--massless: invalid choice"),
              ("--error Z999", "--error: unknown code 'Z999'; 'sdf_frames explain' lists all"),
              ("--ignore Z999", "--ignore: unknown code 'Z999'; 'sdf_frames explain' lists all"),
              ("- -", "standard input (-) can be read only once"), ("--limit bytes=0", "bytes")],
    "frames": [("--joint elbow", "--joint: 'elbow' is not NAME=VALUE"),
               *[(f"--joint elbow={v}", f"'{v}' is not a number, in radians or metres") for v in ("1_0", "٣", "inf")],
               ("--joint elbow=x", "--joint: 'elbow=x': 'x' is not a number, in radians or metres"),
               ("--rpy --degrees", "--degrees: not allowed with argument --rpy"),
               ("--rpy --matrix", "--matrix: not allowed with argument --rpy")],
    "inertia": [*[(f"--{option} {value}", f"--{option}: '{value}' is not a positive number")
                  for option in ("density", "scale", "voxel-size")
                  for value in ("0", "-1", "inf", "nan", "x", "1_0", "٣")],
                ("--mass keep", "unrecognized arguments: --mass"),  # no abbreviation of --massless
                ("--method guess", "--method: invalid choice"),
                ("--on-failure ignore", "--on-failure: invalid choice")],
    "convert": [("-o x --output-dir y", "--output-dir: not allowed with argument -o"),
                ("--sdf-version 1.6", "--sdf-version: invalid choice"), ("--uri-style http", "invalid choice"),
                ("--only kept,lost", "--only: unknown action 'lost'; choose from kept, ")],
    "print": [*[(f"--snap-to-degrees {v}", f"'{v}' is not an angle above 0 and up to 360 degrees")
                for v in ("0", "360.5", "x", "nan")],
              ("--snap-tolerance 0", "--snap-tolerance: '0' is not an angle above 0"),
              *[(f"--precision {v}", f"--precision: '{v}' is not a number of digits from 1 to 17")
                for v in ("0", "18", "1.5")]],
    "upgrade": [("--to 1.13", "--to: invalid choice"), ("--to 2.0", "--to: invalid choice")],
    "diff": [*[(f"--tolerance={v}", f"--tolerance: '{v}' is not a number >= 0")
               for v in ("-1", "-.5", "inf", "nan", "x")],
             ("c.sdf", "diff compares two files; 'c.sdf' is a third one")],
    "graph": [("--kind chain", "--kind: invalid choice"), ("--format pdf", "--format: invalid choice")],
    "view": [*[(f"--size {v}", f"--size: '{v}' is not a size such as 1200x900, from 16 to 8192 pixels each")
               for v in ("15x16", "16x15", "8193x16", "16x8193", "16", "ax16", "16xa")],
             *[(f"--decimate {v}", f"--decimate: '{v}' is not a number of triangles, such as 20000")
               for v in ("3", "x")],
             *[(f"--port {v}", f"--port: '{v}' is not a port from 1 to 65535") for v in ("0", "65536", "x", "²")],
             ("--joint elbow=x", "--joint: 'elbow=x': 'x' is not a number, in radians or metres"),
             ("--joint elbow=1,2", "--joint: 'elbow=1,2' is not one position, such as elbow=0.5"),
             ("--layers visuals,walls", "--layers: unknown layer 'walls'; choose from visuals, collisions, frames, "
                                        "names, tree, joints, limits, sensors, inertia"),
             ("--view back", "--view: invalid choice")],
    "batch": [*[(f"--{option} {v}", f"--{option}: '{v}' is not a positive number")
                for option in ("seconds", "memory") for v in ("0", "inf", "x")],
              ("--engine mpi", "--engine: invalid choice"), ("--version 1.2", "--version: invalid choice"),
              ("--massless lump", "--massless: invalid choice")]}


def parse(command, words):
    found = vars(build_parser(command).parse_args([command, *NEEDED.get(command, ["a.sdf"]), *words]))
    return {key: value for key, value in found.items() if key not in ("command", "run", "parser")}


@pytest.mark.parametrize("command, words, changed", [
    ("check", "--error i001 --error Frame-Attached-To-Cycle --ignore F001 --ignore S003",
     {"error": ["I001", "F002"], "ignore": ["F001", "S003"]}),
    ("check", "--limit bytes=5 --limit faces=7", {"budget": DEFAULT._replace(bytes=5, faces=7)}),
    ("check", "arm:=left", {"xacro_arguments": {"arm": "left"}}),
    ("frames", "--joint elbow=0.5 --joint a=b=-1,2", {"joint": [("elbow", 0.5), ("a=b", [-1.0, 2.0])]}),
    ("convert", "--only dropped,renamed", {"only": ("dropped", "renamed")}),
    ("view", "--layers visuals,,collisions --size 16x8192 --joint a=b=-1",
     {"layers": ("visuals", "collisions"), "size": (16, 8192), "joint": [("a=b", -1.0)]})])
def test_what_words_with_a_form_of_their_own_mean(command, words, changed):
    assert parse(command, words.split()) == {**parse(command, []), **changed}


@pytest.mark.parametrize("command", REFUSED)
def test_values_that_are_refused(command, capsys):
    for words, problem in REFUSED[command]:
        with pytest.raises(SystemExit) as ended:
            parse(command, words.split())
        assert ended.value.code == 2, words
        assert problem in capsys.readouterr().err, words


@pytest.mark.parametrize("command", ["convert", "frames", "batch", "report", "diff"])
def test_required_arguments_are_asked_for(command, capsys):
    with pytest.raises(SystemExit, match="2"):
        build_parser(command).parse_args([command])
    assert "arguments are required" in capsys.readouterr().err
    if command == "batch":
        with pytest.raises(SystemExit, match="2"):
            build_parser(command).parse_args([command, "check", "a"])
        assert "--to" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "convert", "inertia", "upgrade", "to-urdf"])
def test_commands_and_sources_of_a_batch(command):
    args = build_parser("batch").parse_args(["batch", command, "a", "b", "--to", "out"])
    assert (args.command_name, args.sources) == (command, ["a", "b"])


def test_a_batch_of_another_command_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        build_parser("batch").parse_args(["batch", "frames", "a", "--to", "out"])
    assert "invalid choice: 'frames'" in capsys.readouterr().err


def test_words_for_xacro_are_no_files(capsys):
    with pytest.raises(SystemExit, match="2"):
        build_parser("convert").parse_args(["convert", "arm:=left"])
    assert "name at least one FILE" in capsys.readouterr().err
    assert build_parser("view").parse_args(["view", "arm:=left"]).files == []


@pytest.mark.parametrize(("command", "option", "words"), [
    ("check", "--format", "text json sarif github"), ("check", "--massless", "frame keep error"),
    ("inertia", "--method", "auto exact voxel hull shell"), ("inertia", "--on-failure", "error default"),
    ("convert", "--uri-style", "model package keep file"), ("to-urdf", "--uri-style", "model package keep file"),
    ("convert", "--sdf-version", "1.7 1.8 1.9 1.10 1.11 1.12"),
    ("upgrade", "--to", "1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12"),
    ("batch", "--version", "1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12"), ("batch", "--engine", "loky dask ray"),
    ("graph", "--kind", "tree kinematic frame pose"), ("graph", "--format", "text dot mermaid svg png"),
    ("view", "--view", "iso front side top")])
def test_the_words_that_an_option_takes(command, option, words):
    """The default is one of them."""
    found = {str(value) for word in words.split() for key, value in parse(command, [option, word]).items()
             if value == word and key not in ("command_name", "files", "sources")}
    assert found >= set(words.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_is_explained(command):
    parser = build_parser(command).parse_args([command, *NEEDED.get(command, ["a.sdf"])]).parser
    assert len(parser._actions) > 1
    for action in parser._actions:
        assert action.help and action.help.strip(), f"{command}: {action.dest}"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_command_does(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        build_parser(command).parse_args([command, "--help"])
    said = importlib.import_module(f"sdf_frames.cli.{command.replace('-', '_')}").__doc__
    assert " ".join(said.split()) in " ".join(capsys.readouterr().out.split())
