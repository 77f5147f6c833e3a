"""The colcon workspace in the work tree: tf2_msgs where no ROS has it, this package, and the file to source."""
from __future__ import annotations

import os
import shutil
from pathlib import Path

from steps import Stamps, hash_of, run_command, say

#: Folders whose *contents* decide whether to build again (they are compiled), and those of which only the list of
#: files matters (they are linked into the installation, so an edit shows at once).
COMPILED = ("msg", "srv")
LINKED = ("sdf_frames", "launch", "config", "rviz", "robots", "resource")

_TF2_MSGS = {
    "msg/TFMessage.msg": "# Transforms of coordinate frames, in metres and unit quaternions, each from child to "
                         "parent.\n"
                         "geometry_msgs/TransformStamped[] transforms\n",
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.20)
project(tf2_msgs)
find_package(ament_cmake REQUIRED)
find_package(geometry_msgs REQUIRED)
find_package(rosidl_default_generators REQUIRED)
rosidl_generate_interfaces(tf2_msgs "msg/TFMessage.msg" DEPENDENCIES geometry_msgs)
ament_export_dependencies(rosidl_default_runtime)
ament_package()
""",
    "package.xml": """\
<?xml version="1.0"?>
<package format="3">
  <name>tf2_msgs</name>
  <version>0.36.0</version>
  <description>The message type of /tf and /tf_static, for machines whose ROS 2 came without it.</description>
  <maintainer email="maintainer@example.com">sdf_frames</maintainer>
  <license>Apache-2.0</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <buildtool_depend>rosidl_default_generators</buildtool_depend>
  <depend>geometry_msgs</depend>
  <exec_depend>rosidl_default_runtime</exec_depend>
  <member_of_group>rosidl_interface_packages</member_of_group>
  <export><build_type>ament_cmake</build_type></export>
</package>
""",
}


def source_wheels(venv: Path) -> str:
    """Return shell lines that make the ROS 2 of the wheels available.

    The wheels start every Python a second time, with the folders of their libraries in LD_LIBRARY_PATH in no particular
    order: an overlay's libraries may then come after those that they should replace. With these lines they come last,
    and Python starts once.
    """
    return f"""\
. {venv}/setup.bash
for folder in {venv}/lib/python3*/site-packages/ros_*.libs {venv}/lib; do
  export LD_LIBRARY_PATH="${{LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}}$folder"
done
unset folder
export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1"""


class Workspace:
    """Where things are in the work tree.

    Parameters
    ----------
    tree
        Root of the work tree, the folder with package.xml.
    home
        Folder that takes everything built; it is ignored by git.
    underlay
        Shell line that makes ROS 2 available: sourcing the wheels' environment, or nothing where one is sourced.
    """

    def __init__(self, tree: Path, home: Path, underlay: str):
        self.tree, self.home, self.underlay = tree, home, underlay
        self.venv, self.log, self.install = home / "venv", home / "log", home / "install"
        self.stamps = Stamps(home / "stamps")

    def shell(self, line: str) -> list:
        """Wrap a shell line so that it runs with ROS 2 and the environment's programs."""
        return ["bash", "-c", f"{self.underlay}\nexport PATH={self.venv}/bin:$PATH\n{line}"]

    def sources_hash(self) -> str:
        """Hash what the built package depends on, by the rules of `COMPILED` and `LINKED`."""
        tree = self.tree
        parts: list = [tree / "package.xml", tree / "CMakeLists.txt", Path(__file__)]
        for folder in COMPILED:
            parts += sorted((tree / folder).glob("*"))
        for folder in LINKED:
            parts += sorted(str(path.relative_to(tree)) for path in (tree / folder).rglob("*")
                            if "__pycache__" not in path.parts)
        return hash_of(*parts)

    def write_tf2_msgs(self) -> Path:
        """Write the sources of a tf2_msgs package with TFMessage, and return their folder."""
        folder = self.home / "src" / "tf2_msgs"
        for name, text in _TF2_MSGS.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        return folder

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
            link = folder / name
            if not link.is_symlink():
                link.symlink_to(os.path.relpath(self.tree / name, folder))
        return folder

    def build(self, with_tf2_msgs: bool, underlay_hash: str) -> bool:
        """Build with colcon what has changed.

        Parameters
        ----------
        with_tf2_msgs
            Build tf2_msgs first: no ROS here has it.
        underlay_hash
            Hash of the ROS 2 below; another one means building from scratch.

        Returns
        -------
        bool
            False where nothing had changed.
        """
        packages = [self.write_tf2_msgs()] if with_tf2_msgs else []
        packages.append(self.link_sources())
        value = hash_of(self.sources_hash(), underlay_hash, *map(str, packages))
        setup = self.install / "local_setup.bash"
        if self.stamps.is_current("build", value) and setup.exists():
            return False
        self.stamps.forget("build")
        if not self.stamps.is_current("underlay", underlay_hash):
            # CMake's cache remembers the ROS 2 it was made with.
            for folder in (self.home / "build", self.install):
                shutil.rmtree(folder, ignore_errors=True)
            self.stamps.set("underlay", underlay_hash)
        names = "tf2_msgs and sdf_frames" if with_tf2_msgs else "sdf_frames"
        line = " ".join([
            f"colcon --log-base {self.log}/colcon build --merge-install --symlink-install",
            f"--build-base {self.home}/build --install-base {self.install}",
            "--event-handlers console_direct+ --paths", *map(str, packages),
            f"--cmake-args -DPython3_EXECUTABLE={self.venv}/bin/python -DBUILD_TESTING=ON -Wno-dev "
            f"--no-warn-unused-cli"])
        run_command(f"Building {names} with colcon (10 to 60 s)", self.shell(line), self.log / "build.log",
                    cwd=self.home)
        self.stamps.set("build", value)
        return True

    def write_setup_file(self, wheels: bool) -> Path:
        """Write the file that gives a shell everything: ROS 2, this package, DDS on the loopback interface alone."""
        loopback = self.tree / "tools" / "loopback"
        lines = [
            "# Source this in bash: ROS 2, this work tree's package, and DDS that never leaves this machine.",
            self.underlay,
            # Tells the set-up that the ROS 2 of such a shell is its own, not one the user installed.
            "export SDF_FRAMES_WHEELS=1" if wheels else "unset SDF_FRAMES_WHEELS",
            f"export PATH={self.venv}/bin:$PATH",
            f". {self.install}/local_setup.bash",
            f". {loopback}/loopback.sh {loopback}",
        ]
        path = self.home / "setup.bash"
        text = "\n".join(line for line in lines if line) + "\n"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        return path


def describe_result(workspace: Workspace, built: bool, seconds: float) -> None:
    """Say in one line where things stand."""
    state = "built" if built else "nothing to build"
    say(f"-- Set up in {seconds:.1f} s ({state}). For a shell with all of it:  source "
        f"{os.path.relpath(workspace.home / 'setup.bash')}")
