"""One table of load options: what is added to it is offered everywhere, and what repeats it agrees with it."""
import json
import subprocess
import sys
from pathlib import Path

import pytest

import sdf_frames as sf
from sdf_frames.api.loading import Options
from sdf_frames.convert.options import ConvertOptions
from sdf_frames.inertia.declare import SAVE_IN_ELEMENT
from sdf_frames.inertia.link import REFUSE, STAND_IN
from sdf_frames.options import OPTIONS, LoadOptions

TOP = Path(__file__).resolve().parents[1]
NEW_OPTION = '''
import json, sys, types
from pathlib import Path
import sdf_frames
module = types.ModuleType("sdf_frames.options")
sys.modules[module.__name__] = module
text = Path(sdf_frames.__file__).with_name("options.py").read_text(encoding="utf-8")
before, after = text.split("    named: tuple")
exec(before + """    colour: Annotated[str, Option(
        "paint it (``red``)", ("red", "green"), flag="--colour", group="conversion", node="", launch="")] = "red"
    named: tuple""" + after, vars(module))
'''
SDF = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


def run_with_new_option(code: str) -> object:
    """Run a program in which the table has one more row; return what it prints, read as JSON."""
    done = subprocess.run([sys.executable, "-c", NEW_OPTION + code], cwd=TOP, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_library_takes_a_new_option():
    assert run_with_new_option(f'''
import sdf_frames as sf
loaded = [sf.loads({SDF!r}, **options)._description.options.colour for options in ({{}}, {{"colour": "green"}})]
try:
    sf.loads({SDF!r}, colour="blue")
except ValueError as error:
    print(json.dumps([*loaded, str(error)]))
''') == ["red", "green", "colour must be one of red, green, not 'blue'"]


@pytest.mark.parametrize("command", ["check", "convert", "frames", "graph", "inertia", "print", "diff", "view",
                                     "batch"])
def test_a_command_takes_a_new_option(command):
    words = {"diff": ["a", "b"], "batch": ["check", "a", "--to", "out"]}.get(command, ["a"])
    assert run_with_new_option(f'''
from sdf_frames.cli import build_parser
from sdf_frames.cli.common import read_given
args = build_parser({command!r}).parse_args({[command, *words, "--colour", "green"]!r})
shown, = [action.help for action in args.parser._actions if action.dest == "colour"]
print(json.dumps([read_given(args)["colour"], module.make_options(read_given(args)).colour, shown]))
''') == ["green", "green", "paint it (red) (default: red)"]


def test_the_node_and_the_launch_files_take_a_new_option():
    assert run_with_new_option('''
from sdf_frames.ros.launch_arguments import ARGUMENTS, SHARED
from sdf_frames.ros.settings import PARAMETERS, Settings, apply_values
row, = [argument for argument in SHARED if argument.name == "colour" and argument in ARGUMENTS]
results = [apply_values(Settings(), [types.SimpleNamespace(name="colour", value=v)]) for v in ("green", "blue")]
print(json.dumps([row, PARAMETERS["colour"].text, [(settings.loading.colour, why) for settings, why in results]]))
''') == [["colour", "red", "paint it (red)", ["red", "green"]], "paint it (red)", [
        ["green", None], ["red", "colour is 'blue', not one of 'red', 'green'"]]]


def test_what_type_checkers_see_is_the_table():
    assert list(Options.__annotations__) == list(OPTIONS)
    for name, kind in Options.__annotations__.items():
        own = LoadOptions.__annotations__[OPTIONS[name].field].__origin__
        own = getattr(own, "__name__", None) if isinstance(own, type) else str(own)
        if own in ("bool", "str", "str | None"):
            assert kind.__forward_arg__ == own, name


def test_the_docstring_has_the_words_of_the_table():
    text = " ".join(sf.load.__doc__.split())
    assert [name for name, option in OPTIONS.items() if f" {name} : {option.text}" not in text] == []


def test_lower_layers_know_the_same_values_and_defaults():
    assert OPTIONS["inertia_failure"].choices == (REFUSE, STAND_IN)
    assert SAVE_IN_ELEMENT in OPTIONS["auto_inertia"].choices
    assert LoadOptions().for_conversion() == ConvertOptions()


@pytest.mark.skipif(not (TOP / "docs").exists(), reason="not run from the source tree")
def test_the_tables_in_the_docs_are_made_from_the_options():
    assert run_with_new_option(f'''
sys.path.insert(0, {str(TOP / "tools")!r})
import build_pages
print(json.dumps("| `colour` | paint it (`red`) | `'red'` |" in build_pages.tabulate_load_options()))
''')
