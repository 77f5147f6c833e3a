"""Which link carries a model's frame."""
from __future__ import annotations

from sdf_frames.sdf.model import Model


def find_canonical_link(model: Model) -> str | None:
    """Name, relative to the model's scope, of what the model frame is attached to.

    The ``canonical_link`` attribute as written (it may name what does not exist), else the first link, else the
    canonical link of the first nested model that has one, else the first nested model; None for an empty model.
    """
    if model.canonical_link:
        return model.canonical_link
    if model.links:
        return model.links[0].name
    for nested in model.models:
        if not nested.static and (name := find_canonical_link(nested)) is not None:
            return f"{nested.name}::{name}"
    return model.models[0].name if model.models else None
