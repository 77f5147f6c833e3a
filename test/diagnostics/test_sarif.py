"""The whole log of SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/, sections 3.13 to 3.58."""
import re

from sdf_frames.diagnostics import Diagnostic, Related
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.diagnostics.model import Edit, Fix
from sdf_frames.diagnostics.sarif import to_sarif
from sdf_frames.load import load_text

FIX = Fix("rename it", (Edit(3, 5, 3, 8, "b"), Edit(9, 1, 10, 2, "c")))
FOUND = [
    Diagnostic("S003", "element-unknown", "warning", "first", "a b.sdf", 3, "/sdf/x", "look", (
        Related("there", 4, "/sdf/y", None, 6), Related("elsewhere", None, None, "c.sdf"), Related("whole", 8)),
        None, 5, (FIX,)),
    Diagnostic("F001", "frame-attached-to-unknown", "error", "second", "a b.sdf", 4),
    Diagnostic("S003", "element-unknown", "info", "third", "a b.sdf"),
    Diagnostic("F001", "frame-attached-to-unknown", "error", "fourth", related=(Related("no file", 1),), fixes=(FIX,))]


def place(uri, **region):
    return {"artifactLocation": {"uri": uri}, **({"region": region} if region else {})}


def test_the_log():
    log = to_sarif(iter(FOUND), "1.2")
    (run,) = log.pop("runs")
    assert log == {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"}
    driver = run.pop("tool")["driver"]
    assert [rule["id"] for rule in driver.pop("rules")] == ["F001", "S003"]
    assert driver == {"name": "sdf_frames", "version": "1.2"}
    results = run.pop("results")
    assert len({result.pop("partialFingerprints")["causeInFile/v1"] for result in results}) == 4
    assert run == {"columnKind": "unicodeCodePoints"}
    assert results[0] == {
        "ruleId": "S003", "ruleIndex": 1, "level": "warning", "message": {"text": "first (look)"},
        "locations": [{"physicalLocation": place("a%20b.sdf", startLine=3, startColumn=5),
                       "logicalLocations": [{"fullyQualifiedName": "/sdf/x"}]}],
        "relatedLocations": [
            {"id": 0, "message": {"text": "there"}, "logicalLocations": [{"fullyQualifiedName": "/sdf/y"}],
             "physicalLocation": place("a%20b.sdf", startLine=4, startColumn=6)},
            {"id": 1, "message": {"text": "elsewhere"}, "physicalLocation": place("c.sdf")},
            {"id": 2, "message": {"text": "whole"}, "physicalLocation": place("a%20b.sdf", startLine=8)}],
        "fixes": [{"description": {"text": "rename it"}, "artifactChanges": [{
            "artifactLocation": {"uri": "a%20b.sdf"}, "replacements": [
                {"deletedRegion": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 8},
                 "insertedContent": {"text": "b"}},
                {"deletedRegion": {"startLine": 9, "startColumn": 1, "endLine": 10, "endColumn": 2},
                 "insertedContent": {"text": "c"}}]}]}]}
    assert results[1:] == [
        {"ruleId": "F001", "ruleIndex": 0, "level": "error", "message": {"text": "second"},
         "locations": [{"physicalLocation": place("a%20b.sdf", startLine=4)}]},
        {"ruleId": "S003", "ruleIndex": 1, "level": "note", "message": {"text": "third"},
         "locations": [{"physicalLocation": place("a%20b.sdf")}]},
        {"ruleId": "F001", "ruleIndex": 0, "level": "error", "message": {"text": "fourth"}}]


def test_names_in_messages_are_no_placeholders_and_no_links():
    """Read as section 3.11.5 says, and 3.11.6 with its grammar of links; other brackets stay, as it allows."""
    said = ["${p}x is {0}, {{1}}", "l{0}[click](http://x)", r"a[b\](1) \[c](2)", "inertia [1, 2] of a[0] in C:\\x"]
    fix = FIX._replace(message=said[1])
    found = [FOUND[0]._replace(message=text, hint=None, related=(Related(text, 4),), fixes=(fix,)) for text in said]
    results = to_sarif(found, "1")["runs"][0]["results"]
    written = [result["message"]["text"] for result in results]
    assert written == [result["relatedLocations"][0]["message"]["text"] for result in results]
    assert {result["fixes"][0]["description"]["text"] for result in results} == {written[1]}
    link = re.compile(r"(?<!\\)(?:\\\\)*\[(?:[^\\\[\]]|\\[\\\[\]])*\]\([^)]*\)")
    assert link.search(said[1]) and link.search(said[2]) and not any(map(link.search, written))
    assert written[3] == said[3]
    read = [re.sub(r"\\([\\\[\]])", r"\1", text) for text in written[:3]]
    assert [text.format("wrong") for text in read] == said[:3]


def find_rule(code):
    (run,) = to_sarif([Diagnostic(code, "n", "error", "m")], "1")["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    return rule


def test_rules_have_their_words_and_level():
    helped = next(rule for rule in BY_CODE.values() if rule.hint and rule.severity == "warning")
    helpless = next(rule for rule in BY_CODE.values() if not rule.hint)
    levels = {"error": "error", "warning": "warning", "info": "note"}
    for rule in (helped, helpless):
        made = find_rule(rule.code)
        assert rule.code in made.pop("help")["text"]  # GitHub wants a text of each rule
        assert made == {
            "id": rule.code, "name": rule.name, "shortDescription": {"text": rule.name.replace("-", " ")},
            "fullDescription": {"text": rule.meaning or rule.message_in_words},
            "defaultConfiguration": {"level": levels[rule.severity]}}


def test_the_help_of_a_rule_says_what_to_do_and_shows_an_example():
    """As text, and as Markdown, in which tags stay as they are."""
    said = find_rule("F002")["help"]
    assert said["text"].startswith("Each of these frames is attached to another one of them, ")
    assert "\n\nWhat to do: attach one of them to a link\n" in said["text"]
    assert said["text"].endswith("\n\nMore: sdf_frames explain F002") and "```" not in said["text"]
    broken, sound = re.findall(r"\n\n```xml\n(.*?)\n```", said["markdown"], re.DOTALL)
    assert [d.code for text in (broken, sound) for d in load_text(text).diagnostics] == ["F002"]
    assert "whose root is \\<robot\\>, nor" in find_rule("X004")["help"]["markdown"]


def test_no_text_of_a_rule_has_a_field():
    """Code scanning shows them as they are."""
    log = to_sarif([Diagnostic(code, "n", "error", "m") for code in BY_CODE], "1")
    texts = [rule[key]["text"] for rule in log["runs"][0]["tool"]["driver"]["rules"]
             for key in ("fullDescription", "help") if key in rule]
    assert len(texts) > len(BY_CODE)
    assert {match for text in texts for match in re.findall(r"\{.*?\}", text)} == {"{name}"}  # of S025
    assert "link NAME" in " ".join(texts)


def test_bytes_of_a_name_that_are_no_text_are_percent_encoded():
    log = to_sarif([FOUND[0]._replace(file="a,b:c%\udcff.sdf", related=())], "1")
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%2Cb%3Ac%25%FF.sdf"
    assert result["fixes"][0]["artifactChanges"][0]["artifactLocation"]["uri"] == "a%2Cb%3Ac%25%FF.sdf"


def find_fingerprints(*found):
    return [result["partialFingerprints"]["causeInFile/v1"] for result in to_sarif(found, "1")["runs"][0]["results"]]


def test_a_fingerprint_stays_where_lines_move():
    first = Diagnostic("S003", "n", "warning", "m", "a.sdf", 3, "/sdf/model/link[2]")
    moved = first._replace(line=9, column=4, path="/sdf/model/link[7]", hint="h")
    assert find_fingerprints(first) == find_fingerprints(moved)
    assert find_fingerprints(first, moved) == find_fingerprints(moved, first)
    others = [first, first, first._replace(file="b.sdf"), first._replace(message="n"), first._replace(code="S004"),
              first._replace(path='/sdf/model/link[@name="x"]')]
    assert len(set(find_fingerprints(*others))) == len(others)


def test_absolute_paths_are_uris():
    (result,) = to_sarif([Diagnostic("S003", "n", "warning", "m", "/a b/ä.sdf", 3)], "1")["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///a%20b/%C3%A4.sdf"}
