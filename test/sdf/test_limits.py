"""Deep, wide and circular files: read in full, or refused with a finding; never a stack that ends or a wait without
end."""
import pytest

from sdf_frames.document.budget import Budget
from sdf_frames.load import LoadOptions, load_file, load_text


def nest(depth, inmost=""):
    return "".join(f'<model name="m{i}"><link name="l"/>' for i in range(depth)) + inmost + "</model>" * depth


def sdf(body):
    return f'<sdf version="1.12">{body}</sdf>'


def include(uri, rest=""):
    return f"<include><uri>{uri}</uri>{rest}</include>"


def names(loaded):
    loaded.scopes
    return [d.name for d in loaded.diagnostics if d.severity != "info"]


def write(folder, **files):
    for name, body in files.items():
        (folder / f"{name}.sdf").write_text(sdf(body))
    return folder / f"{next(iter(files))}.sdf"


def test_full_names_are_limited(tmp_path):
    """Names inside of models repeat theirs: 200 levels of 2,000 letters with 100 links each took 4 GB."""
    body = nest(3)  # m0: l, m1, m1::l, m1::m2, m1::m2::l
    assert load_text(sdf(body), options=LoadOptions(budget=Budget(full_names=1 + 2 + 5 + 6 + 9))).valid
    (found,) = load_text(sdf(body), options=LoadOptions(budget=Budget(full_names=22))).diagnostics
    assert (found.name, found.severity, found.path) == ("limit-exceeded", "error", "/sdf")
    assert found.message == "23 letters of the full names of all links; the limit is 22"
    # Models that are included several times, and those that are merged, have names at each place.
    inner = write(tmp_path, inner='<model name="i"><link name="l"/><model name="j"><link name="k"/></model></model>')
    world = f'<world name="w">{include(inner)}{include(inner, "<name>o</name>")}</world>'
    letters = 2 * (1 + 4 + 4 + 7)  # i, i::l, i::j, i::j::k
    for limit, valid in ((letters, True), (letters - 1, False)):
        assert load_text(sdf(world), options=LoadOptions(budget=Budget(full_names=limit))).valid is valid


def test_10_000_siblings():
    loaded = load_text(sdf('<model name="m">' + "".join(f'<link name="l{i}"/>' for i in range(10_000)) + "</model>"))
    assert names(loaded) == [] and len(loaded.scopes[0].frames) == 10_001


def test_10_000_nameless_siblings_are_numbered():
    body = '<link name="l"/><link/>' + "<foo/>" * 10_000 + "<bar/>"
    found = load_text(sdf(f'<model name="m">{body}</model>')).diagnostics
    paths = [d.path.removeprefix('/sdf/model[@name="m"]/') for d in found]
    assert paths == [*(f"foo[{i}]" for i in range(1, 10_001)), "bar", "link[2]"]


def test_names_flattened_3000_deep():
    name = "::".join(f"a{i}" for i in range(3000))
    loaded = load_text(
        f'<sdf version="1.7"><world name="w"><model name="m"><link name="{name}"/></model></world></sdf>',
        options=LoadOptions(budget=Budget(name_letters=20_000)))
    assert names(loaded) == ["nesting-too-deep"]


def test_5000_params(tmp_path):
    changes = "".join(
        f'<link element_id="l{i}" action="{a}"/><link element_id="" name="m{i}" action="add"/>'
        f'<link element_id="x{i}" action="remove"/>'
                      for i, a in zip(range(5000), ["remove", "modify"] * 2500))
    path = write(tmp_path,
        w='<world name="w">' + include("p.sdf", f"<experimental:params>{changes}</experimental:params>") + "</world>",
                 p='<model name="p">' + "".join(f'<link name="l{i}"/>' for i in range(5000)) + "</model>")
    loaded = load_file(path)
    assert names(loaded) == ["xml-unbound-prefix"] + ["params-element-unknown"] * 5000
    assert len([f for f in loaded.scopes[0].frames if f.kind == "link"]) == 2500 + 5000


def test_an_error_in_a_file_included_often_is_reported_once(tmp_path):
    path = write(tmp_path, w='<world name="w">' + "".join(include("p.sdf", f"<name>p{i}</name>") for i in range(50))
                 + "</world>",
                 p='<model name="p"><link name="l"/><frame name="f" attached_to="x"/></model>')
    assert names(load_file(path)) == ["frame-attached-to-unknown"]


@pytest.mark.parametrize("content", [
    '<include><name>m</name><uri>{}.sdf</uri></include><frame name="f" attached_to="m::l"/>',
    '<model name="k"><include><name>m</name><uri>{}.sdf</uri></include><frame name="f" attached_to="m::l"/></model>'])
def test_a_chain_of_includes_with_references_into_the_next_file(tmp_path, content):
    for i in range(99):
        more = content.format(i + 1) if i < 98 else ""
        (tmp_path / f"{i}.sdf").write_text(f'<sdf version="1.6"><model name="m"><link name="l"/>{more}</model></sdf>')
    loaded = load_file(tmp_path / "0.sdf")
    assert names(loaded) == ["feature-of-later-version"] * 98 and loaded.resolved  # 1.6 has no attached_to


def test_deep_nesting_in_included_files(tmp_path):
    path = write(tmp_path, a=nest(200, include("b.sdf")), b=nest(200))
    assert names(load_file(path)) == ["nesting-too-deep"]


def test_includes_that_double_and_double(tmp_path):
    path = write(tmp_path, **{f"c{i}": f'<model name="c{i}"><link name="l"/>' + (
        "".join(include(f"c{i + 1}.sdf", f"<name>{n}</name>") for n in "abcdefgh") if i < 40 else "") + "</model>"
        for i in range(41)})
    loaded = load_file(path)
    assert "include-too-large" in [d.name for d in loaded.diagnostics]


@pytest.mark.parametrize("kind, rule", [
    ("itself", "include-cycle"), ("by a link", "include-cycle"), ("a link to itself", "uri-not-found")])
def test_targets_that_cannot_be_included(tmp_path, kind, rule):
    path = write(tmp_path, a='<model name="a"><link name="l"/>' + include("b") + "</model>")
    if kind == "itself":
        path.write_text(path.read_text().replace(">b<", ">a.sdf<"))
    else:
        (tmp_path / "b").symlink_to(path if kind == "by a link" else tmp_path / "b")
    assert names(load_file(path)) == [rule]


def test_no_more_is_read_of_an_included_file_than_of_any_other(tmp_path):
    path = write(tmp_path, world=f'<world name="w">{include("m.sdf")}</world>')
    (tmp_path / "m.sdf").write_text(sdf('<model name="m"><link name="l"/></model>') + " " * 10_000)
    (found,) = load_file(path, LoadOptions(budget=Budget(bytes=1000))).diagnostics
    assert found.name == "xml-too-large" and found.file == str(tmp_path / "m.sdf") and "1000 bytes" in found.message


def test_a_directory_behind_a_link(tmp_path):
    write(tmp_path, model='<model name="p"><link name="l"/></model>')
    (tmp_path / "model.config").write_text('<model><sdf version="1.12">model.sdf</sdf></model>')
    path = tmp_path / "world"
    path.write_text(sdf('<world name="w">' + include("linked") + "</world>"))
    (tmp_path / "linked").symlink_to(tmp_path, target_is_directory=True)
    assert names(load_file(path)) == []


def test_after_many_wrong_names_no_more_are_guessed():
    wrong = "".join(f'<frame name="f{i}" attached_to="lnk_{i}"/>' for i in range(300))
    links = "".join(f'<link name="link_{i}"/>' for i in range(2000))
    hints = [d.hint for d in load_text(sdf(f'<model name="m">{links}{wrong}</model>')).diagnostics
             if d.severity == "error"]
    assert len(hints) == 300 and hints[0] == "did you mean 'link_0'?"
    assert hints[-1] == "name a frame of this scope, or define one of that name"


@pytest.mark.parametrize("files, found", [(3, []), (4, ["include-too-deep"])])
def test_a_chain_has_as_many_files_as_the_budget_allows(tmp_path, files, found):
    """The document is the first of them; each other one is counted again where it is included again."""
    followed = [include(f"c{i + 1}.sdf") for i in range(files - 1)] + [""]
    path = write(tmp_path, **{f"c{i}": f'<model name="c{i}"><link name="l"/>{more}</model>'
                              for i, more in enumerate(followed)})
    loaded = load_file(path, LoadOptions(budget=Budget(include_depth=3)))
    assert [(d.name, d.message) for d in loaded.diagnostics] == [
        (name, "files include each other more than 3 levels deep") for name in found]
