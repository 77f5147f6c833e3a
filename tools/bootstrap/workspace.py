"""The colcon workspace in the work tree: this package, tf2_msgs if ROS does not have it, and the file to source."""
from __future__ import annotations

import os
import shutil
from pathlib import Path

from steps import hash_of, is_current, run_command

#: Folders with compiled files, whose *contents* determine whether to build again; and folders that are linked into the
#: installation, for which only the list of files matters.
COMPILED = ("msg", "srv")
LINKED = ("sdf_frames", "launch", "config", "rviz", "robots", "resource")

#: Sources of tf2_msgs with the message of /tf alone.
_TF2_MSGS = Path(__file__).with_name("tf2_msgs")


class Workspace:
    """The folders of the work tree.

    Parameters
    ----------
    tree
        Root of the work tree, the folder with package.xml.
    home
        Folder that takes everything built; it is ignored by git.
    wheels
        Whether ROS 2 comes from PyPI, not from an installation that is sourced.
    """

    def __init__(self, tree: Path, home: Path, wheels: bool):
        self.tree, self.home, self.wheels = tree, home, wheels
        self.venv, self.log, self.install, self.stamps = home / "venv", home / "log", home / "install", home / "stamps"

    def list_underlay(self) -> list[str]:
        """Return shell lines that make ROS 2 and the environment's programs available.

        The wheels start every Python a second time, with the folders of their libraries in LD_LIBRARY_PATH in no
        particular order: an overlay's libraries may then come after those that they should replace. With these lines
        they come last, and Python starts once.
        """
        wheels = [
            f". {self.venv}/setup.bash",
            f"for folder in {self.venv}/lib/python3*/site-packages/ros_*.libs {self.venv}/lib; do",
            '  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"',
            "done",
            "unset folder",
            "export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1",
        ]
        return [*(wheels if self.wheels else ()), f"export PATH={self.venv}/bin:$PATH"]

    def hash_sources(self) -> str:
        """Hash the files that the built package depends on, by the rules of `COMPILED` and `LINKED`."""
        parts: list = [self.tree / "package.xml", self.tree / "CMakeLists.txt", Path(__file__)]
        for folder in COMPILED:
            parts += sorted((self.tree / folder).glob("*"))
        for folder in LINKED:
            parts += sorted(str(path.relative_to(self.tree)) for path in (self.tree / folder).rglob("*")
                            if "__pycache__" not in path.parts)
        return hash_of(*parts)

    def link_sources(self) -> Path:
        """Make a folder of links to this package's sources, and return it.

        CMake refuses to export include folders that lie inside the source folder, and NumPy's do: the environment is
        inside the work tree. Seen through this folder they are beside the sources.
        """
        folder = self.home / "src" / "sdf_frames"
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {name for name in ("package.xml", "CMakeLists.txt", "LICENSE", "bin", "test", *COMPILED, *LINKED)
                  if (self.tree / name).exists()}
        for link in folder.iterdir():
            if link.name not in wanted:
                link.unlink()
        for name in wanted:
            if not (folder / name).is_symlink():
                (folder / name).symlink_to(os.path.relpath(self.tree / name, folder))
        return folder

    def build(self, prefixes: str, underlay_hash: str) -> bool:
        """Build changed packages with colcon, and tf2_msgs if ROS does not have it; return False without changes.

        Another hash of the ROS 2 below, whose prefixes are given, means building from scratch.
        """
        outside = [Path(prefix) for prefix in prefixes.split(os.pathsep) if prefix and Path(prefix) != self.install]
        packages = [self.link_sources()]
        if not any((prefix / "share/ament_index/resource_index/packages/tf2_msgs").exists() for prefix in outside):
            packages.insert(0, _TF2_MSGS)
        value = hash_of(self.hash_sources(), underlay_hash, *map(str, packages))
        if is_current(self.stamps / "build", value) and (self.install / "local_setup.bash").exists():
            return False
        if not is_current(self.stamps / "underlay", underlay_hash):
            # CMake's cache has paths of the ROS 2 that it was made with.
            for folder in (self.home / "build", self.install):
                shutil.rmtree(folder, ignore_errors=True)
            (self.stamps / "underlay").write_text(underlay_hash)
        line = " ".join([
            f"colcon --log-base {self.log}/colcon build --merge-install --symlink-install",
            f"--build-base {self.home}/build --install-base {self.install}",
            "--event-handlers console_direct+ --paths", *map(str, packages),
            f"--cmake-args -DPython3_EXECUTABLE={self.venv}/bin/python -DBUILD_TESTING=ON -Wno-dev "
            f"--no-warn-unused-cli"])
        run_command(f"Building {' and '.join(path.name for path in packages)} with colcon (10 to 60 s)",
                    ["bash", "-c", "\n".join([*self.list_underlay(), line])], self.log / "build.log", self.home)
        (self.stamps / "build").write_text(value)
        return True

    def write_setup_file(self) -> None:
        """Write the file that prepares a shell: ROS 2, this package, DDS on the loopback interface alone."""
        loopback = self.tree / "tools" / "loopback"
        lines = [
            "# Source this in bash: ROS 2, this work tree's package, and DDS that never leaves this machine.",
            *self.list_underlay(),
            # Tells the set-up that the ROS 2 of such a shell is its own, not one the user installed.
            "export SDF_FRAMES_WHEELS=1" if self.wheels else "unset SDF_FRAMES_WHEELS",
            f". {self.install}/local_setup.bash",
            f". {loopback}/loopback.sh {loopback}",
        ]
        (self.home / "setup.bash").write_text("\n".join([*lines, ""]))
