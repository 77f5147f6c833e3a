"""Install each program of the table of behaviours in an environment of its own.

    python test/peers/install_behaviours.py HOME [--newest] [PROGRAM…]

HOME/REQUIREMENT is the environment of the program that a row's source names, such as HOME/mujoco==4.0.0. With --newest,
it has the newest version in its place.
"""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]
from sdf_frames.checks.becomes import read_rows  # noqa: E402

FILES = Path(__file__).parent / "behaviours"


def install(home: Path, program: str, requirement: str, newest: bool) -> bool:
    """Install a program; return whether that succeeded, now or before."""
    folder, text = home / requirement, (FILES / f"{program}_.py").read_text(encoding="utf-8")
    if (folder / "ready").exists():
        return True
    needs, npm, debian = (" ".join(re.findall(rf"^# {word}: (.*)", text, re.MULTILINE)).split()
                          for word in ("needs", "npm", "debian"))
    wanted = requirement.partition("==")[0] if newest else requirement
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = subprocess.run([python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                           *(["numpy"] if npm or debian else [wanted, *needs])])
    if npm:
        (folder / "npm").mkdir(exist_ok=True)
        done = subprocess.run(["npm", "install", "--silent", wanted.replace("==", "@"), *npm], cwd=folder / "npm")
    if debian and shutil.which("apt-get"):
        done = subprocess.run(["apt-get", "download", "-qq", *debian], cwd=folder)
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder / "root"])
    if done.returncode == 0 and (not debian or (folder / "root").exists()):
        (folder / "ready").touch()
    return done.returncode == 0


def main() -> int:
    newest, (home, *only) = "--newest" in sys.argv, [word for word in sys.argv[1:] if word != "--newest"]
    wanted = sorted({(row.program, row.source) for row in read_rows() if not (newest and row.until)})
    missing = [source for program, source in wanted
               if (not only or program in only) and not install(Path(home), program, source, newest)]
    print(*[f"not installed: {source}" for source in missing], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
