"""Small models, and everything that a text of one means: read, upgraded, printed and fixed."""
from written_text import upgrade_file

from sdf_frames.cli import main
from sdf_frames.load import load_file, load_text
from sdf_frames.sdf.table import version_key

VERSIONS = ["1.7", "1.8", "1.12"]


def sdf(body, version="1.6", world=False):
    inner = f'<model name="m">{body}</model>'
    return f'<sdf version="{version}">' + (f'<world name="w">{inner}</world>' if world else inner) + "</sdf>"


def link(name, x=0.0, more=""):
    return f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose>{more}</link>'


def joint(name, parent, child, more=""):
    return f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>{more}</joint>'


def frames(loaded):
    assert loaded.valid, loaded.diagnostics
    (scope,) = loaded.scopes
    return {f.name: (f.kind, f.link, tuple(round(v, 9) + 0.0 for v in f.pose)) for f in scope.frames}


def joints(loaded):
    return {j.name: (j.parent, j.child, [tuple(round(v, 9) + 0.0 for v in xyz) for _, xyz in j.axes])
            for j in loaded.scopes[0].joints}


def every_reading(text, folder, capsys):
    """What the text means: read, upgraded to each version, printed, and after ``check --fix``."""
    file = folder / "x.sdf"
    file.write_text(text)
    yield load_file(file)
    for version in [v for v in VERSIONS if version_key(v) >= version_key(text.split('"')[1])]:
        yield load_text(upgrade_file(str(file), version)[0], str(file))
    capsys.readouterr()
    main(["print", str(file)])
    yield load_text(capsys.readouterr().out, str(file))
    main(["check", "--fix", str(file)])
    yield load_file(file)


def include(file, name="", more=""):
    return f"<include><uri>{file}.sdf</uri>{f'<name>{name}</name>' if name else ''}{more}</include>"


def judge(text, file=None):
    """Rule, message and place (line, column) of each finding on a text without its marks ``^``; the marks' places."""
    places = [(number, len("".join(line.split("^")[:i + 1])) + 1)
              for number, line in enumerate(text.split("\n"), 1) for i in range(line.count("^"))]
    found = load_text(text.replace("^", ""), file).diagnostics
    return [(d.name, d.message, (d.line, d.column)) for d in found if d.severity != "info"], places
