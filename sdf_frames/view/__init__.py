"""Pictures of robots and worlds: in a browser, as one HTML file, as PNG."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sdf_frames.api.description import RobotDescription


def show(robot: RobotDescription) -> None:
    """Show a description in the browser, at the address that is printed, until Ctrl-C.

    Raises
    ------
    ImportError
        viser or trimesh is not installed.
    """
    from sdf_frames.api.errors import needing
    with needing("view"):
        from sdf_frames.view.page import Page
    page = Page()
    print(f"{page.url}  (Ctrl-C to stop)", flush=True)
    try:
        page.add(lambda: robot)
        page.run()
    except KeyboardInterrupt:
        pass
    finally:
        page.close()


def picture(robot: RobotDescription, layers: Iterable[str] = ("visuals", "frames"), view: str = "iso",
            size: tuple[int, int] = (1200, 900), positions: Mapping[str, Any] | None = None) -> bytes:
    """Draw a description, with all its worlds side by side.

    Parameters
    ----------
    layers : the layers to draw: ``visuals``, ``collisions``, ``frames``, ``names``, ``tree``, ``joints``, ``limits``,
        ``sensors`` and ``inertia``.
    view : from where: ``iso``, ``front``, ``side`` or ``top``.
    size : width and height in pixels, from 16 to 8192 each.
    positions : of joints, as :meth:`sdf_frames.RobotDescription.poses` takes them, but of one configuration.

    Returns
    -------
    bytes
        A PNG. Boxes replace missing meshes.

    Raises
    ------
    InvalidDescription
        The description cannot be resolved.
    ValueError, KeyError
        There is no such layer or view, or no movable joint of this name; `size` or a position is invalid; or there is
        neither a model nor a world.
    ImportError
        pyvista or trimesh is not installed.
    RuntimeError
        The machine has no OpenGL.
    """
    from importlib.util import find_spec

    from sdf_frames.api.description import demand_robot
    from sdf_frames.api.errors import InvalidDescription, demand_sequence, needing, unknown_name
    from sdf_frames.api.urdf_elements import name_as_in_file
    demand_robot("picture", robot)
    with needing("png"):
        if find_spec("pyvista") is None:
            raise ModuleNotFoundError(name="pyvista")
        from sdf_frames.view.build_scene import build_scenes
        from sdf_frames.view.rendering import render_picture
        from sdf_frames.view.scene import LAYERS, VIEWS
    demand_sequence("layers", layers)
    layers, positions = tuple(layers), name_as_in_file({} if positions is None else positions, robot.report)
    for given, known in ((layers, LAYERS), ((view,), VIEWS)):
        if unknown := set(given) - set(known):
            raise ValueError(f"{unknown.pop()!r} is none of {', '.join(known)}")
    edges = tuple(size) if isinstance(size, Iterable) else ()
    if len(edges) != 2 or not all(isinstance(edge, int) and 16 <= edge <= 8192 for edge in edges):
        raise ValueError(f"size must be a width and a height from 16 to 8192 pixels, such as (1200, 900), not {size!r}")
    if not (scenes := build_scenes(robot)):
        if robot.valid:
            raise ValueError("there is nothing to draw: the description has neither a model nor a world")
        raise InvalidDescription(robot.file, robot.findings)
    movable = {joint.name: scene for scene in scenes for joint in scene.joints if joint.movable}
    for name in positions:
        if name not in movable:
            raise unknown_name("movable joint", name, movable)
    if any(X.shape for name, q in positions.items() for X in movable[name].source.poses({name: q}).values()):
        raise ValueError("a picture shows one configuration, but positions have a batch of them")
    return render_picture(scenes, layers, view, size, positions)
