"""One world or root model: its elements by name, and forward kinematics."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdf_frames.api.elements import Frame, Joint, Link, Model, Shape
from sdf_frames.api.errors import Immutable, Named, name_methods, unknown_name
from sdf_frames.api.inertias import state_inertia
from sdf_frames.api.kinematics import Configuration
from sdf_frames.api.parts import Part, list_parts
from sdf_frames.api.pose import Pose, wrap_pose
from sdf_frames.api.urdf_elements import Fates, list_fates, list_joints, list_links, list_renamed_joints, place_of
from sdf_frames.description import Description
from sdf_frames.diagnostics import count_of
from sdf_frames.document.elements import Element
from sdf_frames.frames import mechanism as mechanisms
from sdf_frames.frames.resolve import FrameRow, Scope, find_pose_in
from sdf_frames.sdf import model as sdf
from sdf_frames.sdf.geometry import Mesh, read_colour, read_geometry, read_texture
from sdf_frames.sdf.names import CARRIED, MODEL_FRAME
from sdf_frames.spatial.batch import compose_batch, invert_batch
from sdf_frames.spatial.pose import IDENTITY
from sdf_frames.urdf import model as urdf

if TYPE_CHECKING:
    from sdf_frames.api.elements import Array
    from sdf_frames.api.inertias import Inertias
    from sdf_frames.inertia.result import InertiaResult


class Scene(Immutable):
    """A world or root model.

    Attributes
    ----------
    kind, name : ``world`` or ``model``, and its name.
    """

    def __init__(self, description: Description, scope: Scope) -> None:
        self._description, self._scope = description, scope
        self.kind, self.name = scope.kind, scope.name

    @cached_property
    def frames(self) -> Named[Frame]:
        """Every frame by its SDF name."""
        robot = self._description.robot
        frames = {row.name: _make_frame(row, True, *place_of(entity.element),
                                        entity.element.attrib.get(f"{CARRIED}name") if robot else None)
                  for row, entity in zip(self._scope.frames, self._scope.graph.entities)}
        parts: dict[str, Element | None] = {}
        if robot is not None:
            parts.update((joint.name, joint.element) for joint in robot.joints)
            parts.update((link.name, link.element) for link in robot.links)
        for row in self._scope.left_out:
            frames[row.name] = _make_frame(row, False, *place_of(parts.get(row.name)))
        return Named("frame", frames)

    @cached_property
    def links(self) -> Named[Link]:
        """Every link of the file by its name."""
        if (robot := self._description.robot) is None:
            return self.sdf_links
        links = list_links(robot, self.frames, self._fates, self._description.resolver.find)
        return Named("link", {link.name: link for link in links})

    @cached_property
    def joints(self) -> Named[Joint]:
        """Every joint of the file by its name."""
        if (robot := self._description.robot) is None:
            return self.sdf_joints
        joints = list_joints(robot, self.frames, self._fates, self._mechanism,
                             [row.name for row in self._scope.joints])
        return Named("joint", {joint.name: joint for joint in joints})

    @cached_property
    def _fates(self) -> Fates:
        return list_fates(self._description.report)

    @cached_property
    def sdf_links(self) -> Named[Link]:
        """Every link of the SDF by its SDF name: for a URDF, the links after lumping."""
        graph = self._scope.graph
        links = {}
        for i, (row, entity) in enumerate(zip(self._scope.frames, graph.entities)):
            if isinstance(entity, sdf.Link):
                visuals = [part for part in entity.parts if part.kind == "visual"]
                mass, com, inertia = _read_inertial(entity)
                links[row.name] = Link(row.name, wrap_pose(row.pose), self._make_shapes(i, visuals),
                                       self._make_shapes(i, entity.collisions), *place_of(entity.element),
                                       mass, com, inertia)
        return Named("link", links)

    @cached_property
    def sdf_joints(self) -> Named[Joint]:
        """Every joint of the SDF by its SDF name, and the movable joints of a URDF that are not in the SDF."""
        graph, moving, frames = self._scope.graph, self._mechanism, self.frames
        joints = {}
        for row, (vertex, _) in zip(self._scope.joints, graph.joints):
            frame, axes = frames[row.name], mechanisms.describe_axes(graph, vertex) or ()
            kind = mechanisms.type_as_written(graph.joint(vertex))
            joints[row.name] = Joint(row.name, kind, row.parent, row.child, axes, frame.pose,
                                     row.name in moving.carried, True, frame.file, frame.line)
        for name, joint in self._list_left_out_joints().items():
            described = moving.joints[moving.carried[name]]
            pose = frames[joint.child].pose if joint.child in frames else None
            joints[name] = Joint(name, joint.type, joint.parent, joint.child, described.axes, pose, True, False,
                                 *place_of(joint.element))
        return Named("joint", joints)

    def _list_left_out_joints(self) -> dict[str, urdf.Joint]:
        """List the movable joints of a URDF that are not in the SDF, by name."""
        if (robot := self._description.robot) is None:
            return {}
        moving, written = self._mechanism, {row.name for row in self._scope.joints}
        found: dict[str, urdf.Joint] = {}
        for joint in robot.joints:
            name = moving.aliases.get(joint.name, joint.name)
            if name in moving.carried and name not in written:
                found.setdefault(name, joint)
        return found

    def count_elements(self) -> tuple[int, int, int]:
        """Count :attr:`links`, :attr:`joints` and :attr:`frames` without making them."""
        scope, robot = self._scope, self._description.robot
        frames = len({row.name for row in (*scope.frames, *scope.left_out)})
        if robot is not None:
            return len(robot.links), len(robot.joints), frames
        links = {row.name for row, entity in zip(scope.frames, scope.graph.entities) if isinstance(entity, sdf.Link)}
        return len(links), len({row.name for row in scope.joints}), frames

    @cached_property
    def models(self) -> Named[Model]:
        """Every model by the SDF name of its frame; a root model is ``__model__``."""
        graph, static = self._scope.graph, set[str]()
        models = {}
        for i, (row, entity) in enumerate(zip(self._scope.frames, graph.entities)):
            if isinstance(entity, sdf.Model):
                if entity.static or (graph.prefix(i)[:-2] or MODEL_FRAME) in static:
                    static.add(row.name)
                body = row.link if row.link in self.sdf_links else None
                place = place_of(entity.element)
                models[row.name] = Model(entity.name, wrap_pose(row.pose), row.name in static, body, *place)
        return Named("model", models)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Sensors, lights, plugins and other elements, and the settings of links, joints and shapes."""
        return tuple(list_parts(self._scope, self._description.resolver.find))

    @cached_property
    def _mechanism(self) -> mechanisms.Mechanism:
        renamed = list_renamed_joints(self._description.report)
        return mechanisms.build_mechanism(self._scope, self._description.robot, renamed)

    def pose(self, frame: str, relative_to: str | None = None, positions: Mapping[str, Any] | None = None) -> Pose:
        """Compute the pose of a frame: see :meth:`RobotDescription.pose`."""
        configuration = Configuration(self._mechanism, positions)
        X_F, X_B = (configuration.locate(self._find(name, positions is not None))
                    for name in (frame, self._name_base(relative_to)))
        return configuration.wrap([compose_batch(invert_batch(X_B), X_F)])[0]

    def poses(self, positions: Mapping[str, Any] | None = None, relative_to: str | None = None) -> Named[Pose]:
        """Compute the poses of all frames: see :meth:`RobotDescription.poses`."""
        configuration = Configuration(self._mechanism, positions)
        base = self._find(self._name_base(relative_to), positions is not None)
        found = configuration.locate_all(configuration.locate(base))
        poses = {name: found[place] for name, place in self._mechanism.index.items()
                 if place in found and (positions is None or place not in self._mechanism.loose)}
        return Named("resolved frame", dict(zip(poses, configuration.wrap([*poses.values()]))))

    def _name_base(self, name: str | None) -> str:
        return self._scope.graph.names[0] if name is None else name

    def _find(self, name: str, moved: bool) -> int:
        """Return the number of a frame in the mechanism. `moved`: joints may have moved."""
        places = self._mechanism.index
        if not isinstance(name, str):
            hint = "; write positions={…}" if isinstance(name, Mapping) else ""
            raise TypeError(f"a frame is given by its name, a str, not by a {type(name).__name__}{hint}")
        if name in places:
            if moved and places[name] in self._mechanism.loose:
                raise ValueError(f"the link that carries the frame {name!r} cannot be resolved; see findings")
            return places[name]
        if name in self.frames:
            raise ValueError(f"the frame {name!r} cannot be resolved; see findings")
        raise unknown_name("frame", name, self.frames)

    def _make_shapes(self, link: int, parts: Sequence[sdf.Part | sdf.Collision]) -> tuple[Shape, ...]:
        shapes = []
        for part in parts:
            geometry, _ = read_geometry(part.element.find("geometry"))
            file, line = place_of(part.element)
            path, texture = (self._description.resolver.find(uri, file) if uri else None
                             for uri in (getattr(geometry, "uri", ""), read_texture(part.element)))
            geometry = replace(geometry, path=path) if isinstance(geometry, Mesh) else geometry
            pose = wrap_pose(find_pose_in(self._scope.graph, link, part.pose))
            shapes.append(Shape(part.name, pose, geometry, path, read_colour(part.element), file, line, texture))
        return tuple(shapes)


@name_methods
class World(Scene):
    """A world.

    Attributes
    ----------
    name : its name.
    frames, links, joints, models : by their SDF names; `sdf_links` and `sdf_joints` are `links` and `joints`.
    """

    def __init__(self, description: Description, scope: Scope, number: int,
                 computed: dict[tuple[str, float | None], InertiaResult]) -> None:
        super().__init__(description, scope)
        self._number, self._computed = number, computed  # for all worlds, which are computed together

    def inertias(self, method: str = "auto", density: float | None = None) -> Inertias:
        """Compute the inertia of every link of this world, and the total: see :meth:`RobotDescription.inertias`.

        Its `findings` are those of all worlds.
        """
        from sdf_frames.api.inertias import check_choices, collect_inertias
        check_choices(method, density=density)
        if (method, density) not in self._computed:
            self._computed[method, density] = self._description.inertias(method=method, density=density)
        return collect_inertias(self._computed[method, density], self._description.graphs, self._fates, self._number)

    def __reduce__(self) -> tuple[Any, ...]:
        return _find_world, (self._description, self._number)

    def __repr__(self) -> str:
        return (f"<World {self.name!r}: {count_of(len(self.models), 'model')}, {count_of(len(self.links), 'link')}, "
                f"{count_of(len(self.joints), 'joint')}, {count_of(len(self.frames), 'frame')}>")


def _find_world(description: Description, number: int) -> World:
    """Return the world of an unpickled description."""
    return World(description, description.scopes[number], number, {})


def make_scenes(description: Description) -> Iterator[Scene]:
    """Make the scenes of a description, worlds first."""
    computed: dict[tuple[str, float | None], InertiaResult] = {}
    for number, scope in enumerate(description.scopes):
        yield World(description, scope, number, computed) if scope.kind == "world" else Scene(description, scope)


def _read_inertial(link: sdf.Link) -> tuple[float | None, Array | None, Array | None]:
    """Return mass, centre and tensor as written; only the mass if the values are in the frame of an old version."""
    inertial = link.inertial
    if inertial is None:
        return 1.0, None, None
    if inertial.auto:
        return None, None, None
    return state_inertia(1.0 if inertial.mass is None else inertial.mass,
                         None if inertial.frame else inertial.X_LI or IDENTITY, inertial.moments)


def _make_frame(row: FrameRow, in_sdf: bool, file: str | None, line: int | None,
                urdf_name: str | None = None) -> Frame:
    return Frame(row.name, row.kind, row.link, wrap_pose(row.pose), row.attached_to, row.relative_to, in_sdf, file,
                 line, urdf_name)
