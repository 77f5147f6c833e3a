"""Whatever is loaded, nothing is raised, and findings and frames can be asked for."""
import random
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written_text import sdf_text_of

from fuzz.mutation import ATTRIBUTES, WORDS, mutate_document
from sdf_frames.load import LoadOptions, load_text

SEEDS = sorted(p.read_text(encoding="utf-8") for p in (Path(__file__).parents[1] / "models").rglob("*")
               if p.suffix in (".sdf", ".urdf") and p.stat().st_size < 8000)
PIECES = sorted({t for text in SEEDS for t in re.findall(r"<[^>]*>|\"[^\"]*\"|[^<>\"]+", text)})
MANY = settings(max_examples=4 * settings.default.max_examples, deadline=None, suppress_health_check=list(HealthCheck))


def use(text):
    """Load, and touch everything that is worked out on demand."""
    loaded = load_text(text, options=LoadOptions(confined=True))
    assert not [d for d in loaded.diagnostics if d.name == "internal-error"]
    assert loaded.valid in (True, False)
    for scope in loaded.scopes:
        for frame in scope.frames:
            assert frame.pose is None or len(frame.pose) == 7
        assert isinstance(scope.joints, tuple)
    if loaded.valid:
        assert sdf_text_of(loaded)
    return loaded


@given(st.sampled_from(SEEDS), st.data())
@MANY
def test_mutated_documents_never_raise(text, data):
    """Tokens of a good document are dropped, doubled, swapped with those of others, or replaced by telling words."""
    tokens = re.findall(r"<|>|/|\"|=|\s+|[^<>/\"=\s]+", text)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "word", "piece", "swap"]))
        if change == "drop" and len(tokens) > 1:
            del tokens[at]
        elif change == "double":
            tokens.insert(at, tokens[at])
        elif change == "word":
            tokens[at] = data.draw(st.sampled_from([*WORDS, *ATTRIBUTES]))
        elif change == "piece":
            tokens.insert(at, data.draw(st.sampled_from(PIECES)))
        else:
            other = data.draw(st.integers(0, len(tokens) - 1))
            tokens[at], tokens[other] = tokens[other], tokens[at]
    use("".join(tokens))


@given(st.sampled_from(SEEDS), st.integers(0, 2**32), st.integers(1, 20))
@MANY
def test_well_formed_but_wrong_documents_never_raise(text, seed, times):
    """Elements, attributes and numbers of a good document are changed as `make fuzz` changes them."""
    chance = random.Random(seed)
    changed = text.encode()
    for _ in range(times):
        changed = mutate_document(changed, chance) or changed
    use(changed)
