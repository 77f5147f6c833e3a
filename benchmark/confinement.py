"""How long a confined resolver takes for URIs that lead outside, where what they name exists and where it does not.

    python -m benchmark.confinement [TURNS]

The two trees differ in nothing but what is outside of their roots. They take turns; each turn has a resolver of its
own, because resolvers remember their answers. A third column is the same comparison of the first tree with itself:
what differs by chance.
"""
from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from sdf_frames.document.uris import Resolver

URIS = ("{}/out/secret.sdf", "file://{}/out/secret.sdf", "model://part/../../out/secret.sdf",
        "package://part/%2e%2e/%2e%2e/out/secret.sdf", "model://link/secret.sdf", "../out/secret.sdf",
        "https://a/b/models/c/1/..%2F..%2F..%2F..%2F..%2F..%2Fout%2Fsecret.sdf")


def make_tree(top: Path, exists: bool) -> Path:
    """A tree with one root, `res`, and a file outside of it, or none; a link in the root leads outside in both."""
    (top / "res" / "part").mkdir(parents=True)
    (top / "res" / "link").symlink_to(top / "out")
    if exists:
        (top / "out").mkdir()
        (top / "out" / "secret.sdf").write_text("<sdf/>")
    return top


def time_answer(top: Path, uri: str) -> float:
    """Seconds of processor time that one answer takes; it must be that there is no such file."""
    resolver = Resolver([str(top / "res")], confined=True)
    uri, base = uri.format(top), str(top / "res" / "part" / "model.sdf")
    start = time.process_time_ns()
    found = resolver.find(uri, base)
    took = time.process_time_ns() - start
    assert found is None, found
    return took * 1e-9


def main() -> int:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{'URI':72} {'exists':>9} {'does not':>9} {'difference':>11} {'by chance':>10}")
    with tempfile.TemporaryDirectory() as folder:
        full, void = make_tree(Path(folder, "a"), True), make_tree(Path(folder, "b"), False)
        for uri in URIS:
            times: tuple[list[float], ...] = ([], [], [])
            for _ in range(turns):
                for top, taken in zip((full, void, full), times):
                    taken.append(time_answer(top, uri))
            exists, absent, again = (median(taken) * 1e6 for taken in times)
            print(f"{uri:72} {exists:6.1f} us {absent:6.1f} us {exists - absent:+8.2f} us {exists - again:+7.2f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
