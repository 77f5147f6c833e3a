"""A newcomer finds the tests of every module: they have its name, or test/README.md says where they are."""
import ast
import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PAGE = (TOP / "test" / "README.md").read_text(encoding="utf-8")
# What another name means cannot hold where a module is gone: lines of the table alone.
ROWS = re.findall(r"^\| (`[\w/` ]+`) \| (`.+) \|$", PAGE.partition("## Where the tests of a module are")[2],
                  re.MULTILINE)


def find_modules() -> dict[str, Path]:
    """Modules that do something, by their path without suffix, with the file of tests of the same name."""
    modules = {}
    for path in (TOP / "sdf_frames").rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if path.stem.startswith("__") or not any(isinstance(n, (ast.FunctionDef, ast.ClassDef)) for n in nodes):
            continue
        name = path.relative_to(TOP / "sdf_frames").with_suffix("")
        modules[name.as_posix()] = TOP / "test" / name.parent / f"test_{name.name.strip('_')}.py"
    return modules


def test_every_module_has_a_file_of_tests_of_its_name_or_a_place_in_the_table():
    named = [word for words, _ in ROWS for word in words.replace("`", "").split()]
    modules = find_modules()
    assert len(named) == len(set(named)), "a module is in two rows"
    assert {name for name, tests in modules.items() if not tests.exists()} - set(named) == set(), "these are missing"
    assert {name for name in named if name not in modules} == set(), "there are no such modules"
    assert {name for name in named if name in modules
            and modules[name].exists()} == set(), "these have tests of their name"
    assert len(modules) >= 100


def test_the_docstrings_of_large_packages_name_their_modules():
    for package in ("convert", "document", "frames", "sdf"):
        text = ast.get_docstring(ast.parse((TOP / "sdf_frames" / package / "__init__.py").read_text(encoding="utf-8")))
        modules = {path.stem for path in (TOP / "sdf_frames" / package).glob("[!_]*.py")}
        assert set(re.findall(r"(?<!`)`(\w+)`", text)) == modules, package


def test_every_file_that_the_table_names_is_there():
    files = {word for _, words in ROWS for word in re.findall(r"`([\w/]+(?:\.py)?)`", words)}
    assert len(files) >= 50
    assert {file for file in files if not (TOP / "test" / file).exists()} == set()


def test_what_contributing_says_to_change_is_there():
    """Each name of the table is in the file that is named behind it: `NAME` in `FILE`, or of `FILE`."""
    rows = re.findall(r"^\| (?!to add|---).*? \| (.*) \|$", (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8"),
                      re.MULTILINE)
    named = [pair for row in rows for pair in re.findall(r"`(\w+)`(?: and `(\w+)`)?,? (?:in|of) `(\w+/\w+\.py)`", row)]
    for *names, file in named:
        text = (TOP / "sdf_frames" / file).read_text(encoding="utf-8")
        assert [name for name in filter(None, names) if not re.search(rf"\b{name}\b", text)] == [], file
    assert len(named) >= 12
