"""Every input that fuzzing kept is replayed: seeds, and what once broke a promise (fuzz/targets.py)."""

import os
import random
from unittest.mock import patch

import pytest

from fuzz.mutation import mutate_document
from fuzz.targets import TARGETS, list_kept, list_models, make_resolver

KEPT = [(name, path) for name in TARGETS for path in list_kept(name)]


@pytest.fixture(scope="module", autouse=True)
def environment():
    """Targets change the environment of their process, which other tests need as it is."""
    with patch.dict(os.environ):
        yield


@pytest.mark.parametrize("name, path", KEPT, ids=[f"{name}-{path.name}" for name, path in KEPT])
def test_a_kept_input_breaks_no_promise(name, path):
    TARGETS[name](path.read_bytes())


def test_every_target_has_seeds():
    assert {name for name, _ in KEPT} | {"laws"} == set(TARGETS) and len(KEPT) >= 20 and len(list_models()) >= 100


@pytest.mark.parametrize("path", list_models(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_models_of_the_tests_keep_the_laws(path):
    TARGETS["laws"](path.read_bytes())


def test_structured_mutation_makes_other_documents():
    """The same for the same seed, nearly always another document than it was given, and nothing of what is no XML."""
    text = b'<robot name="r"><link name="a"/><link name="b"/></robot>'
    new = [mutate_document(text, random.Random(seed)) for seed in range(200)]
    assert new == [mutate_document(text, random.Random(seed)) for seed in range(200)]
    assert len(set(new)) > 100
    assert mutate_document(b"<robot", random.Random(0)) is None


def test_each_tree_of_the_uri_target_has_its_own_cache():
    """The first URI does not need the cache, so that both resolvers look for their cache with the second one."""
    make_resolver.cache_clear()
    for uri in (b"\0", b"https://h/o/models/c/1/files/meshes/a.stl"):
        TARGETS["uri"](uri)
