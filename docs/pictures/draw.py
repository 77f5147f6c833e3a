"""Draw the diagrams of the pages as SVG files beside this script.

python docs/pictures/draw.py            write them
python docs/pictures/draw.py --check    status 1 where a file is not what this script draws
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILLS = {
    "link": "#d7e8fb",
    "joint": "#ffe3b8",
    "frame": "#e3f3d3",
    "model": "#eadcf6",
    "plain": "#f1f1f1",
    "gone": "#ffffff",
}
WIDTH, HEIGHT = 132, 34


@dataclass
class Drawing:
    """A diagram of boxes and arrows; boxes are placed by their centres, in pixels."""

    width: int
    height: int
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)

    def box(self, name: str, x: float, y: float, kind: str = "plain", text: str = "", width: int = WIDTH) -> None:
        """A box with its name, or another text (lines divided by |); joints are rounded, what is gone is dashed."""
        lines = (text or name).split("|")
        height = HEIGHT + 15 * (len(lines) - 1)
        self.boxes[name] = x, y, width / 2, height / 2
        dash = ' stroke-dasharray="4 3"' if kind == "gone" else ""
        self.parts.append(
            f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" height="{height}" '
            f'rx="{12 if kind == "joint" else 3}" fill="{FILLS[kind]}" stroke="#444"{dash}/>'
        )
        for number, line in enumerate(lines):
            self.note(line, x, y + 4.5 + 15 * (number - (len(lines) - 1) / 2), size=13)

    def arrow(self, start: str, end: str, text: str = "", dashed: bool = False, shift: float = 0) -> None:
        """An arrow between two boxes, its text beside the middle; `shift` moves it sideways."""
        (x, y, half, down), (u, v, other, up) = self.boxes[start], self.boxes[end]
        if abs(u - x) > abs(v - y) * 1.6:
            sign = 1 if u > x else -1
            x, u = x + sign * half, u - sign * other
            y, v = y + shift, v + shift
        else:
            sign = 1 if v > y else -1
            y, v = y + sign * down, v - sign * up
            x, u = x + shift, u + shift
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(
            f'<line x1="{x:g}" y1="{y:g}" x2="{u:g}" y2="{v:g}" stroke="#444" stroke-width="1.4"{dash} '
            'marker-end="url(#head)"/>'
        )
        if text:
            level = abs(v - y) < 1
            self.note(
                text,
                (x + u) / 2 + (0 if level else 8),
                (y + v) / 2 + (-6 if level else 4),
                12,
                "middle" if level else "start",
                "#555",
            )

    def note(
        self,
        text: str,
        x: float,
        y: float,
        size: int = 12,
        anchor: str = "middle",
        colour: str = "#222",
        bold: bool = False,
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
            f"{escape(text)}</text>"
        )

    def render(self) -> str:
        head = (
            '<defs><marker id="head" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
            '<path d="M0,0 L8,4 L0,8 z" fill="#444"/></marker></defs>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="Helvetica, Arial, sans-serif">\n'
            f'{head}\n<rect width="100%" height="100%" fill="#fff"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def draw_frames() -> Drawing:
    """The two questions about a frame: what does it move with, and in which frame is its pose written?"""
    d = Drawing(800, 330)
    for x, title in (
        (180, "attached_to: what moves with what"),
        (560, "relative_to: in which frame a pose is written"),
    ):
        d.note(title, x, 24, 14, bold=True)
    places = {
        "arm": ("link", 60, 0),
        "base": ("link", -60, 0),
        "elbow": ("joint", 60, 1),
        "camera": ("frame", 60, 2),
        "__model__": ("model", -60, 1),
    }
    for centre, spread in ((180, 1.4), (560, 1.9)):
        for name, (kind, dx, row) in places.items():
            d.box(f"{name}{centre}", centre + dx * spread, 80 + row * 95, kind, name)
    d.arrow("elbow180", "arm180", "child link")
    d.arrow("camera180", "elbow180", "attached_to")
    d.arrow("__model__180", "base180", "canonical link")
    d.arrow("base560", "__model__560", "(default)")
    d.arrow("arm560", "elbow560", "relative_to")
    d.arrow("elbow560", "base560", "relative_to")
    d.arrow("camera560", "elbow560", "as attached_to")
    d.note("Every chain ends at a link: the body that the frame moves with.", 180, 318, colour="#555")
    d.note("Every chain ends at the model: the pose in the model.", 560, 318, colour="#555")
    return d


def draw_lumping() -> Drawing:
    """A fixed joint before and after lumping."""
    d = Drawing(720, 330)
    d.note("URDF", 150, 24, 14, bold=True)
    d.note("SDFormat after lumping", 530, 24, 14, bold=True)
    for row, (name, kind) in enumerate(
        (("base_link|38 kg", "link"), ("mast_joint|fixed", "joint"), ("mast_link|1.5 kg", "link"))
    ):
        d.box(name, 150, 70 + 95 * row, kind)
    d.arrow("base_link|38 kg", "mast_joint|fixed")
    d.arrow("mast_joint|fixed", "mast_link|1.5 kg")
    d.box("lumped", 430, 70, "link", "base_link")
    d.box("mast_joint", 430, 165, "frame")
    d.box("mast", 430, 260, "frame", "mast_link")
    d.arrow("mast_joint", "lumped", "attached_to")
    d.arrow("mast", "mast_joint", "attached_to")
    d.note("39.5 kg, and the inertia of both", 505, 66, 12, "start", "#555")
    d.note("all visuals, collisions, sensors", 505, 82, 12, "start", "#555")
    d.note("same pose as the joint had", 505, 169, 12, "start", "#555")
    d.note("same pose as the link had", 505, 264, 12, "start", "#555")
    d.note("One rigid body for the simulator, and no frame is lost.", 360, 318, colour="#555")
    return d


def draw_massless() -> Drawing:
    """The two places of a massless link."""
    d = Drawing(720, 330)
    d.note("behind a fixed joint", 180, 24, 14, bold=True)
    d.note("behind a movable joint", 540, 24, 14, bold=True)
    d.box("camera_link", 105, 75, "link", "camera_link|0.2 kg")
    d.box("optical", 105, 235, "gone", "optical_frame|no mass")
    d.arrow("camera_link", "optical", "fixed")
    d.box("camera2", 270, 75, "link", "camera_link|0.2 kg")
    d.box("optical2", 270, 235, "frame", "optical_frame")
    d.arrow("optical2", "camera2", "attached_to")
    d.note("URDF", 105, 285, colour="#555")
    d.note("SDF: a frame", 270, 285, colour="#555")
    d.box("body", 465, 75, "link", "body|5 kg")
    d.box("turret", 465, 235, "gone", "turret|no mass")
    d.arrow("body", "turret", "revolute")
    d.box("body2", 630, 75, "link", "body|5 kg")
    d.note("turret: not in the SDF,", 630, 220, 12, colour="#a33")
    d.note("a warning says so,", 630, 236, 12, colour="#a33")
    d.note("but it stays in TF", 630, 252, 12, colour="#a33")
    d.note("URDF", 465, 285, colour="#555")
    d.note("SDF: removed", 630, 285, colour="#555")
    return d


def draw_tf_modes() -> Drawing:
    """Who publishes what in the two modes."""
    d = Drawing(720, 300)
    d.note("tf_mode all", 180, 24, 14, bold=True)
    d.note("tf_mode complement", 540, 24, 14, bold=True)
    d.box("sdf1", 180, 75, "plain", "sdf_frames")
    d.box("static1", 180, 225, "frame", "/tf_static|every frame, joints at zero", 200)
    d.arrow("sdf1", "static1", "links, joints, frames")
    d.box("rsp", 455, 75, "plain", "robot_state_publisher", 150)
    d.box("sdf2", 630, 75, "plain", "sdf_frames")
    d.box("tf", 455, 225, "link", "/tf and /tf_static|the URDF's links", 160)
    d.box("static2", 630, 225, "frame", "/tf_static|all other frames", 130)
    d.arrow("rsp", "tf", "links move")
    d.arrow("sdf2", "static2", "joint frames")
    d.note("alone: to look at a robot", 180, 285, colour="#555")
    d.note("beside robot_state_publisher: on a robot or in Gazebo", 540, 285, colour="#555")
    return d


def draw_architecture() -> Drawing:
    """How a description passes through the library."""
    d = Drawing(760, 330)
    d.box("text", 80, 60, "plain", "URDF or SDF text", 130)
    d.box("document", 260, 60, "plain", "document|XML tree with lines", 150)
    d.box("urdf", 440, 60, "link", "urdf|Robot", 110)
    d.box("convert", 620, 60, "joint", "convert|lumping, report", 130)
    d.box("sdf", 440, 165, "link", "sdf|Root", 110)
    d.box("frames", 260, 165, "frame", "frames|graph, poses", 150)
    d.box("inertia", 80, 165, "frame", "inertia|shapes, meshes", 130)
    d.box("checks", 260, 265, "model", "checks|findings", 150)
    d.box("library", 440, 265, "plain", "library|sf.load", 110)
    d.box("users", 640, 265, "plain", "command line, ROS node", 170)
    d.arrow("text", "document")
    d.arrow("document", "urdf")
    d.arrow("urdf", "convert")
    d.arrow("convert", "sdf")
    d.arrow("document", "sdf")
    d.arrow("sdf", "frames")
    d.arrow("frames", "inertia")
    d.arrow("frames", "checks")
    d.arrow("inertia", "checks")
    d.arrow("checks", "library")
    d.arrow("library", "users")
    return d


DRAWINGS = {
    "frames": draw_frames,
    "lumping": draw_lumping,
    "massless": draw_massless,
    "tf_modes": draw_tf_modes,
    "architecture": draw_architecture,
}


def main() -> int:
    different = []
    for name, draw in DRAWINGS.items():
        path, text = HERE / f"{name}.svg", draw().render()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            different.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    print("different:" if "--check" in sys.argv else "written:", ", ".join(different) or "none")
    return int("--check" in sys.argv and bool(different))


if __name__ == "__main__":
    sys.exit(main())
