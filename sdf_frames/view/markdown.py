"""Markdown of the page. viser's client renders it with its HTML, and viser 1.1.0 compiled it as a program (MDX)."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sdf_frames.diagnostics.render import escape_controls

if TYPE_CHECKING:
    import viser


class Markdown(str):
    """Markdown that only shows the texts of files; only the functions of this file make it."""

    __slots__ = ()


def escape(text: str) -> str:
    """Write a text as Markdown that shows exactly its letters; control characters are shown as escapes.

    All but letters, digits and inner spaces become character references, which never begin an element in CommonMark
    and MDX. The first letter becomes one, too: MDX runs a block that begins with ``import`` or ``export``.
    """
    text = escape_controls(text.replace("\n", " "))
    last = len(text) - 1
    return "".join([c if i and (c.isalnum() or c == " " and i < last) else f"&#{ord(c)};" for i, c in enumerate(text)])


def write(pattern: str, *texts: object) -> Markdown:
    """Fill texts into a pattern, which is our own Markdown. Each text is escaped, unless it is `Markdown`."""
    return Markdown(pattern.format(*[text if isinstance(text, Markdown) else escape(str(text)) for text in texts]))


def keep_together(text: str) -> Markdown:
    """Write a text that stays in one line."""
    return Markdown(escape(text).replace(" ", "&#160;"))


def join(lines: Iterable[Markdown]) -> Markdown:
    """Join texts, one below the other."""
    return Markdown("\n".join(lines))


class Paragraph:
    """Markdown on the page: the only class that passes Markdown to viser."""

    def __init__(self, server: viser.ViserServer, content: Markdown):
        self._handle = server.gui.add_markdown(content)

    @property
    def content(self) -> Markdown:
        """The Markdown that is shown."""
        return Markdown(self._handle.content)

    @content.setter
    def content(self, content: Markdown) -> None:
        self._handle.content = content

    def remove(self) -> None:
        """Remove the paragraph from the page."""
        self._handle.remove()
