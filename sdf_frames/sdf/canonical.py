"""Which link carries a model's frame."""
from __future__ import annotations

from sdf_frames.sdf.model import Model


def find_canonical_link(model: Model) -> str | None:
    """Name, relative to the model's scope, of what the model frame is attached to.

    The ``canonical_link`` attribute as written (it may name what does not exist), else the first link, else what the
    first nested model's frame is attached to, static or not, else that model itself; None for an empty model.
    """
    if model.canonical_link:
        return model.canonical_link
    if model.links:
        return model.links[0].name
    if not model.models:
        return None
    first = model.models[0]
    name = find_canonical_link(first)
    return first.name if name is None else f"{first.name}::{name}"
