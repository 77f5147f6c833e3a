"""Every option of every command: its default, what it sets, and which values are refused."""
import importlib
import re

import pytest

from sdf_frames.cli import COMMANDS, build_parser
from sdf_frames.cli.inputs import settle_inputs
from sdf_frames.document.budget import DEFAULT

READING = {"json": False, "resource_path": [], "config": None, "no_config": False, "budget": DEFAULT}
FILES = {**READING, "files": ["a.sdf"], "exclude": [], "jobs": None, "xacro_arguments": {}}
CONVERTING = {"preserve_fixed_joints": False, "massless": "frame"}
WRITING = {"output": None, "output_dir": None, "parents": False}
REPORTING = {"report": False, "only": None}
# The arguments that each command needs, and everything that it knows where no option is given.
DEFAULTS = {
    "check": (["a.sdf"], {**FILES, **CONVERTING, "format": "text", "concise": False, "statistics": False,
                          "untrusted": False, "quiet": False, "error": [], "ignore": [], "strict": False,
                          "baseline": None, "write_baseline": None, "assets": False, "urdf": False, "fix": False,
                          "watch": False}),
    "frames": (["a.sdf"], {**FILES, **CONVERTING, "relative_to": None, "to": None, "joint": [], "rpy": False,
                           "degrees": False, "matrix": False}),
    "inertia": (["a.sdf"], {**FILES, **CONVERTING, "link": [], "method": "auto", "scale": 1.0, "voxel_size": None,
                            "density": None, "calculator": None, "on_failure": "error", "recompute": False,
                            "write": False, "plot": None, "compare": False}),
    "convert": (["a.sdf"], {**FILES, **CONVERTING, **REPORTING, **WRITING, "sdf_version": None, "uri_style": "model",
                            "check": False}),
    "to-urdf": (["a.sdf"], {**FILES, **REPORTING, **WRITING, "model": None, "joint_frames": False, "uri_style": "keep",
                            "calculator": None}),
    "print": (["a.sdf"], {**FILES, **CONVERTING, **WRITING, "preserve_includes": False, "expand_auto_inertials": False,
                          "degrees": False, "snap_to_degrees": 0.0, "snap_tolerance": 0.01, "precision": 0,
                          "calculator": None}),
    "upgrade": (["a.sdf"], {**{key: FILES[key] for key in FILES if key != "xacro_arguments"}, **WRITING, "to": "1.12",
                             "in_place": False}),
    "uri": (["a.sdf"], FILES),
    "diff": (["a", "b"], {**READING, **CONVERTING, "a": "a", "b": "b", "xacro_arguments": {}, "tolerance": 1e-6,
                          "html": None, "png": None}),
    "graph": (["a.sdf"], {**FILES, **CONVERTING, "kind": "tree", "form": None, "depth": None, "output": None}),
    "view": ([], {**{key: FILES[key] for key in FILES if key not in ("json", "jobs")}, **CONVERTING, "files": [],
                  "png": None, "html": None, "layers": None, "view": None, "size": None, "joint": [],
                  "decimate": None, "watch": False, "port": None, "host": None}),  # test_view.py has what holds then
    "batch": (["check", "a", "--to", "out"], {
        **CONVERTING, "command_name": "check", "sources": ["a"], "to": "out", "resume": False, "jobs": 0,
        "engine": "loky", "address": None, "seconds": 60.0, "memory": 4000.0, "resource_path": [],
        "to_version": "1.12", "config": None, "no_config": False}),
    "report": (["results"], {"results": "results", "baseline": None, "output": "report.html"}),
    "describe": ([], {"elements": [], "json": False}),
    "explain": ([], {"codes": [], "json": False}),
    "demo": ([], {"to": None})}
# Command, words, and what they change. Options that many commands share stand once.
GIVEN = [
    ("check", "b.sdf -", {"files": ["a.sdf", "b.sdf", "-"]}),
    ("check", "arm:=left", {"xacro_arguments": {"arm": "left"}}),
    ("check", "--json", {"json": True}),
    ("check", "--resource-path x --resource-path y", {"resource_path": ["x", "y"]}),
    ("check", "--exclude x --exclude y", {"exclude": ["x", "y"]}),
    ("check", "--config c.toml", {"config": "c.toml"}),
    ("check", "--no-config", {"no_config": True}),
    ("check", "--jobs 3", {"jobs": 3}),
    ("check", "-j 0", {"jobs": 0}),
    ("check", "--jobs 9999", {"jobs": 9999}),
    ("check", "--limit bytes=5 --limit faces=7", {"budget": DEFAULT._replace(bytes=5, faces=7)}),
    ("check", "--preserve-fixed-joints", {"preserve_fixed_joints": True}),
    ("check", "--massless keep", {"massless": "keep"}),
    ("check", "--massless error", {"massless": "error"}),
    *[("check", f"--format {form}", {"format": form}) for form in ("json", "sarif", "github")],
    *[("check", f"--{option}", {option: True})
      for option in ("concise", "statistics", "quiet", "strict", "assets", "urdf", "fix", "untrusted", "watch")],
    ("check", "-q", {"quiet": True}),
    ("check", "--error i001 --error Frame-Attached-To-Cycle --ignore F001 --ignore S003",
     {"error": ["I001", "F002"], "ignore": ["F001", "S003"]}),
    ("check", "--baseline known.json", {"baseline": "known.json"}),
    ("check", "--write-baseline known.json", {"write_baseline": "known.json"}),
    ("frames", "--relative-to b", {"relative_to": "b"}),
    ("frames", "--from b --to c", {"relative_to": "b", "to": "c"}),
    ("frames", "--joint elbow=0.5 --joint a=b=-1,2", {"joint": [("elbow", 0.5), ("a=b", [-1.0, 2.0])]}),
    *[("frames", f"--{form}", {form: True}) for form in ("rpy", "degrees", "matrix")],
    ("inertia", "--link a --link b::c", {"link": ["a", "b::c"]}),
    *[("inertia", f"--method {method}", {"method": method}) for method in ("exact", "voxel", "hull", "shell", "auto")],
    ("inertia", "--scale 0.001 --voxel-size 0.02 --density 2700",
     {"scale": 0.001, "voxel_size": 0.02, "density": 2700.0}),
    ("inertia", "--calculator mine", {"calculator": "mine"}),
    ("inertia", "--on-failure default", {"on_failure": "default"}),
    *[("inertia", f"--{option}", {option: True}) for option in ("recompute", "write", "compare")],
    ("inertia", "--plot x.png", {"plot": "x.png"}),
    ("convert", "--sdf-version 1.9", {"sdf_version": "1.9"}),
    *[("convert", f"--uri-style {style}", {"uri_style": style}) for style in ("package", "keep", "file")],
    ("convert", "--check --report", {"check": True, "report": True}),
    ("convert", "--only dropped,renamed", {"only": ("dropped", "renamed")}),
    ("convert", "-o x.sdf --parents", {"output": "x.sdf", "parents": True}),
    ("convert", "--output x.sdf", {"output": "x.sdf"}),
    ("convert", "--output-dir x", {"output_dir": "x"}),
    ("to-urdf", "--model arm --joint-frames", {"model": "arm", "joint_frames": True}),
    ("to-urdf", "--uri-style model", {"uri_style": "model"}),
    ("print", "-i --expand-auto-inertials", {"preserve_includes": True, "expand_auto_inertials": True}),
    ("print", "--preserve-includes --degrees", {"preserve_includes": True, "degrees": True}),
    ("print", "--snap-to-degrees 360 --snap-tolerance 0.5", {"snap_to_degrees": 360.0, "snap_tolerance": 0.5}),
    ("print", "--precision 1", {"precision": 1}),
    ("print", "--precision 17", {"precision": 17}),
    ("upgrade", "--to 1.3", {"to": "1.3"}),
    ("upgrade", "--json --resource-path x --resource-path y", {"json": True, "resource_path": ["x", "y"]}),
    ("upgrade", "b.sdf", {"files": ["a.sdf", "b.sdf"]}),
    ("upgrade", "--in-place", {"in_place": True}),
    ("diff", "arm:=left", {"xacro_arguments": {"arm": "left"}}),
    ("diff", "--tolerance 0", {"tolerance": 0.0}),
    ("diff", "--json --html x --png y", {"json": True, "html": "x", "png": "y"}),
    ("diff", "--resource-path x --resource-path y", {"resource_path": ["x", "y"]}),
    *[("graph", f"--kind {kind}", {"kind": kind}) for kind in ("frame", "pose", "kinematic", "tree")],
    *[("graph", f"--format {form}", {"form": form}) for form in ("text", "dot", "mermaid", "html", "svg", "png")],
    ("graph", "--depth 0", {"depth": 0}),
    ("graph", "-o x.svg", {"output": "x.svg"}),
    ("graph", "--output x.svg", {"output": "x.svg"}),
    ("view", "a.sdf b:=1", {"files": ["a.sdf"], "xacro_arguments": {"b": "1"}}),
    ("view", "--png x --html y", {"png": "x", "html": "y"}),
    ("view", "--layers visuals,,collisions,frames,names,tree,joints,limits,inertia",
     {"layers": ("visuals", "collisions", "frames", "names", "tree", "joints", "limits", "inertia")}),
    *[("view", f"--view {view}", {"view": view}) for view in ("front", "side", "top")],
    ("view", "--size 16x8192", {"size": (16, 8192)}),
    ("view", "--size 8192x16", {"size": (8192, 16)}),
    ("view", "--joint elbow=0.5 --joint a=b=-1", {"joint": [("elbow", 0.5), ("a=b", -1.0)]}),
    ("view", "--decimate 4", {"decimate": 4}),
    ("view", "--watch --host 0.0.0.0", {"watch": True, "host": "0.0.0.0"}),
    ("view", "--port 1", {"port": 1}),
    ("view", "--port 65535", {"port": 65535}),
    ("view", "--resource-path x --resource-path y", {"resource_path": ["x", "y"]}),
    ("batch", "--resume --jobs 2 --engine ray --address x:1",
     {"resume": True, "jobs": 2, "engine": "ray", "address": "x:1"}),
    ("batch", "--engine dask --seconds 0.5 --memory 100.5", {"engine": "dask", "seconds": 0.5, "memory": 100.5}),
    ("batch", "--resource-path x --resource-path y", {"resource_path": ["x", "y"]}),
    ("batch", "--preserve-fixed-joints --massless keep --version 1.9",
     {"preserve_fixed_joints": True, "massless": "keep", "to_version": "1.9"}),
    ("batch", "--massless error", {"massless": "error"}),
    ("report", "--baseline old -o x.html", {"baseline": "old", "output": "x.html"}),
    ("report", "--output x.html", {"output": "x.html"}),
    ("describe", "a b/c --json", {"elements": ["a", "b/c"], "json": True}),
    ("explain", "F001 F002 --json", {"codes": ["F001", "F002"], "json": True}),
    ("demo", "--to x", {"to": "x"})]
REFUSED = {
    "check": [("--jobs 10000", "--jobs/-j: '10000' is not a number of processes from 0 to 9999"),
              ("--jobs ²", "--jobs/-j: '²' is not a number of processes from 0 to 9999"),
              ("--format xml", "--format: invalid choice: 'xml'"), ("--massless lump", "--massless: invalid choice"),
              ("--error Z999", "--error: unknown code 'Z999'; 'sdf_frames explain' lists all"),
              ("--ignore Z999", "--ignore: unknown code 'Z999'; 'sdf_frames explain' lists all"),
              ("- -", "standard input (-) can be read only once"), ("--limit bytes=0", "bytes")],
    "frames": [("--joint elbow", "--joint: 'elbow' is not NAME=VALUE"),
               ("--joint elbow=x", "--joint: 'elbow=x' is not NAME=VALUE"),
               ("--rpy --degrees", "--degrees: not allowed with argument --rpy"),
               ("--rpy --matrix", "--matrix: not allowed with argument --rpy")],
    "inertia": [*[(f"--{option} {value}", f"--{option}: '{value}' is not a positive number")
                  for option in ("density", "scale", "voxel-size") for value in ("0", "-1", "inf", "nan", "x")],
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
    "upgrade": [("--to 1.2", "--to: invalid choice"), ("--to 2.0", "--to: invalid choice")],
    "diff": [*[(f"--tolerance={v}", f"--tolerance: '{v}' is not a number >= 0")
               for v in ("-1", "-.5", "inf", "nan", "x")],
             ("c.sdf", "two files are compared, 'c.sdf' is a third")],
    "graph": [("--kind chain", "--kind: invalid choice"), ("--format pdf", "--format: invalid choice"),
              ("--depth x", "--depth: 'x' is not a number of levels, such as 3")],
    "view": [*[(f"--size {v}", f"--size: '{v}' is not a size such as 1200x900, from 16 to 8192 pixels each")
               for v in ("15x16", "16x15", "8193x16", "16x8193", "16", "ax16", "16xa")],
             *[(f"--decimate {v}", f"--decimate: '{v}' is not a number of triangles, such as 20000")
               for v in ("3", "x")],
             *[(f"--port {v}", f"--port: '{v}' is not a port from 1 to 65535") for v in ("0", "65536", "x", "²")],
             ("--joint elbow=x", "--joint: 'elbow=x' is not a position such as elbow=0.5"),
             ("--layers visuals,walls", "--layers: unknown layer 'walls'; choose from visuals, collisions, frames, "
                                        "names, tree, joints, limits, inertia"),
             ("--view back", "--view: invalid choice")],
    "batch": [*[(f"--{option} {v}", f"--{option}: '{v}' is not a positive number")
                for option in ("seconds", "memory") for v in ("0", "inf", "x")],
              ("--engine mpi", "--engine: invalid choice"), ("--version 1.2", "--version: invalid choice"),
              ("--massless lump", "--massless: invalid choice")]}


def parse(command, words):
    found = vars(build_parser(command).parse_args([command, *DEFAULTS[command][0], *words]))
    return {key: value for key, value in found.items() if key not in ("command", "run", "parser")}


@pytest.mark.parametrize("command", COMMANDS)
def test_defaults(command):
    assert parse(command, []) == DEFAULTS[command][1]


@pytest.mark.parametrize(("command", "words", "changed"), GIVEN, ids=[f"{c} {w}" for c, w, _ in GIVEN])
def test_each_option_sets_its_value(command, words, changed):
    assert parse(command, words.split()) == {**DEFAULTS[command][1], **changed}


@pytest.mark.parametrize("command", REFUSED)
def test_values_that_are_refused(command, capsys):
    for words, problem in REFUSED[command]:
        with pytest.raises(SystemExit) as ended:
            parse(command, words.split())
        assert ended.value.code == 2, words
        assert problem in capsys.readouterr().err, words


@pytest.mark.parametrize("command", ["check", "frames", "batch", "report", "diff"])
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
        build_parser("check").parse_args(["check", "arm:=left"])
    assert "name at least one FILE" in capsys.readouterr().err
    assert build_parser("view").parse_args(["view", "arm:=left"]).files == []


@pytest.mark.parametrize(("command", "option", "words"), [
    ("check", "--format", "text json sarif github"), ("check", "--massless", "frame keep error"),
    ("inertia", "--method", "auto exact voxel hull shell"), ("inertia", "--on-failure", "error default"),
    ("convert", "--uri-style", "model package keep file"), ("to-urdf", "--uri-style", "model package keep file"),
    ("convert", "--sdf-version", "1.7 1.8 1.9 1.10 1.11 1.12"),
    ("upgrade", "--to", "1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12"),
    ("batch", "--version", "1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12"), ("batch", "--engine", "loky dask ray"),
    ("graph", "--kind", "tree kinematic frame pose"), ("graph", "--format", "text dot mermaid html svg png"),
    ("view", "--view", "iso front side top")])
def test_the_words_that_an_option_takes(command, option, words):
    """The default is one of them."""
    found = {str(value) for word in words.split() for key, value in parse(command, [option, word]).items()
             if value == word and key not in ("command_name", "files", "sources")}
    assert found >= set(words.split())


FILE = "FILE --json --resource-path DIR --exclude PATTERN --config FILE --no-config --jobs/-j N --limit NAME=VALUE"
URDF = "--preserve-fixed-joints --massless"
OUT = "-o/--output OUT --output-dir DIR --parents"
# What --help lists: arguments, and options with the word for their value; no word where the values are listed.
LISTED = {
    "check": f"{FILE} {URDF} --format --concise --statistics --quiet/-q --error CODE --ignore CODE --strict "
             "--baseline FILE --write-baseline FILE --assets --urdf --fix --untrusted --watch",
    "frames": f"{FILE} {URDF} --relative-to/--from FRAME --to FRAME --joint NAME=VALUE --rpy --degrees --matrix",
    "inertia": f"{FILE} {URDF} --link NAME --method --scale S --voxel-size M --density KG/M3 --calculator NAME "
               "--on-failure --recompute --write --plot OUT.png --compare",
    "convert": f"{FILE} --sdf-version V {URDF} --uri-style --report --only ACTION,... --check {OUT}",
    "to-urdf": f"{FILE} --model NAME --joint-frames --uri-style --report --only ACTION,... --calculator NAME {OUT}",
    "print": f"{FILE} {URDF} --preserve-includes/-i --expand-auto-inertials --degrees --snap-to-degrees N "
             f"--snap-tolerance T --precision P --calculator NAME {OUT}",
    "upgrade": f"{FILE} --to V -o/--output OUT --output-dir DIR --in-place --parents",
    "uri": FILE,
    "diff": f"A B NAME:=VALUE --tolerance T --json --html OUT --png OUT --resource-path DIR --config FILE --no-config "
            f"--limit NAME=VALUE {URDF}",
    "graph": f"{FILE} {URDF} --kind --format --depth N -o/--output OUT",
    "view": "FILE --png OUT --html OUT --layers LIST --view --size WxH --joint NAME=Q --decimate N --watch "
            f"--port PORT --host HOST --resource-path DIR --exclude PATTERN --config FILE --no-config "
            f"--limit NAME=VALUE {URDF}",
    "batch": f"COMMAND SOURCE --to OUT --resume --jobs N --engine --address URL --seconds S --memory MB "
             f"--resource-path DIR {URDF} --version V --config FILE --no-config",
    "report": "RESULTS --baseline RESULTS -o/--output OUT",
    "describe": "ELEMENT --json", "explain": "CODE --json", "demo": "--to DIR"}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_help_lists(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    with pytest.raises(SystemExit, match="0"):
        build_parser(command).parse_args([command, "--help"])
    text = capsys.readouterr().out
    rows = [line[2:].split("  ")[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    found = []
    for row in rows:
        words = re.sub(r" \{.*?\}", "", row).replace(", ", " ").split() if row.startswith("-") else row.split()
        names, values = [word for word in words if word[0] == "-"], [word for word in words if word[0] != "-"]
        found.append(" ".join(["/".join(names), *values[-1:]]).strip())
    found.remove("-h/--help")
    assert sorted(found) == sorted(re.findall(r"--?\S+(?: [^-\s]\S*)?|\S+", LISTED[command])), text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_command_does(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        build_parser(command).parse_args([command, "--help"])
    said = importlib.import_module(f"sdf_frames.cli.{command.replace('-', '_')}").__doc__
    assert " ".join(said.split()) in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("command", "fields"), [("check", ["files"]), ("upgrade", ["files"]), ("view", ["files"]),
                                                 ("diff", ["a", "b"])])
def test_a_models_folder_stands_for_its_file(command, fields, tmp_path):
    (tmp_path / "model.config").write_text('<model><sdf version="1.9">arm.sdf</sdf></model>')
    (tmp_path / "arm.sdf").write_text("<sdf/>")
    args = build_parser(command).parse_args([command, *[str(tmp_path)] * len(fields)])
    settle_inputs(args)
    for field in fields:
        assert getattr(args, field) in (file := str(tmp_path / "arm.sdf"), [file])
