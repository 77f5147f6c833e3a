"""``check --untrusted``: a repository of others is checked, and nothing outside of it is read or told."""
import json
import os

import pytest

from sdf_frames.cli import main

SECRET = "<robot name='secret'><link name='secret'/></robot>"
WORLD = '<sdf version="1.12"><world name="w"><include><uri>{}</uri></include></world></sdf>'
ROBOT = """<robot name="r"><link name="l"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.fixture(params=[True, False], ids=["full", "void"])
def folder(request, tmp_path, monkeypatch):
    """A repository that names files outside in every way; whether these exist makes no difference."""
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
        monkeypatch.delenv(variable, raising=False)
    repository, outside = tmp_path / "repository", tmp_path / "outside"
    (repository / "m").mkdir(parents=True)
    outside.mkdir()
    if request.param:
        (outside / "secret.urdf").write_text(SECRET)
        (outside / "secret.toml").write_text("secret = 1")
        (outside / "secret.json").write_text('{"known": []}')
    (repository / "good.urdf").write_text(ROBOT)
    monkeypatch.chdir(repository)
    return repository


def check(capsys, *argv):
    status = main(["check", "--json", "--untrusted", *map(str, argv)])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return status, {os.path.basename(row["file"]): row["diagnostics"] for row in rows}


def test_what_is_in_the_repository_is_checked(folder, capsys):
    (folder / "part").mkdir()
    (folder / "part" / "model.config").write_text('<model><sdf version="1.12">../good.urdf</sdf></model>')
    (folder / "w.sdf").write_text(WORLD.format("part"))
    for words in ((".",), ("good.urdf", "w.sdf"), (folder,), ("--jobs", "2", "good.urdf", "w.sdf")):
        assert check(capsys, *words) == (0, {"good.urdf": [], "w.sdf": []})
    assert check(capsys, "part") == (0, {"good.urdf": []})


def test_nothing_outside_is_read_or_told(folder, capsys):
    """A link to a file or folder, a model.config, an include, and a file named on the command line."""
    outside = folder.parent / "outside"
    (folder / "link.urdf").symlink_to(outside / "secret.urdf")
    (folder / "linked").symlink_to(outside)
    (folder / "m" / "model.config").write_text(f"<model><sdf version='1.12'>{outside}/secret.urdf</sdf></model>")
    for number, uri in enumerate((f"{outside}/secret.urdf", "../outside/secret.urdf", "linked/secret.urdf", "m")):
        (folder / f"w{number}.sdf").write_text(WORLD.format(uri))
    status, found = check(capsys, ".", "m", "linked", outside / "secret.urdf", "../outside/secret.urdf")
    assert status == 1 and found.pop("good.urdf") == []
    assert [d["name"] for d in found.pop("model.config")] == ["model-config-incomplete"]
    assert sorted(found) == ["link.urdf", "linked", "secret.urdf", *[f"w{number}.sdf" for number in range(4)]]
    assert {name: [d["name"] for d in rows] for name, rows in found.items() if name[0] != "w"} == dict.fromkeys(
        ("link.urdf", "linked", "secret.urdf"), ["file-unreadable"])
    assert all(d["name"] in ("uri-not-found", "model-config-incomplete") for n in range(4) for d in found[f"w{n}.sdf"])
    for name in ("link.urdf", "linked", "secret.urdf"):
        assert "outside of the checked folders" in found[name][0]["message"]


def test_a_folder_that_is_named_and_a_resource_path_may_be_read(folder, capsys):
    outside = folder.parent / "outside"
    (outside / "other.urdf").write_text(ROBOT)
    (folder / "w.sdf").write_text(WORLD.format("other.urdf"))
    (outside / "secret.urdf").unlink(missing_ok=True)
    assert check(capsys, outside) == (0, {"other.urdf": []})
    assert check(capsys, "w.sdf", "--resource-path", outside)[0] == 0
    assert check(capsys, "w.sdf")[0] == 1


@pytest.mark.parametrize(("text", "said"), [
    ('resource-path = ["{out}"]', "the settings name {out}, which is outside"),
    ('resource-path = ["."]\nbaseline = "../outside/secret.json"', "which is outside of the checked folders"),
    ('resource-path = ["\\u0000"]', "which is outside of the checked folders")])
def test_settings_of_the_repository_do_not_lead_out(folder, capsys, text, said):
    out = str(folder.parent / "outside")
    (folder / ".sdf_frames.toml").write_text(text.replace("{out}", out))
    with pytest.raises(SystemExit) as ended:
        main(["check", "--untrusted", "."])
    assert ended.value.code == 2 and said.replace("{out}", out) in capsys.readouterr().err


def test_settings_cannot_lead_out_by_a_link_and_dots(folder, capsys):
    """``m/top`` is the repository, and ``m/top/..`` what is above it, if links are followed before ``..``."""
    (folder / "m" / "top").symlink_to("..")
    (folder / "w.sdf").write_text(WORLD.format(f"file://{folder.parent}/outside/secret.urdf"))
    (folder / ".sdf_frames.toml").write_text('resource-path = ["m/top/.."]')
    status, found = check(capsys, "w.sdf")
    assert status == 1 and [d["name"] for d in found["w.sdf"]] == ["uri-not-found"]
    (folder / ".sdf_frames.toml").write_text('baseline = "m/top/../outside/secret.json"')
    with pytest.raises(SystemExit):
        main(["check", "--untrusted", "good.urdf"])
    assert f"{folder}/m/outside/secret.json: No such file" in capsys.readouterr().err


def test_settings_that_are_a_link_out_are_none(folder, capsys):
    (folder / ".sdf_frames.toml").symlink_to(folder.parent / "outside" / "secret.toml")
    assert check(capsys, "good.urdf") == (0, {"good.urdf": []})


def test_settings_may_ask_for_it(folder, capsys):
    (folder / ".sdf_frames.toml").write_text('untrusted = true\nresource-path = ["."]')
    (folder / "w.sdf").write_text(WORLD.format("file://" + str(folder.parent / "outside" / "secret.urdf")))
    assert main(["check", "--json", "w.sdf"]) == 1
    assert [d["name"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["uri-not-found"]


def test_xacro_is_refused_with_what_to_do(folder, capsys):
    """It is not even opened: an expression that would leave a file does not."""
    (folder / "r.urdf.xacro").write_text(
        "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n"
        "<link name=\"${open('made', 'w')}\"/></robot>")
    for words in (["r.urdf.xacro"], ["."]):
        status, found = check(capsys, *words)
        (d,) = found["r.urdf.xacro"]
        assert (status, d["name"]) == (1, "file-unreadable")
        assert "runs Python code, which --untrusted does not allow" in d["message"]
        assert "check without --untrusted (the GitHub Action: untrusted: \"false\")" in d["hint"]
        assert "expand it in a container" in d["hint"] and "check the result" in d["hint"]
    assert not (folder / "made").exists()


@pytest.mark.parametrize("option", [["--fix"], ["--write-baseline", "known.json"]])
def test_it_writes_nothing(folder, capsys, option):
    with pytest.raises(SystemExit) as ended:
        main(["check", "--untrusted", *option, "good.urdf"])
    assert ended.value.code == 2 and f"{option[0]} writes files" in capsys.readouterr().err
    assert not (folder / "known.json").exists()
