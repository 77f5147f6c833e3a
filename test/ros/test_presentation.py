"""The demo's drawings."""
from io import StringIO
from types import SimpleNamespace

import pytest

pytest.importorskip("rich")

from rich.console import Console

from sdf_frames.ros.presentation import draw_report, draw_tf_trees


def stamp(parent: str, child: str) -> SimpleNamespace:
    return SimpleNamespace(header=SimpleNamespace(frame_id=parent), child_frame_id=child, transform=SimpleNamespace(
        translation=SimpleNamespace(x=0.0, y=0.0, z=0.5), rotation=SimpleNamespace(w=1.0, x=0.0, y=0.0, z=0.0)))


def test_every_frame_of_a_long_chain_is_shown():
    console = Console(width=80, file=StringIO())
    for tree in draw_tf_trees([stamp(f"link_{i}", f"link_{i + 1}") for i in range(100)] + [stamp("link_3", "side")]):
        console.print(tree)
    text = "\n".join(line.rstrip() for line in console.file.getvalue().split("\n"))  # rich 11 fills lines with blanks
    assert {f"link_{i}" for i in range(101)} | {"side"} <= set(text.split())
    assert "link_12  0 0 0.5 …\n" in text and "\n… link_12\n└── link_13  0 0 0.5\n" in text


def test_a_report_without_anything_to_tell_is_its_counts_alone():
    row = SimpleNamespace(element="link", name="a", action="kept", KEPT="kept", into="", line=1, reason="")
    console = Console(width=80, file=StringIO())
    console.print(draw_report([row]))
    assert console.file.getvalue().split() == ["Conversion", "report:", "1", "kept"]
