"""Reading ``<gazebo>``: settings and whole elements for a link, a joint or the model."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sdf_frames.convert.report import Entry
from sdf_frames.document.blanks import BLANKS
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import format_number, read_number, read_vector
from sdf_frames.urdf.model import Robot

MODEL = ""  # the key of <gazebo> without a reference
STEERS = "controls the lumping of fixed joints"
STEERS_NOT = "false is the default"
REPLACED = "a later value is used"


def is_true(value: str) -> bool:
    """Return whether a switch is on, as libsdformat reads it: ``true`` or ``yes`` in any case, or ``1``."""
    return value.lower() in ("true", "yes") or value == "1"


def _read_number(value: str) -> str | None:
    number = read_number(value)  # as C's stod reads it
    return None if number is None or number != number else format_number(number)


def _read_whole(value: str) -> str | None:
    text = _read_number(value)
    return text and text.partition(".")[0]


def _read_vector(value: str) -> str | None:
    return None if read_vector(value, 3) is None else value


def _read_switch(value: str) -> str:
    return "true" if is_true(value) else "false"


def _read_bit(value: str) -> str:
    return "1" if is_true(value) else "0"


def _read_off(value: str) -> str:
    return "true" if value.lower() in ("false", "no") or value == "0" else "false"


class SettingKind(NamedTuple):
    """What a setting means in SDF.

    Attributes
    ----------
    about : what it is set for: ``link``, ``joint``, ``model``, every ``collision`` or ``visual`` of a link;
        ``lumping``, or ``nothing``.
    around, tags : tags of the elements around the value in SDF, and of the elements that hold it.
    read : makes the text in SDF from the text in URDF; returns None if that is malformed.
    """

    about: str
    around: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    read: Callable[[str], str | None] = _read_number

    @property
    def wanted(self) -> str:
        """The values that `read` accepts, for messages."""
        return "three numbers" if self.read is _read_vector else "a number"


_CONTACT, _FRICTION = ("surface", "contact", "ode"), ("surface", "friction", "ode")
_DYNAMICS, _PHYSICS, _STOP = ("axis", "dynamics"), ("physics", "ode"), ("physics", "ode", "limit")
_SPRING_DAMPER = SettingKind("joint", _PHYSICS, ("implicit_spring_damper", "cfm_damping"), _read_switch)
#: Every setting, in the order in which they are written. All else under <gazebo> is an element, carried over as it is.
SETTINGS = {
    "kp": SettingKind("collision", _CONTACT, ("kp",)),
    "kd": SettingKind("collision", _CONTACT, ("kd",)),
    "maxVel": SettingKind("collision", _CONTACT, ("max_vel",)),
    "minDepth": SettingKind("collision", _CONTACT, ("min_depth",)),
    "mu1": SettingKind("collision", _FRICTION, ("mu",)),
    "mu2": SettingKind("collision", _FRICTION, ("mu2",)),
    "fdir1": SettingKind("collision", _FRICTION, ("fdir1",), _read_vector),
    "laserRetro": SettingKind("collision", (), ("laser_retro",)),
    "maxContacts": SettingKind("collision", (), ("max_contacts",), _read_whole),
    "material": SettingKind("visual", ("material", "script"), ("name",), str),
    "turnGravityOff": SettingKind("link", (), ("gravity",), _read_off),
    "dampingFactor": SettingKind("link", ("velocity_decay",), ("linear", "angular")),
    "selfCollide": SettingKind("link", (), ("self_collide",), _read_bit),
    "springReference": SettingKind("joint", _DYNAMICS, ("spring_reference",)),
    "springStiffness": SettingKind("joint", _DYNAMICS, ("spring_stiffness",)),
    "provideFeedback": SettingKind("joint", ("physics",), ("provide_feedback",), _read_switch),
    "implicitSpringDamper": _SPRING_DAMPER,
    "cfmDamping": _SPRING_DAMPER,
    "fudgeFactor": SettingKind("joint", _PHYSICS, ("fudge_factor",)),
    "stopCfm": SettingKind("joint", _STOP, ("cfm",)),
    "stopErp": SettingKind("joint", _STOP, ("erp",)),
    "static": SettingKind("model", (), ("static",), _read_switch),
    "canonicalBody": SettingKind("nothing"),
    "disableFixedJointLumping": SettingKind("lumping"),
    "preserveFixedJoint": SettingKind("lumping"),
}
RANKS = {tag: rank for rank, tag in enumerate(SETTINGS)}
_ALIASES = {"cfmDamping": "implicitSpringDamper"}


def value_of(element: Element) -> str:
    """Return the value of a setting as written: its attribute, or its text."""
    value = element.get("value")
    return (element.text or "" if value is None else value).strip(BLANKS)


class Setting(NamedTuple):
    """A setting as written; `key` is the reference of its ``<gazebo>``, `kind` its row of :data:`SETTINGS`."""

    tag: str
    value: str
    element: Element
    key: str
    kind: SettingKind


class Extension(NamedTuple):
    """One ``<gazebo>`` element.

    Attributes
    ----------
    key, element : its reference, and itself.
    settings : its settings by tag; the last of a tag counts.
    for_shapes : elements for each ``collision`` and ``visual`` of the link.
    elements : elements for the link, joint or model itself. They belong to the URDF: copy them, do not move them.
    rows : report on everything else: what steers the lumping, and what a later setting of the same element overrides.
    """

    key: str
    element: Element
    settings: dict[str, Setting]
    for_shapes: dict[str, list[Element]]
    elements: list[Element]
    rows: list[Entry]


class Extensions(NamedTuple):
    """All ``<gazebo>`` elements of a robot.

    Attributes
    ----------
    by_key : the elements by their reference, in document order.
    held : fixed joints that are not to be lumped.
    disabled : those of `held` that become revolute joints locked at zero; the others stay fixed.
    """

    by_key: dict[str, list[Extension]]
    held: set[str]
    disabled: set[str]


def read_extensions(robot: Robot) -> Extensions:
    """Read the ``<gazebo>`` elements of `robot`."""
    by_key: dict[str, list[Extension]] = {}
    for element in robot.gazebo:
        key = element.get("reference", MODEL)
        by_key.setdefault(key, []).append(_read_extension(element, key, robot.name))
    kept: dict[str, set[str]] = {"disableFixedJointLumping": set(), "preserveFixedJoint": set()}
    for key, extensions in by_key.items():
        for row in [row for extension in extensions for row in extension.rows if row.reason == STEERS]:
            kept[row.kind].add(key)
    disabled = kept["disableFixedJointLumping"] - kept["preserveFixedJoint"]
    return Extensions(by_key, disabled | kept["preserveFixedJoint"], disabled)


def find_overridden(extensions: Iterable[Extension]) -> Iterator[tuple[Element, Element]]:
    """Find the settings of one link, joint or model that a later one overrides with another value.

    Yields
    ------
    The last element of a setting, and the first with another value.
    """
    given: dict[str, list[Element]] = {}
    for child in (child for extension in extensions for child in extension.element):
        if child.tag in SETTINGS and SETTINGS[child.tag].about not in ("lumping", "nothing") and not len(child):
            given.setdefault(_ALIASES.get(child.tag, child.tag), []).append(child)
    for same in [same for same in given.values() if len(same) > 1]:
        values = [SETTINGS[element.tag].read(value_of(element)) for element in same]
        if values[-1] is not None and any(value != values[-1] for value in values):
            yield same[-1], next(element for element, value in zip(same, values) if value != values[-1])


def _read_extension(element: Element, key: str, robot: str) -> Extension:
    extension = Extension(key, element, {}, {"collision": [], "visual": []}, [], [])
    for child in element:
        tag = child.tag
        if (kind := SETTINGS.get(tag)) is not None:
            if kind.about == "visual" and len(child):
                # Not a script's name but an SDF material, one level too high: it is clear what is meant.
                extension.for_shapes["visual"].append(child)
            else:
                _read_setting(child, kind, extension, key or robot)
        elif tag in extension.for_shapes:
            extension.for_shapes[tag] += [part for part in child if isinstance(part.tag, str)]
        elif isinstance(tag, str):
            extension.elements.append(child)
    return extension


def _read_setting(element: Element, kind: SettingKind, extension: Extension, called: str) -> None:
    """Add a setting to the settings of `extension`, or to its rows if it steers the lumping or means nothing."""
    tag, value, rows = element.tag, value_of(element), extension.rows
    if kind.about == "lumping":
        rows.append(Entry(tag, called, "kept", None, element, STEERS if is_true(value) else STEERS_NOT))
    elif kind.about == "nothing":
        rows.append(Entry(tag, called, "dropped", None, element, "has no effect"))
    else:
        same = _ALIASES.get(tag, tag)
        # A tag that comes again takes the later place, too.
        if (earlier := extension.settings.pop(same, None)) is not None:
            rows.append(Entry(earlier.tag, called, "dropped", None, earlier.element, REPLACED))
        if value or tag not in ("fdir1", "material"):
            extension.settings[same] = Setting(tag, value, element, extension.key, kind)
        else:
            rows.append(Entry(tag, called, "dropped", None, element, "it is empty"))
