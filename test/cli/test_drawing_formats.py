"""A drawing in each form, whole: what stands for each kind of vertex and edge."""
import subprocess
from types import SimpleNamespace

import pytest

from sdf_frames.cli import drawing_formats
from sdf_frames.cli.drawing import Drawing, Edge, Vertex
from sdf_frames.cli.drawing_formats import DrawingFailed, to_dot, to_mermaid, to_picture, to_text
from sdf_frames.diagnostics.render import Terminal

ALL = Drawing(
    [Vertex("w", "world"), Vertex("m", "model"), Vertex("l", "link"), Vertex("j", "joint"), Vertex("f", "frame"),
     Vertex("x", "missing", True)],
    [Edge(0, 1), Edge(1, 2, "a\nrevolute"), Edge(1, 3, "b\nfixed", True), Edge(1, 4, "", True),
     Edge(2, 5, "c", broken=True)])
SOUND = Drawing([Vertex("a", "link"), Vertex("b", "missing")], [Edge(0, 1)])


def test_dot():
    assert to_dot(ALL) == """digraph {
  node [style=filled, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=10];
  0 [label="w", shape=doubleoctagon, fillcolor="#b8b8b8"];
  1 [label="m", shape=folder, fillcolor="#d9d2e9"];
  2 [label="l", shape=box, fillcolor="#9fc5e8"];
  3 [label="j", shape=hexagon, fillcolor="#ffe599"];
  4 [label="f", shape=ellipse, fillcolor="#ffffff"];
  5 [label="x", shape=octagon, fillcolor="#ffffff", style="filled,dashed", color="#cc0000", fontcolor="#cc0000", \
penwidth=2];
  0 -> 1;
  1 -> 2 [label="a\\nrevolute"];
  1 -> 3 [label="b\\nfixed", style=dashed];
  1 -> 4;
  2 -> 5 [label="c", color="#cc0000", fontcolor="#cc0000", penwidth=2];
}
"""


def test_mermaid():
    assert to_mermaid(ALL) == """graph TD
  n0(("w")):::world
  n1[["m"]]:::model
  n2["l"]:::link
  n3{{"j"}}:::joint
  n4(["f"]):::frame
  n5>"x"]:::broken
  n0 --> n1
  n1 -->|"a<br>revolute"| n2
  n1 -.->|"b<br>fixed"| n3
  n1 --> n4
  n2 -->|"c"| n5
  classDef world fill:#b8b8b8,stroke:#333333,color:#000000
  classDef model fill:#d9d2e9,stroke:#333333,color:#000000
  classDef link fill:#9fc5e8,stroke:#333333,color:#000000
  classDef joint fill:#ffe599,stroke:#333333,color:#000000
  classDef frame fill:#ffffff,stroke:#333333,color:#000000
  classDef broken fill:#ffffff,stroke:#cc0000,color:#cc0000,stroke-width:2px
  linkStyle 4 stroke:#cc0000,stroke-width:2px
"""
    assert to_mermaid(SOUND) == """graph TD
  n0["a"]:::link
  n1>"b"]:::missing
  n0 --> n1
  classDef link fill:#9fc5e8,stroke:#333333,color:#000000
  classDef missing fill:#ffffff,stroke:#333333,color:#000000
"""


def test_mermaid_lists_every_broken_edge():
    vertices = [Vertex(name, "link", True) for name in "abc"]
    text = to_mermaid(Drawing(vertices, [Edge(0, 1, broken=True), Edge(0, 2), Edge(1, 2, broken=True)]))
    assert "  linkStyle 0,2 stroke:#cc0000,stroke-width:2px\n" in text


@pytest.mark.parametrize("mark", '"#%&<>`\\')
def test_marks_that_mean_something_to_mermaid_are_numbers(mark):
    assert f'n0["a#{ord(mark)};b"]' in to_mermaid(Drawing([Vertex(f"a{mark}b", "link")], []))


def test_text():
    tree = "w\n└─ m\n   ├─ l{}  (a: revolute){}\n   │  └─ x{}  (c){}\n   ├─ j\n   └─ f\n"
    assert to_text(ALL) == tree.format("", "", "", "")
    dim = ("\x1b[2m", "\x1b[0m")
    assert to_text(ALL, Terminal(80, True)) == tree.format(*dim, *dim)




def run_dot(monkeypatch, done):
    """What Graphviz is told; `done` is what it answers."""
    told = []

    def run(command, **options):
        told.append((command, options))
        if isinstance(done, Exception):
            raise done
        return done
    monkeypatch.setattr(drawing_formats.shutil, "which", lambda program: f"/bin/{program}")
    monkeypatch.setattr(drawing_formats.subprocess, "run", run)
    return told


@pytest.mark.parametrize(("done", "problem"), [
    (SimpleNamespace(returncode=3, stdout=b"half", stderr=b" no font \xff\n"),
     "dot ended with status 3: no font \ufffd"),
    (SimpleNamespace(returncode=0, stdout=b"", stderr=b"x" * 400), f"dot ended with status 0: {'x' * 300}"),
    (subprocess.TimeoutExpired("dot", 120), "dot took more than 120 s")])
def test_errors_of_graphviz_are_passed_on(monkeypatch, done, problem):
    run_dot(monkeypatch, done)
    with pytest.raises(DrawingFailed) as failed:
        to_picture(ALL, "svg")
    assert str(failed.value) == problem
