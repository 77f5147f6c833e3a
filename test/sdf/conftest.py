"""What tests of this folder share."""
import pytest


@pytest.fixture
def parts(tmp_path):
    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.sdf").write_text(text)
        return tmp_path
    return write
