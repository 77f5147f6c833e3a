"""What becomes of computed inertias when a document is loaded: the choice that the automatic-inertia proposal gives.

Source: the proposal's ConfigureCalculateInertial, and the third value that libsdformat's ConfigureResolveAutoInertials
has.
"""
from __future__ import annotations

from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, read_xml
from sdf_frames.document.xml_out import write_xml
from sdf_frames.inertia.result import DEFAULT, InertiaResult, LinkInertia
from sdf_frames.inertia.rewrite import write_inertials
from sdf_frames.inertia.write_file import find_places
from sdf_frames.sdf.model import Inertial, Link, Member, Model, Root
from sdf_frames.sdf.parse import read_sdf

SAVE_IN_ELEMENT = "save-in-element"


def save_in_root(root: Root, result: InertiaResult) -> Root:
    """The document with the inertias that its ``auto="true"`` asked for; those that failed stay as they are."""
    computed = {(link.scope, link.name): link for link in result.links
                if link.auto and link.physical and link.method != DEFAULT}

    def renew_link(link: Link, scope: int, prefix: str) -> Link:
        inertia = computed.get((scope, prefix + link.name))
        if inertia is None or link.inertial is None:
            return link
        return link._replace(inertial=_declare(link.inertial, inertia))

    def renew(model: Model, scope: int, prefix: str) -> Model:
        models = {id(m): renew(m, scope, f"{prefix}{m.name}::") for m in model.models}
        links = {id(link): renew_link(link, scope, prefix) for link in model.links}
        members: dict[int, Member] = {**models, **links}
        return model._replace(links=tuple(links.values()), models=tuple(models.values()),
                              order=tuple([members.get(id(m), m) for m in model.order]))

    worlds = []
    for scope, world in enumerate(root.worlds):
        models = {id(m): renew(m, scope, f"{m.name}::") for m in world.models}
        worlds.append(world._replace(models=tuple(models.values()),
                                     order=tuple([models.get(id(m), m) for m in world.order])))
    model = None if root.model is None else renew(root.model, len(worlds), "")
    return root._replace(worlds=tuple(worlds), model=model)


def _declare(inertial: Inertial, inertia: LinkInertia) -> Inertial:
    return inertial._replace(auto=False, mass=inertia.mass, X_LI=inertia.pose, frame="", moments=inertia.inertia)


def save_in_text(text: str, root: Root, result: InertiaResult) -> str:
    """The SDFormat text of `root` with the same inertias declared; links that an include brings are not in it."""
    asked = InertiaResult(tuple([link for link in result.links if link.auto]))
    new = write_inertials(text.encode("utf-8", "surrogatepass"), find_places(root, asked).wanted)
    return new.decode("utf-8", "surrogatepass")


def save_in_tree(tree: Element, result: InertiaResult, file: str | None, resolver: Resolver) -> Element:
    """`tree`, an SDFormat document with its includes in place, with the inertias that it asks for declared."""
    text = write_xml(tree)
    root, _ = read_sdf(_read_own(text, file), resolver)
    assert root is not None
    return _read_own(save_in_text(text, root, result), file).root


def _read_own(text: str, file: str | None) -> Document:
    """Read a text that this library has written."""
    document, _ = read_xml(text, file)
    assert document is not None
    return document
