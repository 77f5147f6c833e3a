"""The C++ program that measures libsdformat, compiled where its headers are (Debian: ``libsdformat-dev``)."""
from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# From 17 on the name is without the number; PKG_CONFIG_PATH says which one where there are several.
_PACKAGES = ("sdformat", *(f"sdformat{n}" for n in range(16, 11, -1)))


@cache
def find_package() -> str | None:
    """pkg-config's name of the newest libsdformat that our programs fit, or None."""
    if not shutil.which("pkg-config") or not shutil.which(os.environ.get("CXX", "c++")):
        return None
    return next((p for p in _PACKAGES if subprocess.run(["pkg-config", "--atleast-version=12", p]).returncode == 0),
                None)


@cache
def compile_program(name: str, folder: Path = _HERE) -> str | None:
    """Path of the compiled ``NAME.cc``; None without libsdformat."""
    package = find_package()
    return package and compile_source(folder / f"{name}.cc", package)


def compile_source(source: Path, *packages: str) -> str:
    """Path of the compiled file, which is kept for the next run while the file stays as it is."""
    content = source.read_bytes() + " ".join(packages).encode()
    built = Path(os.environ.get("XDG_CACHE_HOME") or tempfile.gettempdir()) / f"sdf_frames-benchmark-{os.getuid()}"
    built.mkdir(mode=0o700, parents=True, exist_ok=True)
    program = built / f"{source.stem}-{hashlib.sha256(content).hexdigest()[:16]}"
    if not program.exists():
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True,
                               check=True)
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++17", "-O3", "-DNDEBUG", str(source), "-o",
                        f"{program}.part", *flags.stdout.split()], check=True)
        os.replace(f"{program}.part", program)
    return str(program)
