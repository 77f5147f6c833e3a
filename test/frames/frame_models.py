"""Random models as data: a tree of frames, its SDFormat text, and its poses by scalar composition."""

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from sdf_frames.spatial.pose import IDENTITY, compose, invert, pose_from_rpy

angles = st.one_of(st.sampled_from([0.0, 1.5707963267948966, -1.5707963267948966, 3.141592653589793]),
                   st.floats(-7, 7, allow_subnormal=False))
lengths = st.one_of(st.just(0.0), st.floats(-10, 10, allow_subnormal=False))
xyz_rpy = st.tuples(lengths, lengths, lengths, angles, angles, angles)


@dataclass(frozen=True)
class Item:
    """A link, joint or frame. ``relative_to`` and ``on`` (attached_to, or a joint's child) name others, or are
    empty."""

    kind: str
    name: str
    pose: tuple
    relative_to: str = ""
    on: str = ""

    @property
    def reference(self) -> str:
        """The frame that the pose is in: what is written, else the format's default."""
        return self.relative_to or (self.on if self.kind in ("joint", "frame") else "") or "__model__"


@st.composite
def models(draw, most: int = 12):
    """Items in any order: each refers to others only so that every chain ends at the model frame."""
    items = [Item("link", "n0", draw(xyz_rpy))]
    for i in range(1, draw(st.integers(1, most))):
        earlier = st.sampled_from([x.name for x in items])
        kind = draw(st.sampled_from(["link", "joint", "frame", "frame"]))
        relative_to = draw(st.one_of(st.just(""), st.just("__model__"), earlier))
        on = ""
        if kind == "joint":
            on = draw(earlier)
        elif kind == "frame":
            on = draw(st.one_of(st.just(""), st.just("__model__"), earlier))
        items.append(Item(kind, f"n{i}", draw(xyz_rpy), relative_to, on))
    return draw(st.permutations(items))


def write_items(items) -> str:
    """Elements of the items, one after the other."""
    text = []
    for x in items:
        pose = " ".join(repr(v) for v in x.pose)
        attribute = f' relative_to="{x.relative_to}"' if x.relative_to else ""
        pose = f"<pose{attribute}>{pose}</pose>"
        if x.kind == "link":
            text.append(f'<link name="{x.name}">{pose}</link>')
        elif x.kind == "joint":
            text.append(f'<joint name="{x.name}" type="fixed">{pose}<parent>world</parent><child>{x.on}</child>'
                        f'</joint>')
        else:
            on = f' attached_to="{x.on}"' if x.on else ""
            text.append(f'<frame name="{x.name}"{on}>{pose}</frame>')
    return "\n".join(text)


def write_model(items, name: str = "m", canonical: str = "n0", pose: str = "", version: str = "1.12") -> str:
    """A document with one root model."""
    return f'<sdf version="{version}">\n{write_bare_model(items, name, canonical, pose)}\n</sdf>'


def write_bare_model(items, name: str = "m", canonical: str = "n0", pose: str = "") -> str:
    return f'<model name="{name}" canonical_link="{canonical}">\n{pose}{write_items(items)}\n</model>'


def pose_of(x: Item) -> tuple:
    return pose_from_rpy(*x.pose)


def compose_poses(items) -> dict:
    """Pose of every item in the model frame, one product an edge."""
    by_name = {x.name: x for x in items}
    found = {"__model__": IDENTITY}

    def find(name):
        if name not in found:
            found[name] = compose(find(by_name[name].reference), pose_of(by_name[name]))
        return found[name]

    for x in items:
        find(x.name)
    return found


def find_bodies(items, canonical: str = "n0") -> dict:
    """Link that every item is attached to."""
    by_name = {x.name: x for x in items}

    def follow(name):
        if name == "__model__":
            return canonical
        x = by_name[name]
        return name if x.kind == "link" else follow(x.on or "__model__")

    return {name: follow(name) for name in ("__model__", *by_name)}


def walk(items, start: str, goal: str) -> tuple:
    """Pose of `goal` in `start` as the product along the path between them in the tree of references."""
    by_name = {x.name: x for x in items}

    def climb(name):
        path = [name]
        while path[-1] != "__model__":
            path.append(by_name[path[-1]].reference)
        return path

    up, down = climb(start), climb(goal)
    meeting = next(n for n in up if n in down)
    X = IDENTITY
    for name in up[:up.index(meeting)]:
        X = compose(X, invert(pose_of(by_name[name])))
    for name in reversed(down[:down.index(meeting)]):
        X = compose(X, pose_of(by_name[name]))
    return X


def rename_items(items, names: dict) -> list:
    """The items under other names, references with them."""
    return [replace(x, name=names[x.name], relative_to=names.get(x.relative_to, x.relative_to),
                    on=names.get(x.on, x.on))
            for x in items]


def near(X: tuple, Y: tuple, tolerance: float = 1e-9) -> bool:
    """Whether two poses are one up to rounding; q and −q are one rotation."""
    scale = 1 + max(abs(v) for v in (*X[:3], *Y[:3]))
    dot = sum(a * b for a, b in zip(X[3:], Y[3:]))
    return all(abs(a - b) <= tolerance * scale for a, b in zip(X[:3], Y[:3])) and abs(abs(dot) - 1) <= tolerance
