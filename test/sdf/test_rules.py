"""Attributes and texts with a list of words: each word of the specification is taken, others are findings."""
import pytest

from sdf_frames.load import load_text

LINK = '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>'


def judge(inside):
    return [d.name for d in load_text(LINK.format(inside)).diagnostics if d.severity != "info"]


@pytest.mark.parametrize("kind", ["point", "box", "cylinder", "ellipsoid"])
def test_kinds_of_particle_emitters(kind):
    assert judge(f'<particle_emitter name="e" type="{kind}"/>') == []


@pytest.mark.parametrize("kind", ["point", "spot", "directional"])
def test_kinds_of_lights(kind):
    assert judge(f'<light name="x" type="{kind}"/>') == []


@pytest.mark.parametrize("inside", ['<particle_emitter name="e" type="cone"/>', '<light name="x" type="laser"/>'])
def test_other_kinds(inside):
    assert len(judge(inside)) == 1
