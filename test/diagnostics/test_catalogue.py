"""The catalogue of findings and the code that uses it: neither knows a row that the other does not."""
import ast
import re
import string
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import sdf_frames
from sdf_frames.diagnostics import catalogue
from sdf_frames.diagnostics.catalogue import CATALOGUE
from sdf_frames.diagnostics.catalogue.rule import Rule
from sdf_frames.sdf.model import JOINT_TYPES as SDF_TYPES
from sdf_frames.urdf.model import JOINT_TYPES as URDF_TYPES

PACKAGE = Path(sdf_frames.__file__).parent
RULES = [row for name in sorted(vars(catalogue))
         if isinstance(rows := getattr(vars(catalogue)[name], "RULES", None), tuple)
         for row in rows]
FAMILIES = re.findall(r"\b([A-Z]) (?=[a-z]|XML|URIs|URDF|SRDF|TF)",
                      catalogue.__doc__[catalogue.__doc__.index("Families:"):].split("\n\n")[0])
# libsdformat's ErrorCode, as its specification in the project's documents lists it.
ERROR_CODES = ["NONE", "FILE_READ", "DUPLICATE_NAME", "RESERVED_NAME", "ATTRIBUTE_MISSING", "ATTRIBUTE_INVALID",
    "ATTRIBUTE_DEPRECATED", "ATTRIBUTE_INCORRECT_TYPE", "ELEMENT_MISSING", "ELEMENT_INVALID", "ELEMENT_DEPRECATED",
    "ELEMENT_INCORRECT_TYPE", "ELEMENT_ERROR", "URI_INVALID", "URI_LOOKUP", "DIRECTORY_NONEXISTANT",
    "MODEL_CANONICAL_LINK_INVALID", "MODEL_WITHOUT_LINK", "NESTED_MODELS_UNSUPPORTED", "LINK_INERTIA_INVALID",
    "JOINT_CHILD_LINK_INVALID", "JOINT_PARENT_LINK_INVALID", "JOINT_PARENT_SAME_AS_CHILD", "FRAME_ATTACHED_TO_INVALID",
    "FRAME_ATTACHED_TO_CYCLE", "FRAME_ATTACHED_TO_GRAPH_ERROR", "POSE_RELATIVE_TO_INVALID", "POSE_RELATIVE_TO_CYCLE",
    "POSE_RELATIVE_TO_GRAPH_ERROR", "ROTATION_SNAP_CONFIG_ERROR", "STRING_READ", "MODEL_PLACEMENT_FRAME_INVALID",
    "VERSION_DEPRECATED", "MERGE_INCLUDE_UNSUPPORTED", "PARAMETER_ERROR", "UNKNOWN_PARAMETER_TYPE", "FATAL_ERROR",
    "WARNING", "JOINT_AXIS_EXPRESSED_IN_INVALID", "CONVERSION_ERROR", "PARSING_ERROR", "JOINT_AXIS_MIMIC_INVALID",
    "XML_ERROR"]
# libsdformat's codes that no row here stands for, and why no file can cause them, or not alone.
NOT_CAUSED_BY_FILES = {
    "NONE": "no error",
    "ATTRIBUTE_DEPRECATED": "raised nowhere", "URI_INVALID": "raised nowhere",
    "DIRECTORY_NONEXISTANT": "raised nowhere",
    "NESTED_MODELS_UNSUPPORTED": "raised nowhere", "VERSION_DEPRECATED": "raised nowhere",
    "ELEMENT_ERROR": "misuse of its programming interface", "FATAL_ERROR": "misuse of its programming interface",
    "UNKNOWN_PARAMETER_TYPE": "misuse of its programming interface", "XML_ERROR": "misuse of its programming interface",
    "ROTATION_SNAP_CONFIG_ERROR": "an option of its command line", "STRING_READ": "FILE_READ, for text in memory",
    "FRAME_ATTACHED_TO_GRAPH_ERROR": "always an echo of FRAME_ATTACHED_TO_INVALID and others",
    "POSE_RELATIVE_TO_GRAPH_ERROR": "always an echo of POSE_RELATIVE_TO_INVALID and others",
    "PARAMETER_ERROR": "on its console only, beside ELEMENT_INVALID or ATTRIBUTE_INVALID",
}


def fields_of(template: str) -> set:
    return {re.match(r"\w+", name).group() for _, name, _, _ in string.Formatter().parse(template) if name}


@cache
def find_calls():
    """``(place, names, keywords or None)`` of every ``diagnose(…)``, or call that passes a row's name on to it: the
    rows that its first argument can name, empty where a variable says it, and the fields, None where a mapping has
    them."""
    calls = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and (
                    getattr(node.func, "id", getattr(node.func, "attr", "")) == "diagnose"
                    or getattr(node.args[0], "value", None) in CATALOGUE):
                names = {c.value for c in ast.walk(node.args[0]) if isinstance(c, ast.Constant)
                         and isinstance(c.value, str)}
                keywords = {k.arg for k in node.keywords}
                named = names & set(CATALOGUE) or (names if isinstance(node.args[0], ast.Constant) else set())
                calls.append((f"{path.relative_to(PACKAGE)}:{node.lineno}", named,
                              None if None in keywords else keywords))
    return calls


def find_words():
    """Every string constant of the package outside of the catalogue."""
    for path in PACKAGE.rglob("*.py"):
        if "catalogue" not in path.parts:
            yield from (n.value for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                        if isinstance(n, ast.Constant) and isinstance(n.value, str))


@pytest.mark.parametrize("field", ["code", "name"])
def test_no_two_rows_share_a_code_or_a_name(field):
    counts = Counter(getattr(rule, field) for rule in RULES)
    assert [value for value, count in counts.items() if count > 1] == []
    assert len(CATALOGUE) == len(catalogue.BY_CODE) == len(RULES)


def test_rows_are_well_formed():
    for rule in RULES:
        assert isinstance(rule, Rule), rule
        assert re.fullmatch(r"[A-Z]\d{3}", rule.code) and rule.code[0] in FAMILIES, rule
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name), rule
        assert rule.severity in ("error", "warning", "info"), rule
        assert rule.template and not rule.template.endswith("."), rule
        assert rule.sdformat is None or rule.sdformat in ERROR_CODES, rule
        assert not rule.meaning or rule.meaning.endswith(".") and "{" not in rule.meaning, rule
        assert fields_of(rule.hint) <= fields_of(rule.template) | used_fields(rule.name), rule


def used_fields(name: str) -> set:
    """Fields that every call for a row gives."""
    given = [keywords for _, names, keywords in find_calls() if name in names and keywords is not None]
    return set.intersection(*given) if given else set()


def test_every_error_code_that_a_file_can_cause_has_a_row_and_models():
    possible = set(ERROR_CODES) - set(NOT_CAUSED_BY_FILES)
    assert possible == {rule.sdformat for rule in RULES} - {None}
    models = PACKAGE.parent / "test" / "models" / "errors"
    assert possible == {p.name for p in models.iterdir() if p.is_dir()}


def test_every_row_is_used():
    words = set(find_words())
    assert sorted(rule.name for rule in RULES if rule.name not in words) == []


def test_every_row_is_named_in_a_test():
    tests = Path(__file__).parents[1]
    words = {word for pattern in ("*.py", "*.json") for path in tests.rglob(pattern)
             for word in re.findall(r"[A-Z]\d{3}\b|[a-z0-9]+(?:-[a-z0-9]+)*", path.read_text(encoding="utf-8"))}
    assert sorted(rule.name for rule in RULES if not words & {rule.code, rule.name}) == []


def test_commands_in_hints_can_be_pasted():
    """Names that users choose are quoted for the shell: ``{field:q}`` in the catalogue, ``{quote(…)}`` elsewhere."""
    fields = {field for rule in RULES for field in re.findall(r"sdf_frames \w[^{}:]*\{(\w+)\}", rule.hint)}
    assert fields == {"code", "tag"}
    texts = [path.read_text(encoding="utf-8") for layer in PACKAGE.iterdir() if layer.name not in ("cli", "ros")
             for path in layer.rglob("*.py")]
    values = {value for text in texts for value in re.findall(r"--[a-z-]+[ =]\{(?!quote\(|\w+:q\})([^{}]*)\}", text)}
    assert values == {"base", "name", "scale:g"}  # of a program, a limit, and a number


def test_every_call_names_a_row():
    assert [(place, names) for place, names, _ in find_calls() if not names <= set(CATALOGUE)] == []
    assert any(names for _, names, _ in find_calls())


def test_every_call_gives_its_row_what_the_message_needs():
    wrong = []
    for place, names, keywords in find_calls():
        if keywords is not None:
            wrong += [(place, name, sorted(missing)) for name in names
                      if (missing := fields_of(CATALOGUE[name].template) - keywords)]
    assert wrong == []


@pytest.mark.parametrize("name, types", [("joint-type-unknown", URDF_TYPES), ("joint-type-invalid", SDF_TYPES)])
def test_the_types_of_joints_that_texts_list_are_those_of_the_table(name, types):
    rule = CATALOGUE[name]
    for text in (rule.hint, rule.meaning.partition("the joint types ")[2]):
        assert re.findall(r"(\w+)(?=,| or| and|\.|$)", text.replace("one of: ", "").rstrip(".")) == list(types)
