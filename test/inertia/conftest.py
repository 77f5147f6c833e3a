"""Loading of snippets, and where the shared corpus is."""
import pytest
from real_files import CORPUS, MISSING

from sdf_frames.load import LoadOptions, load_text


@pytest.fixture
def load():
    """Load a link's content, or a whole document, as SDFormat 1.12."""
    def load(text, file=None, resource_paths=()):
        if "<sdf" not in text:
            if "<link" not in text:
                text = f'<link name="l">{text}</link>'
            text = f'<sdf version="1.12"><model name="m">{text}</model></sdf>'
        return load_text(text, file, LoadOptions(resource_paths=tuple(resource_paths)))
    return load


@pytest.fixture
def corpus():
    """The folder of real files; without it the test is skipped, visibly."""
    if not CORPUS.is_dir():
        pytest.skip(MISSING)
    return CORPUS
