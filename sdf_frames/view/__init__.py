"""Pictures of robots and worlds: in a browser, as one HTML file, as PNG."""
from __future__ import annotations

from typing import TYPE_CHECKING

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
