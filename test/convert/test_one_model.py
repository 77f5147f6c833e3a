"""Which model of a file a URDF describes, and what is said if it is not clear."""
import pytest
from written_text import convert_to_urdf

from sdf_frames.convert.sdf_to_urdf import convert_model
from sdf_frames.load import load_text

WORLD = ('<sdf version="1.9"><world name="w"><model name="one"><link name="l"/></model>'
         '<model name="two"><link name="l"/></model></world></sdf>')


def test_the_error_of_a_world_names_its_models():
    eight = ", ".join(f"'m{i}'" for i in range(8))
    world = "is the world 'w' with"
    for count, said in ((0, "has no model"), (1, f"{world} 1 model: 'm0'"), (8, f"{world} 8 models: {eight}"),
                        (9, f"{world} 9 models: {eight}, …")):
        models = "".join(f'<model name="m{i}"><link name="l"/></model>' for i in range(count))
        graph = load_text(f'<sdf version="1.12"><world name="w">{models}</world></sdf>').graphs[0]
        conversion = convert_model(graph, {}, lambda uri, element: uri)
        (finding,) = conversion.diagnostics
        assert (conversion.robot, conversion.entries) == (None, [])
        assert finding.message == f"URDF describes one robot: the file {said}"


@pytest.mark.parametrize("text, model, says", [
    (WORLD, "three", "the file has no model 'three', but 'one', 'two'"),
    (WORLD, None, "the file is the world 'w' with 2 models: 'one', 'two'"),
    ('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', "n", "the file has no model 'n', but 'm'"),
    ('<sdf version="1.9"><world name="w"/></sdf>', None, "the file has no model"),
    ('<sdf version="1.9"/>', None, "the file has no model")])
def test_errors_name_the_models_of_the_file(text, model, says):
    made, _, found, _ = convert_to_urdf(load_text(text), model)
    assert made is None
    (finding,) = [d for d in found if d.severity == "error"]
    assert finding.message == f"URDF describes one robot: {says}"
    assert (finding.hint == "give a file with a <model>") == (says == "the file has no model")
