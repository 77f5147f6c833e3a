"""Documents that describe nothing, or just something; libsdformat takes all of them."""
import pytest
from readings import judge

from sdf_frames.document.budget import Budget
from sdf_frames.load import LoadOptions, load_text


@pytest.mark.parametrize("content, also", [("", []), ("<!-- nothing -->", []), ("<foo/>", ["element-unknown"])])
def test_a_document_that_describes_nothing_is_valid_but_suspicious(content, also):
    loaded = load_text(f'<?xml version="1.0"?>\n<sdf version="1.12">{content}</sdf>')
    assert loaded.valid and [d.name for d in loaded.diagnostics] == [*also, "nothing-described"]
    finding = loaded.diagnostics[-1]
    assert (finding.severity, finding.line, finding.path) == ("warning", 2, "/sdf")


@pytest.mark.parametrize("content", [
    '<world name="w"/>', '<model name="m"><link name="l"/></model>', '<light name="l" type="point"/>',
    '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>'])
def test_a_world_a_model_a_light_or_an_actor_is_enough(content):
    assert load_text(f'<sdf version="1.12">{content}</sdf>').diagnostics == ()


# Verdicts of libsdformat 17 on the same files.
@pytest.mark.parametrize("content, name", [
    ("MODEL ACTOR", "several-root-entities"), ("LIGHT LIGHT", "several-root-entities"),
    ("LIGHT MODEL", "several-root-entities"),
    ("LIGHT", None), ("ACTOR", None), ("NAMED", "name-reserved"), ("<world name='w'>NAMED</world>", "name-reserved"),
    ("<model name='m'><link name='l'/>NAMED</model>", None), ("<world name='w'>ACTOR ACTOR</world>", "name-duplicate"),
    ("<model name='m'><link name='l'>LIGHT LIGHT</link></model>", "name-duplicate"),
    ("<model name='m'><link name='l'>INCLUDED</link></model>", None),
    ("<model name='m'><link name='l'>INCLUDED INCLUDED</link></model>", "name-duplicate")])
def test_included_lights_and_actors_count_as_those_in_the_file(tmp_path, content, name):
    texts = {"LIGHT": '<light name="l" type="point"/>',
             "ACTOR": '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>',
             "INCLUDED": '<model name="i"><link name="l"/></model>'}
    for word, text in texts.items():
        (tmp_path / f"{word}.sdf").write_text(f'<sdf version="1.12">{text}</sdf>')
        content = content.replace(word, f"<include><uri>{word}.sdf</uri></include>")
    content = content.replace("NAMED", "<include><uri>LIGHT.sdf</uri><name>world</name></include>")
    content = content.replace("MODEL", '<model name="m"><link name="l"/></model>')
    found = load_text(f'<sdf version="1.12">{content}</sdf>', str(tmp_path / "it.sdf")).diagnostics
    assert [d.name for d in found if d.severity == "error"] == ([name] if name else [])


def sdf(*parts):
    """A document of these parts, one on each line from the second."""
    return "\n".join(['<sdf version="1.12">', *parts, "</sdf>"])


MODEL, LIGHT = '<model name="m"><link name="l"/></model>', '<light name="x" type="point"/>'
ACTOR = '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>'


@pytest.mark.parametrize("parts, said", [
    ((MODEL, "^" + MODEL), ["model beside another root model"]),
    ((LIGHT, "^" + MODEL), ["model beside another root light"]),
    ((ACTOR, "^" + LIGHT, "^" + ACTOR), ["light beside another root actor", "actor beside another root actor"]),
    (('<world name="w"/>', MODEL, "^" + ACTOR), ["actor beside another root model"]),
    (('<world name="w"/>', MODEL, '<world name="v"/>'), [])])
def test_one_entity_may_stand_beside_the_worlds(parts, said):
    found, marks = judge(sdf(*parts))
    assert found == [("several-root-entities", f"<sdf> contains <{tag}> {rest}; only one is allowed", mark)
                     for (tag, _, rest), mark in zip((text.partition(" ") for text in said), marks, strict=True)]


def test_what_an_include_brings_stands_beside_the_worlds_as_what_it_is(tmp_path):
    (tmp_path / "m.sdf").write_text(sdf(MODEL))
    (tmp_path / "light.sdf").write_text(sdf(LIGHT))
    model, light = (f"<include><uri>{name}.sdf</uri></include>" for name in ("m", "light"))
    for first, kind in ((model, "model"), (light, "light")):
        for second, tag in ((ACTOR, "actor"), (model, "include")):
            found, (mark,) = judge(sdf(first, "^" + second), str(tmp_path / "main.sdf"))
            assert found == [("several-root-entities", f"<sdf> contains <{tag}> beside another root {kind}; only one "
                              "is allowed", mark)]


def test_the_first_of_several_models_counts():
    root = load_text(sdf(LIGHT, MODEL.replace('"m"', '"n"'), MODEL)).root
    assert (root.model.name, root.worlds) == ("n", ())


@pytest.mark.parametrize("entity, severity", [
    ('<model name="m">{}<link name="l"/></model>', "error"), ('<light name="x" type="point">{}</light>', "warning")])
def test_no_frame_is_outside_of_a_root_entity(entity, severity):
    pose = '<pose relative_to="^f">1 0 0 0 0 0</pose>'
    text = sdf(entity.format(pose))
    found, marks = judge(text)
    tag = entity[1:6]
    assert found == [("root-pose-relative", f"the pose of a top-level <{tag}> is relative to 'f', but no frame exists "
                      "outside of it", *marks)]
    assert [d.severity for d in load_text(text).diagnostics] == [severity]
    for frame in ("", ' relative_to=""'):
        assert judge(sdf(entity.format(f"<pose{frame}>1 0 0 0 0 0</pose>")))[0] == []


def test_the_root_has_all_worlds_and_models():
    root = load_text(sdf('<world name="v"/>', MODEL, '<world name="w"><light name="x" type="spot"/>' + ACTOR
                         + '<frame name="f"/><model name="n"><link name="l"/></model><joint name="j" type="fixed">'
                         "<parent>world</parent><child>n</child></joint></world>")).root
    assert (root.version, [w.name for w in root.worlds], root.model.name, root.merged) == ("1.12", ["v", "w"], "m", ())
    world = root.worlds[1]
    assert [e.name for e in world.order] == ["f", "n", "j"] and [(p.kind, p.name) for p in world.parts] == [
        ("light", "x"), ("actor", "a")]
    assert (world.models[0].name, world.joints[0].name, world.frames[0].name) == ("n", "j", "f")
    assert (world.models[0].version, world.version, world.missing) == ("1.12", "1.12", frozenset())


def test_everything_that_a_model_says():
    text = ('<model name="m" placement_frame=" f " canonical_link=" k "><static>true</static>'
            '<pose relative_to="g">1 0 0 0 0 0</pose><link name="l"/><frame name="f"/><model name="n"><link name="l"/>'
            '</model><link name="k"/><joint name="j" type="fixed"><parent>l</parent><child>k</child></joint></model>')
    loaded = load_text(f'<sdf version="1.9"><world name="w">{text}<frame name="g"/></world></sdf>')
    (model,) = loaded.root.worlds[0].models
    assert (model.name, model.version, model.pose.X[0], model.pose.relative_to) == ("m", "1.9", 1, "g")
    assert (model.placement_frame, model.canonical_link, model.static, model.missing) == ("f", "k", True, frozenset())
    assert [e.name for e in model.order] == ["l", "f", "n", "k", "j"] and [l.name for l in model.links] == ["l", "k"]
    assert [e.name for e in (*model.joints, *model.frames, *model.models)] == ["j", "f", "n"]
    nested = model.models[0]
    assert (nested.placement_frame, nested.canonical_link, nested.static, nested.include) == ("", "", False, None)


@pytest.mark.parametrize("depth, found", [(3, []), (4, ["nesting-too-deep"])])
def test_models_are_nested_as_deep_as_the_budget_allows(depth, found):
    text = "".join(f'<model name="m{i}"><link name="l"/>' for i in range(depth)) + "</model>" * depth
    for _ in range(2):
        loaded = load_text(sdf(text + MODEL), options=LoadOptions(budget=Budget(model_depth=3)))
        assert [d.name for d in loaded.diagnostics if d.name != "several-root-entities"] == found
    if found:
        inmost = loaded.root.model.models[0].models[0].models[0]
        assert (inmost.name, inmost.static, inmost.links) == ("m3", True, ())
        (error,) = [d for d in loaded.diagnostics if d.name in found]
        assert error.path == "/sdf" + "".join(f'/model[@name="m{i}"]' for i in range(4))
        assert error.message == "models are nested more than 3 levels deep"
