"""``check --fix``, and the same fixes in JSON and SARIF: what is mended, and every byte that is not."""
import io
import json
import sys

import pytest
from written_text import find_renamings

from sdf_frames.cli import main

TEXT = """<!-- keep   me -->
<sdf version='{version}'>   <model  name='m' ><link name="a"/>\t<link name='b'/>
<joint\tname='{a|a_joint}' type="fixed"><parent> a </parent><child><!-- x -->b</child></joint>
<frame name="ä"><pose frame='a'>0  0 0 0 0 0</pose></frame><frame name = '{__f__|f}' ></frame>
<link name="c"><pose   frame='{__f__|f}' >1 0 0  0 0 0</pose></link><joint name="j" type="revolute"><parent>
  b </parent><child>c</child><axis><xyz>0 0 1</xyz><mimic joint='{a|a_joint}'/></axis></joint>
<frame name="{__g&amp;'__|g&amp;'}"/><gripper name="g"><palm_link>b</palm_link></gripper></model></sdf>
"""


def choose(text, place):
    """A text before (0) or after (1) its fixes."""
    parts = text.replace("{version}", "1.6").split("{")
    return parts[0] + "".join(p.partition("}")[0].split("|")[place] + p.partition("}")[2] for p in parts[1:])


def fix(path, capsys):
    main(["check", "--fix", str(path)])
    return capsys.readouterr()


@pytest.mark.parametrize("head, encoding", [
    ("", "utf-8"), ("\ufeff", "utf-8"), ('<?xml version="1.0" encoding="iso-8859-1"?>', "iso-8859-1"),
    ("\ufeff", "utf-16-le"), ("\ufeff<?xml version='1.0' encoding='utf-16'?>\n", "utf-16-be"),
    ("<?xml version='1.0'  ?>\n\n", "utf-8")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_the_bytes_of_names_change(head, encoding, end, tmp_path, capsys):
    file = tmp_path / "m.sdf"
    before, after = ((head + choose(TEXT, i)).replace("\n", end).encode(encoding) for i in (0, 1))
    file.write_bytes(before)
    said = fix(file, capsys)
    assert file.read_bytes() == after and "renamed <joint> 'a' to 'a_joint'" in said.err
    fix(file, capsys)
    assert file.read_bytes() == after


def test_bytes_that_are_no_utf_8_stay(tmp_path, capsys):
    file = tmp_path / "m.sdf"
    before = b'<sdf version="1.6"><model name="m">\n<!-- \xff\xfe --><link name="a"/><frame name="a"/></model></sdf>'
    file.write_bytes(before)
    fix(file, capsys)
    assert file.read_bytes() == before.replace(b'frame name="a"', b'frame name="a_frame"')


def test_texts_in_sections_with_references_and_of_includes(tmp_path, capsys):
    (tmp_path / "p.sdf").write_text('<sdf version="1.6"><model name="a&amp;b"><link name="l"/></model></sdf>')
    text = ('<sdf version="1.6"><world name="w"><model name="m"><link name="a&amp;b"/>\n<link name="c"/>'
            '<frame name="{a&amp;b|a&amp;b_frame}"/>'
            '<joint name="{a&amp;b|a&amp;b_joint}" type="fixed"><parent><![CDATA[{a&b|a&b}]]></parent>'
            '<child>{__l__|l}</child></joint><link name="{__l__|l}"/></model></world></sdf>')
    file = tmp_path / "m.sdf"
    file.write_text(choose(text, 0))
    fix(file, capsys)
    assert file.read_text() == choose(text, 1)


OLD = ('<sdf version="1.5"><model name="m">\n<link name="a"/>\n<link name="b"/>\n{}<joint name="b" type="fixed">'
       '<parent>a</parent><child>b</child></joint>\n{}\n</model></sdf>')


@pytest.mark.parametrize("comment, words, frame", [
    ("<!-- sdf_frames: ignore N005 -->", (), "a_frame"), ("", ("--baseline", "known.json"), "a_frame"),
    ("", ("--ignore", "N005"), "a"), ("", ("--config", "ignoring.toml"), "a")])
def test_names_that_are_not_reported_stay(tmp_path, monkeypatch, capsys, comment, words, frame):
    """The comment and the baseline are for the joint alone, so that the frame gets its new name."""
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "m.sdf"
    (tmp_path / "ignoring.toml").write_text('[per-file."m.sdf"]\nignore = ["N005"]\n')
    file.write_text(OLD.format("", ""))
    main(["check", "m.sdf", "--write-baseline", "known.json"])
    capsys.readouterr()
    file.write_text(OLD.format(comment, '<frame name="a"/>'))
    main(["check", "--fix", "m.sdf", *words])
    assert file.read_text() == OLD.format(comment, f'<frame name="{frame}"/>')
    assert capsys.readouterr().err == ("m.sdf:5: renamed <frame> 'a' to 'a_frame'\n" if frame != "a" else "")


def test_findings_bring_their_fixes(tmp_path, capsys):
    file = tmp_path / "m sdf.sdf"
    text = ('<sdf version="1.9"><model name="m"><link name="a"/>\n<link name="b"><pose relative_to="{__f__|f}"/></link>'
            '<frame name="{__f__|f}"/><joint name="{a|a_joint}" type="fixed"><parent>a</parent><child>b</child></joint>'
            '</model></sdf>')
    file.write_text(choose(text, 0))
    assert main(["check", "--json", str(file)]) == 1
    found = {d["name"]: d.get("fixes") for d in json.loads(capsys.readouterr().out)["diagnostics"]}
    column = choose(text, 0).split("\n")[1].index('"a" type') + 2
    assert found["name-shared"] == [{"message": "rename <joint> 'a' to 'a_joint'", "edits": [
        {"line": 2, "column": column, "end_line": 2, "end_column": column + 1, "text": "a_joint"}]}]
    assert [[e["text"] for e in f["edits"]] for f in found["name-reserved"]] == [["f", "f"]]
    assert main(["check", "--format", "sarif", str(file)]) == 1
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (change,) = next(r for r in results if r["ruleId"] == "N002")["fixes"][0]["artifactChanges"]
    region = {"startLine": 2, "startColumn": column, "endLine": 2, "endColumn": column + 1}
    assert change == {"artifactLocation": results[0]["locations"][0]["physicalLocation"]["artifactLocation"],
                      "replacements": [{"deletedRegion": region, "insertedContent": {"text": "a_joint"}}]}


CLASH = '<sdf version="1.9">{}<model name="m"><link name="a"/><frame name="a"/></model></sdf>'


def list_fixes(capsys, *arguments):
    assert main(["check", "--json", *arguments]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    return [fix["message"] for d in found for fix in d.get("fixes", ())], [d["name"] for d in found]


def test_standard_input_has_fixes_too(capsys, monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(CLASH.format("").encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert list_fixes(capsys, "-")[0] == ["rename <frame> 'a' to 'a_frame'"]


def test_xacro_files_and_urdfs_have_no_fixes(tmp_path, capsys):
    """Their text is not the one that the places of the findings are in; a URDF has no such rules."""
    pytest.importorskip("xacro")
    file = tmp_path / "m.sdf.xacro"
    file.write_text(CLASH.format("").replace("<sdf", '<sdf xmlns:xacro="http://www.ros.org/wiki/xacro"'))
    assert list_fixes(capsys, str(file)) == ([], ["name-shared"])
    assert fix(file, capsys).out.endswith("m.sdf.xacro: invalid (1 error); --fix changes no .xacro file\n")
    file = tmp_path / "r.urdf"
    file.write_text('<robot name="r"><link name="a"/><link name="a"/></robot>')
    fixes, names = list_fixes(capsys, str(file))
    assert fixes == [] and len(names) > 0


@pytest.mark.parametrize(("root", "said"), [
    ('<robot name="r"><link name="a"/></robot>', True), ('<sdf version="1.7"><model name="m"/></sdf>', False)])
def test_the_verdict_on_a_urdf_says_that_it_has_no_fixes(root, said, tmp_path, capsys):
    """Both have errors: a link without mass, and a model without a link."""
    file = tmp_path / "r.xml"
    file.write_text(root)
    assert fix(file, capsys).out.splitlines()[-1].endswith("; --fix changes only SDFormat files") is said
    assert main(["check", str(file)]) == 1 and "--fix" not in capsys.readouterr().out and file.read_text() == root


def test_names_of_included_files_are_looked_up_beside_the_file(tmp_path, capsys, monkeypatch):
    """An included model of the name of a frame, from another folder than the working directory."""
    folder = tmp_path / "worlds"
    folder.mkdir()
    (folder / "part.sdf").write_text('<sdf version="1.9"><model name="part"><link name="l"/></model></sdf>')
    file = folder / "w.sdf"
    file.write_text('<sdf version="1.9"><model name="m"><link name="l"/><include><uri>part.sdf</uri></include>\n'
                    '<frame name="part"/></model></sdf>')
    monkeypatch.chdir(tmp_path)
    assert list_fixes(capsys, str(file))[0] == ["rename <frame> 'part' to 'part_frame'"]


def apply_one(text, fix):
    """The text with the edits of one fix, which are on one line each."""
    lines = text.split("\n")
    for edit in sorted(fix.edits, reverse=True):
        assert edit.line == edit.end_line
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[:edit.column - 1] + edit.text + line[edit.end_column - 1:]
    return "\n".join(lines)


def test_each_fix_has_the_edits_of_its_name_alone():
    """Two joints with the names of links, in two models: each fix gives its own joint and mimic another name."""
    model = ('<model name="{0}">\n<link name="a"/><link name="b"/><link name="c"/>\n'
             '<joint name="b" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>\n'
             '<joint name="k" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz>'
             '<mimic joint="b"><multiplier>1</multiplier></mimic></axis></joint>\n</model>')
    text = f'<sdf version="1.12"><world name="w">\n{model.format("m")}\n{model.format("n")}\n</world></sdf>'
    first, second = find_renamings(text, None)
    for renaming, start in ((first, 2), (second, 7)):
        assert renaming.fix.message == "rename <joint> 'b' to 'b_joint'"
        lines = apply_one(text, renaming.fix).split("\n")
        assert '<joint name="b_joint"' in lines[start + 1] and '<mimic joint="b_joint"' in lines[start + 2]
        assert {edit.line for edit in renaming.fix.edits} == {start + 2, start + 3}


def test_a_reference_from_outside_goes_with_the_model_that_it_names():
    """The paths m::x and n::x lead to joints that get other names."""
    model = ('<model name="{0}"><link name="a"/><link name="x"/>\n<joint name="x" '
             'type="fixed"><parent>a</parent><child>x</child>'
             "</joint></model>")
    text = (f'<sdf version="1.12"><world name="w">\n{model.format("m")}\n{model.format("n")}\n'
            '<joint name="j" type="fixed"><parent>m::x</parent><child>n::x</child></joint></world></sdf>')
    renamings = find_renamings(text, None)
    assert [(r.rename.old, r.rename.new) for r in renamings] == [("x", "x_joint")] * 2
    assert [{edit.line for edit in r.fix.edits} for r in renamings] == [{3}, {5}]  # the path means the links


def test_a_reference_goes_with_the_name_that_it_means():
    """Not with that of another model which has the same old name and the same new one."""
    model = '<model name="{0}"><link name="a  b"/><link name="a  b"/><frame name="__f__"/></model>'
    text = (f'<sdf version="1.12"><world name="w">\n{model.format("m")}\n{model.format("n")}\n'
            '<frame name="g" attached_to="n::__f__"/></world></sdf>')
    fixes = {(rename.old, rename.place.line): [e.line for e in fix.edits] for rename, fix in find_renamings(text, None)}
    assert fixes == {("a  b", 2): [2], ("__f__", 2): [2], ("a  b", 3): [3], ("__f__", 3): [3, 4]}


@pytest.mark.parametrize("content", ["<sdf", "<robot name='r'/>", "", '<sdf version="1.12"><model name="m"/></sdf>'])
def test_what_needs_no_other_names(content):
    assert find_renamings(content, None) == []


SHARED = ('<sdf version="1.12"><model name="m">\n<link name="a"/><link name="b"/>\n'
          '<joint name="a" type="fixed"><parent>a</parent><child>b</child></joint></model></sdf>')


@pytest.mark.parametrize("name, fixed", [(name, True) for name in (
    "name-duplicate", "name-shared", "name-shared-aside", "name-reserved", "name-with-delimiter", "name-renamed",
    "name-not-allowed")] + [("joint-axis-zero", False)])
def test_which_findings_a_new_name_fixes(name, fixed):
    """Those on names, at the place of the name or beside it."""
    from sdf_frames.diagnostics import Diagnostic, Related
    from sdf_frames.writers.renamed import attach_fixes
    (renaming,) = find_renamings(SHARED, None)
    line, column = renaming.rename.place.line, renaming.rename.place.column
    here = Diagnostic("N000", name, "error", "said", None, line, column=column)
    others = Related("r", 8), Related("r", line, column=column)
    beside = Diagnostic("N000", name, "error", "said", None, 9, related=others)
    apart = Diagnostic("N000", name, "error", "said", None, line, column=column + 1)
    elsewhere = here._replace(file="part.sdf")
    aside = beside._replace(related=(Related("r", line, column=column, file="part.sdf"),))
    assert [d.fixes for d in attach_fixes([here, beside, apart, elsewhere, aside], [renaming])] == [
        *[(renaming.fix,) if fixed else ()] * 2, (), (), ()]


@pytest.mark.parametrize("inside, fixes", [
    # A name with a delimiter goes with the references to it, and not with the renaming before it.
    ('<link name="l"/><frame name="__f__"/>\n<frame name="a::b"/><frame name="h" attached_to="__f__"/>\n'
     '<frame name="g" attached_to="a::b"/>', {"f": [1, 2], "a_b": [2, 3]}),
    # Of several elements with one old name, each has its own place.
    ('<link name="l"/>\n<frame name="l"/>\n<frame name="l"/>\n<frame name="l"/>',
     {"l_frame": [2], "l_frame0": [3], "l_frame1": [4]}),
    # Comments before a name, and between elements.
    ('<link name="a"/><link name="__b__"/>\n<joint name="j" type="fixed"><parent>a</parent><child><!-- c --> <!-- d -->'
     "__b__</child></joint>", {"b": [1, 2]}),
    ('<link name="a"/><!-- <link name="__b__"/> -->\n<link name="__b__"/>', {"b": [2]})])
def test_which_edits_belong_to_which_name(inside, fixes):
    renamings = find_renamings(f'<sdf version="1.12"><model name="m">{inside}</model></sdf>', None)
    assert {r.rename.new: [edit.line for edit in r.fix.edits] for r in renamings} == fixes
    assert all(edit.text == r.rename.new for r in renamings for edit in r.fix.edits)


def test_an_include_gets_a_name_on_a_line_of_its_own(tmp_path, capsys):
    (tmp_path / "part.sdf").write_text('<sdf version="1.9"><model name="part"><link name="l"/></model></sdf>')
    include = "  <include>{}\n    <uri>part.sdf</uri>\n  </include>\n"
    text = '<sdf version="1.9"><model name="m"><link name="l"/>\n{}{}</model></sdf>'
    file = tmp_path / "m.sdf"
    file.write_text(text.format(include.format(""), include.format("")))
    fix(file, capsys)
    assert file.read_text() == text.format(include.format(""), include.format("\n    <name>part_model</name>"))
