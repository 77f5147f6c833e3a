"""What pyproject.toml cannot say: where the demo robot lies, and the README as a package index shows it.

`pip install .` installs the library and the `sdf_frames` command without ROS. In a ROS 2 workspace colcon builds the
package from package.xml and CMakeLists.txt instead.
"""
import re
from pathlib import Path

from setuptools import find_packages, setup

_LINK = re.compile(r"(!?)\[((?:!\[[^]]*\]\([^)]*\)|[^][])*)\]\((?!https?:|#)[^)]*\)")


def describe(readme: str) -> str:
    """Return the README without what leads to files of the repository: a package index has none of them.

    Links become their texts. Pictures are left out.
    """
    while (text := _LINK.sub(lambda m: "" if m[1] else m[2], readme)) != readme:
        readme = text
    return re.sub(r"<img\b[^>]*\bsrc=\"(?!https?:)[^>]*>", "", readme)


setup(
    long_description=describe((Path(__file__).parent / "README.md").read_text(encoding="utf-8")),
    long_description_content_type="text/markdown",
    # ROS finds the robot as package://sdf_frames/robots/..., so its folder is at the top level.
    packages=[*find_packages(include=["sdf_frames", "sdf_frames.*"]), "sdf_frames.robots"],
    package_dir={"sdf_frames.robots": "robots"},
    package_data={"": ["py.typed", "data/*", "*.txt", "examples/*"], "sdf_frames.robots": ["*/*", "*/*/*"]},
    zip_safe=False,
)
