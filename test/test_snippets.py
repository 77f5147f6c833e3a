"""Every command and program in the pages runs; a page says at its head what a block needs that cannot run here."""

import importlib.util
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
TOOL = TOP / "tools" / "run_snippets.py"
PAGES = [
    TOP / "README.md", TOP / "CONTRIBUTING.md",
    *sorted(p for p in (TOP / "docs").rglob("*.md") if not {"_build", "generated"} & set(p.parts))]
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="not run from the source tree"),
    pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")]
#: What a block may need, so that it is not run.
NEEDS = {"a cluster", "ROS 2", "Gazebo", "Graphviz", "a network", "a clone of the repository", "GitHub", "a browser"}


@pytest.fixture(scope="module")
def snippets():
    spec = importlib.util.spec_from_file_location("run_snippets", TOOL)
    module = sys.modules["run_snippets"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(TOP).as_posix())
def test_commands_and_programs_of_a_page_run(page, snippets):
    blocks = list(snippets.read_blocks(page.read_text(encoding="utf-8")))
    if not blocks:
        return
    assert {b.needs for b in blocks} - {None} <= NEEDS | set(snippets.EXTRAS)
    count, problems, skipped = snippets.run_page(page)
    assert not problems, "\n\n".join(problems)
    assert count + len(skipped) == len(blocks)
    if not count:
        pytest.skip("; ".join(skipped))


def test_no_block_is_left_without_a_language(snippets):
    """```bash, ```console and the like would not be run; what is no command is ```text, or a format such as ```xml."""
    known = {"sh", "python", "text", "xml", "json", "yaml", "toml", "{toctree}", "{figure}", "{eval-rst}", "{include}"}
    for page in PAGES:
        opened = False
        for line in page.read_text(encoding="utf-8").split("\n"):
            if line.startswith("```"):
                language = line[3:].split(" ")[0]
                assert opened or language in known, f"{page.name}: {line}"
                opened = not opened


def test_the_runner_sees_what_fails(tmp_path, snippets):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nfalse\n```\n\n```sh\necho one; echo two\n```\n\n```text\none\nthree\n```\n\n```python\nx = 1\n```\n"
        "```python\nprint(x)\n```\n```text\n1\n```\n\n```sh\n# needs Gazebo\nfalse\n```\n"
        "```sh\nseq 5\n```\n```text\n1\n…\n5\n```\n"
    )
    count, problems, skipped = snippets.run_page(page)
    assert count == 5 and len(problems) == 2 and len(skipped) == 1
    assert "status 1" in problems[0] and "prints something else" in problems[1] and "needs Gazebo" in skipped[0]
