"""Installs the library and the `sdf_frames` command without ROS: `pip install .`.

In a ROS 2 workspace colcon builds the package from package.xml and CMakeLists.txt instead.
"""
import re
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).parent
version = re.search(r"<version>(.+)</version>", (here / "package.xml").read_text(encoding="utf-8")).group(1)
readme = here / "README.md"

setup(
    name="sdf_frames",
    version=version,
    description="Robots between URDF, SDFormat and ROS 2 without losing a frame",
    long_description=readme.read_text(encoding="utf-8") if readme.exists() else "",
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    maintainer="sdf_frames maintainers",
    maintainer_email="sdf-frames@example.com",
    keywords="robotics URDF SDFormat SDF ROS tf inertia",
    packages=find_packages(include=["sdf_frames", "sdf_frames.*"]),
    package_data={"": ["py.typed", "*.json", "data/*", "data/*/*"]},
    python_requires=">=3.10",
    install_requires=["lxml>=4.8", "numpy>=1.21.5", "transforms3d>=0.3.1", "trimesh>=3.9.35", "pycollada>=0.7.1", "rich>=11.2"],
    extras_require={
        "xacro": ["xacro>=2"],
        "meshes": ["scipy>=1.8"],
        "plot": ["matplotlib>=3.5"],
        "completion": ["argcomplete>=1.8.1"],
        "test": ["pytest>=6.2.5", "hypothesis>=6.36"],
    },
    entry_points={"console_scripts": ["sdf_frames = sdf_frames.cli:main"]},
    classifiers=[
        "License :: OSI Approved :: Apache Software License",
        "Programming Language :: Python :: 3 :: Only",
        "Topic :: Scientific/Engineering",
    ],
    zip_safe=False,
)
