"""Whatever is loaded, nothing is raised, and findings and frames can be asked for."""
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written_text import sdf_text_of

from sdf_frames.load import LoadOptions, load_text

SEEDS = sorted(p.read_text(encoding="utf-8") for p in (Path(__file__).parents[1] / "models").rglob("*")
               if p.suffix in (".sdf", ".urdf") and p.stat().st_size < 8000)
PIECES = sorted({t for text in SEEDS for t in re.findall(r"<[^>]*>|\"[^\"]*\"|[^<>\"]+", text)})
WORDS = ["world", "__model__", "__root__", "model", "link", "joint", "frame", "::", "a::b", "", "nan", "inf", "1e999",
         "-1", "0 0 0",
         "1.4", "1.7", "1.12", "true", "relative_to", "attached_to", "expressed_in", "canonical_link",
         "placement_frame"]
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
            tokens[at] = data.draw(st.sampled_from(WORDS))
        elif change == "piece":
            tokens.insert(at, data.draw(st.sampled_from(PIECES)))
        else:
            other = data.draw(st.integers(0, len(tokens) - 1))
            tokens[at], tokens[other] = tokens[other], tokens[at]
    use("".join(tokens))


@given(st.sampled_from(SEEDS), st.data())
@MANY
def test_well_formed_but_wrong_documents_never_raise(text, data):
    """Attribute values and texts of a good document are replaced one by one: the XML stays well-formed."""
    values = list(re.finditer(r"(?<==\")[^\"]*(?=\")|(?<=>)[^<>]+(?=</)", text))
    for match in sorted(data.draw(st.lists(st.sampled_from(values), max_size=5, unique=True)),
                        key=lambda m: -m.start()):
        word = data.draw(st.one_of(st.sampled_from(WORDS), st.sampled_from([m.group() for m in values])))
        text = text[:match.start()] + word + text[match.end():]
    use(text)


ELEMENTS = st.deferred(lambda: st.builds(
    lambda tag, attributes,
    inside: f"<{tag}{''.join(f' {k}={chr(34)}{v}{chr(34)}' for k, v in attributes.items())}>{inside}</{tag}>",
    st.sampled_from(["world", "model", "link", "joint", "frame", "pose", "include", "uri", "parent", "child", "axis",
                     "xyz", "mimic",
                     "inertial", "collision", "placement_frame", "static", "name", "experimental:params", "plugin"]),
    st.dictionaries(
        st.sampled_from(["name", "type", "relative_to", "attached_to", "canonical_link", "placement_frame",
                         "expressed_in",
                                     "merge", "degrees", "rotation_format", "joint", "axis", "auto"]),
                    st.sampled_from([*WORDS[:14], "revolute", "m", "l", "j"]), max_size=3),
    st.one_of(st.sampled_from(WORDS), st.lists(ELEMENTS, max_size=4).map("".join))))


@given(st.lists(ELEMENTS, max_size=5).map("".join),
       st.sampled_from(["1.2", "1.4", "1.5", "1.6", "1.7", "1.8", "1.12", "9"]))
@settings(MANY, max_examples=settings.default.max_examples)
def test_wild_trees_of_known_elements_never_raise(body, version):
    use(f'<sdf version="{version}">{body}</sdf>')
