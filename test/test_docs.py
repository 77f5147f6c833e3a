"""Pages: drawings are what their script draws, every page is in the contents, and every link leads somewhere."""
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import COMMANDS, build_parser, inertia
from sdf_frames.document.search_places import PLACES
from sdf_frames.frames.tf import MODES
from sdf_frames.inertia.mesh_formats import FORMATS
from sdf_frames.inertia.result import METHODS
from sdf_frames.ros.launch_arguments import ARGUMENTS

TOP = Path(__file__).resolve().parents[1]
DOCS = TOP / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if not {"_build", "generated"} & set(p.parts))
TOP_PAGES = [TOP / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")]
pytestmark = pytest.mark.skipif(not PAGES, reason="not run from the source tree")


def test_drawings_are_what_their_script_draws():
    done = subprocess.run([sys.executable, DOCS / "pictures" / "draw.py", "--check"], check=False)
    assert done.returncode == 0, "run docs/pictures/draw.py"


def test_pages_say_what_the_sources_say():
    made = runpy.run_path(str(TOP / "tools" / "build_pages.py"))["build"]()
    assert len(made) == 6
    assert [path for path, text in made.items() if path.read_text(encoding="utf-8") != text] == [], \
        "run tools/build_pages.py"


def test_every_page_is_in_the_table_of_contents():
    contents = re.findall(r"^   ([a-z_/0-9-]+)$", (DOCS / "index.rst").read_text(encoding="utf-8"), re.MULTILINE)
    pages = {p.relative_to(DOCS).with_suffix("").as_posix() for p in PAGES}
    listed = {name for name in contents if not name.startswith("generated/")}
    assert pages == listed and len(contents) == len(set(contents))


@pytest.mark.parametrize("page", [*PAGES, *TOP_PAGES], ids=lambda p: p.relative_to(TOP).as_posix())
def test_every_link_leads_to_a_file(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    targets = [t for t in re.findall(r"\]\(([^)\s]+)\)", text) if not t.startswith(("http:", "https:"))]
    for target in targets:
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists() or "generated" in file.parts, target
        if anchor and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
            assert anchor in slugs, target


def test_what_can_be_chosen_is_named_in_the_pages():
    """A row that is added to one of these tables is not found by users before a page has it."""
    (form,) = (action for action in build_parser("check")._subparsers._group_actions[0].choices["check"]._actions
               if "--format" in action.option_strings)
    pages = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("commands", "inertia", "ros")}
    pages["inertia --help"] = inertia.__doc__
    wanted = {"commands": [*(f"| `{name}` | {text} |" for name, text in COMMANDS.items()),
                           *(f".{suffix}" for suffix in FORMATS), *(place.variable or place.title for place in PLACES),
                           *(f"--{name}" if name == "json" else f"--format {name}" for name in form.choices[1:])],
              "inertia --help": [f".{suffix}" for suffix in FORMATS],
              "inertia": [f"`{method}`" for method in METHODS], "ros": [f"`{mode}`" for mode in MODES]}
    assert {page: missing for page, words in wanted.items()
            if (missing := [word for word in words if word not in pages[page]])} == {}


def test_the_reference_is_made_from_the_code(tmp_path, monkeypatch):
    """Every command with its options, every parameter with its default, every interface: as Sphinx will read them."""
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.delitem(sys.modules, "reference_pages", raising=False)
    import reference_pages
    reference_pages.write_pages(tmp_path, TOP)
    names = ("commands", "parameters", "interfaces")
    commands, parameters, interfaces = ((tmp_path / f"{name}.md").read_text() for name in names)
    from sdf_frames.cli import COMMANDS
    assert re.findall(r"^## (.*)$", commands, re.MULTILINE) == list(COMMANDS)
    assert "`--resource-path DIR`" in commands and "%(" not in commands
    yaml = (TOP / "config" / "sdf_frames.yaml").read_text()
    names = set(re.findall(r"^    #?(\w+):", yaml, re.MULTILINE))
    assert names <= set(re.findall(r"^\| `(\w+)` \|", parameters, re.MULTILINE))
    assert "| `tf_mode` | string | `all` |" in parameters and "| `time_limit` | double | `60.0` |" in parameters
    files = {p.stem for p in (*TOP.glob("msg/*"), *TOP.glob("srv/*"))}
    assert set(re.findall(r"^### (\w+)$", interfaces, re.MULTILINE)) == files


def commands_for_ros() -> list[tuple[str, str]]:
    """(page, command) for every command of ROS 2 in the pages, which run only where there is one."""
    found = []
    for page in [*PAGES, *TOP_PAGES]:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            lines = [line for line in block.split("\n") if line.startswith("ros2 ") and "sdf_frames" in line]
            found += [(page.name, line) for line in lines]
    return found


def test_names_of_ros_in_the_pages_exist():
    """Launch arguments, services with their fields, parameters: by the files that define them."""
    arguments = {argument.name for argument in ARGUMENTS}
    parameters = set(re.findall(r"^    #?(\w+):", (TOP / "config" / "sdf_frames.yaml").read_text(), re.MULTILINE))
    commands = commands_for_ros()
    assert len(arguments) > 10 and len(commands) > 10
    for page, command in commands:
        if "convert.launch.py" in command:
            assert set(re.findall(r"(\w+):=", command)) <= arguments, (page, command)
        elif call := re.match(r'ros2 service call /(?:\w+/)*(\w+) sdf_frames/srv/(\w+)(?: "\{(.*)\}")?', command):
            name, kind, request = call.groups()
            fields = (TOP / "srv" / f"{kind}.srv").read_text().split("\n---")[0]
            assert name == re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower(), (page, command)
            for field in re.findall(r"(\w+):", request or ""):
                assert re.search(rf"^\S+ {field}\b", fields, re.MULTILINE), (page, command)
        elif "sdf_frames_node" in command:
            assert set(re.findall(r"-p (\w+):=", command)) <= parameters, (page, command)
