"""Methods that write a description: as SDFormat, as URDF, to files and to folders."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sdf_frames.api.errors import InvalidDescription, demand_choice, unknown_name
from sdf_frames.api.scenes import Scenes
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.sdf.names import MODEL_FRAME

if TYPE_CHECKING:
    from sdf_frames.writers.bundle import Bundle
    from sdf_frames.writers.written import Written

_SUFFIXES = {".sdf": "sdf", ".world": "sdf", ".urdf": "urdf"}


class Texts(Scenes):
    """A description that can be written; a base of :class:`sdf_frames.RobotDescription`."""

    kind: str | None
    findings: tuple[Diagnostic, ...]
    _loaded: tuple[str, ...]  # the files that it was made from

    def to_sdf(self, version: str | None = None) -> str:
        """Write the description as SDFormat text.

        Parameters
        ----------
        version : ``"1.7"`` to ``"1.12"``; None for the lowest version that can express a URDF, or for the unchanged
            text of an SDFormat description. An older SDFormat text is upgraded; its comments and includes are kept.

        Raises
        ------
        InvalidDescription
            The URDF cannot be converted, or the SDFormat text cannot be upgraded.
        ValueError
            The version is unknown, or older than that of the text.
        """
        return self._render(self._make_sdf(version))[0]

    def to_urdf(self, model: str | None = None, uri_style: str = "keep", *, joint_frames: bool = False,
                version: str | None = None) -> str:
        """Write the description as URDF text.

        The text of a URDF changes only for another URI style or another version.

        If the SDFormat was converted from a URDF, frames of lumped links and joints become links and joints again.

        Parameters
        ----------
        model : name of the model to write, if a world has several models; ``__model__`` for a root model.
        uri_style : scheme of URIs of meshes and textures: ``keep``, ``model``, ``package`` or ``file``.
        joint_frames : write a link for every frame, even for frames that come from fixed joints of a URDF.
        version : of URDF: ``"1.0"``, ``"1.1"`` or ``"1.2"``. None keeps the version of a URDF, and writes SDFormat as
            1.0.

        Raises
        ------
        InvalidDescription
            The model has errors, or URDF (of this version) cannot express it.
        KeyError
            A model of this name does not exist.
        ValueError
            The URI style or the version is unknown.
        """
        return self._render(self._make_urdf(model, uri_style, joint_frames, version))[0]

    def _make_sdf(self, version: str | None = None) -> Written:
        """Make SDFormat as :meth:`to_sdf` does."""
        from sdf_frames.convert.options import SDF_VERSIONS
        from sdf_frames.sdf.table import VERSIONS, version_key
        from sdf_frames.writers.as_sdf import write_sdf
        description = self._description
        if version is not None:
            more = " for a URDF" if self.kind == "urdf" else ""
            more = "; to write a file, call save" if str(version).endswith((".sdf", ".world")) else more
            demand_choice("version", version, SDF_VERSIONS if self.kind == "urdf" else VERSIONS, more)
        written = "" if description.root is None or self.kind == "urdf" else description.root.version
        if version is not None and version_key(written) > version_key(version):
            raise ValueError(f"the description is SDFormat {written}; it cannot be written as the older {version}")
        if self.kind is None or self.kind == "urdf" and not description.convertible:
            raise InvalidDescription(self.file, self.findings)
        return write_sdf(description, version)

    def _make_urdf(self, model: str | None = None, uri_style: str = "keep", joint_frames: bool = False,
                   version: str | None = None) -> Written:
        """Make a URDF as :meth:`to_urdf` does."""
        from sdf_frames.convert.moved_uris import FILE_STYLE
        from sdf_frames.convert.options import URI_STYLES
        from sdf_frames.urdf.versions import VERSIONS
        from sdf_frames.writers.as_urdf import change_urdf_version, convert_to_urdf, rewrite_uris
        from sdf_frames.writers.written import Written
        demand_choice("uri_style", uri_style, (*URI_STYLES, FILE_STYLE))
        if version is not None:
            demand_choice("version", version, VERSIONS)
        known = [name for name in self.models if "::" not in name] if self.worlds else [self.name or ""]
        if model is not None and not isinstance(model, str):
            raise TypeError(f"model must be the name of a model, not {type(model).__name__}")
        model = self.name if model == MODEL_FRAME and not self.worlds else model
        if model is not None and model not in known:
            if model.endswith(".urdf"):
                raise ValueError(f"model must be the name of a model, not {model!r}; to write a file, call save")
            if model in self.models:
                outer = model.partition("::")[0] if self.worlds else self.name
                raise KeyError(f"the model {model!r} is in {outer!r}; name {outer!r}, to write both as one robot")
            raise unknown_name("model", model, known)
        description = self._description
        if self.kind != "urdf":
            return convert_to_urdf(description, model, uri_style, joint_frames, version)
        made = Written("urdf", self.findings, source=description.source) if version is None else (
            change_urdf_version(description, version))
        return made if uri_style == "keep" else rewrite_uris(made, description, uri_style)

    def _make(self, kind: str) -> Written:
        return self._make_sdf() if kind == "sdf" else self._make_urdf()

    def _render(self, made: Written, *parts: Texts) -> tuple[str, tuple[Diagnostic, ...]]:
        """Return the text, and the findings of writing; `parts` are other descriptions in it."""
        from sdf_frames.writers.written import render
        text, found = render(made)
        found = self._drop_known(text, found, *parts)
        return (text or "").removeprefix("\ufeff"), found

    def _render_for(self, made: Written, target: str) -> tuple[str, str | bytes, tuple[Diagnostic, ...]]:
        """Return the text, the content of the file `target` with relative URIs for it, and the findings of writing."""
        from sdf_frames.writers.written import render_for
        text, content, found = render_for(made, self.file, target, self._description.resolver)
        return text or "", content or "", self._drop_known(text, found)

    def _drop_known(self, text: str | None, found: Iterable[Diagnostic], *parts: Texts) -> tuple[Diagnostic, ...]:
        """Return the findings of writing; without a text, raise all findings, those of writing first."""
        known = {d for description in (self, *parts) for d in description.findings}
        new = tuple([d for d in found if d not in known])
        if text is None:
            raise InvalidDescription(self.file, (*new, *[d for d in found if d in known]))
        return new

    def save(self, path: str | os.PathLike[str]) -> tuple[Diagnostic, ...]:
        """Write the description to a file: as SDFormat to .sdf and .world, as URDF to .urdf.

        Relative URIs of meshes and other files are rewritten if the file is in another folder.

        Returns
        -------
        findings
            Warnings about content of an SDFormat description that a URDF lacks, such as shapes; and a warning with
            the relative URIs of existing files that cannot be rewritten.

        Raises
        ------
        ValueError
            The suffix of the file is unknown.
        InvalidDescription
            The description cannot be converted.
        FileExistsError
            The description was loaded from this file or refers to it, or it is a file of another kind. It is not
            changed.
        OSError
            The file cannot be written; an existing file is not changed.
        """
        return self._save(os.fsdecode(path))[1]

    def _save(self, name: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """Write a file as :meth:`save` does; return also its text."""
        suffix = os.path.splitext(name)[1].lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f"the suffix must be one of {', '.join(_SUFFIXES)}, not {suffix or 'none'!r}")
        from sdf_frames.document.writing import write_whole
        kind = _SUFFIXES[suffix]
        text, content, found = self._render_for(self._make(kind), name)
        write_whole(name, content, kind, self.list_files())
        return text, found

    def save_bundle(self, folder: str | os.PathLike[str], kind: str = "sdf") -> Bundle:
        """Write the description to a self-contained folder, with its meshes, textures and the files that they name.

        Parameters
        ----------
        folder : a new folder, or an older bundle, which is replaced. It is written atomically.
        kind : ``"sdf"`` for a model for Gazebo (model.config, model.sdf), ``"urdf"`` for a ROS package (package.xml).

        Returns
        -------
        Bundle
            `folder`, `files`, `size` in bytes, `missing` names, and `findings`: an error for each missing file of the
            robot, a warning for each missing file of a mesh, and warnings about content that a URDF lacks.

        Raises
        ------
        ValueError
            The kind is unknown.
        InvalidDescription
            The description cannot be converted, has no model outside of a world, or exceeds the limit `bundle_bytes`.
        FileExistsError
            The folder has files that are not from a bundle, or the description was loaded from it.
        OSError
            The folder cannot be written, or a file cannot be read.
        """
        demand_choice("kind", kind, ("sdf", "urdf"))
        from sdf_frames.document.budget import Spending
        from sdf_frames.writers.bundle import Bundle, write_bundle
        description, written = self._description, self._make(kind)
        _, lost = self._render(written)
        made = write_bundle(os.fspath(folder), written, self.file, description.resolver,
                            Spending(description.options.budget), self.list_files())
        if not isinstance(made, Bundle):
            raise InvalidDescription(self.file, made)
        return made._replace(findings=tuple(dict.fromkeys((*lost, *made.findings))))

    def list_files(self) -> Iterator[str]:
        """Yield each file of the description once: its own first, then those that it includes, its meshes and textures.

        Materials and textures that a mesh file names are among them. For a changed robot, its own files are those that
        it was made from.
        """
        from sdf_frames.api.uris import list_files
        yield from dict.fromkeys((*self._loaded, *list_files(self._description)))
