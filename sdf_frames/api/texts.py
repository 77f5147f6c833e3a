"""What a description offers as text: SDFormat, URDF, and files and folders that hold it."""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sdf_frames.api.errors import InvalidDescription, unknown_name
from sdf_frames.api.scenes import Scenes
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.xml_text import decode_document

if TYPE_CHECKING:
    from sdf_frames.convert.bundle import Bundle

_SUFFIXES = {".sdf": "sdf", ".world": "sdf", ".urdf": "urdf"}


class Texts(Scenes):
    """A description that can be written; a base of :class:`sdf_frames.RobotDescription`."""

    kind: str | None
    _source: str | bytes
    _from_file: bool

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
        from sdf_frames.api.to_sdf import write_sdf
        return write_sdf(self._description, self._source, version)

    def to_urdf(self, model: str | None = None, uri_style: str = "keep", *, joint_frames: bool = False,
                version: str | None = None) -> str:
        """Write the description as URDF text.

        The text of a URDF is changed only for URIs of another style, and for another version.

        If the SDFormat was converted from a URDF, frames of lumped links and joints become links and joints again.

        Parameters
        ----------
        model : name of the model to write, if a world has several models.
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
        return self._make_urdf(model, uri_style, joint_frames, version)[0]

    def _make_urdf(self, model: str | None = None, uri_style: str = "keep", joint_frames: bool = False,
                   version: str | None = None) -> tuple[str, tuple[Diagnostic, ...]]:
        """Write a URDF as :meth:`to_urdf` does; return also what it lacks, and what else only writing finds."""
        from sdf_frames.api.to_urdf import check_style, check_version, convert_to_urdf, rewrite_uris
        check_style(uri_style)
        check_version(version)
        known = [name for name in self.models if "::" not in name] if self.worlds else [self.name or ""]
        if model is not None and model not in known:
            if model.endswith(".urdf"):
                raise ValueError(f"model must be the name of a model, not {model!r}; to write a file, call save")
            raise unknown_name("model", model, known)
        if self.kind == "urdf":
            text = self._decode() if version is None else self._change_version(version)
            return text if uri_style == "keep" else rewrite_uris(self._description, text, uri_style), ()
        result = convert_to_urdf(self._description, model, uri_style, joint_frames, version)
        if result.text is None:
            raise InvalidDescription(self.file, result.diagnostics)
        loaded = set(self._description.diagnostics)
        return result.text, tuple([d for d in result.diagnostics if d not in loaded])

    def _make(self, kind: str) -> tuple[str, tuple[Diagnostic, ...]]:
        return (self.to_sdf(), ()) if kind == "sdf" else self._make_urdf()

    def _decode(self) -> str:
        return decode_document(self._source).removeprefix("\ufeff")

    def _change_version(self, version: str) -> str:
        """The text of a URDF in another version of URDF."""
        from sdf_frames.api.to_urdf import change_text_version
        text, found = change_text_version(self._decode(), self.file, version, self._description.options)
        if text is None:
            raise InvalidDescription(self.file, found)
        return text

    def save(self, path: str | os.PathLike[str]) -> tuple[Diagnostic, ...]:
        """Write the description to a file: as SDFormat to .sdf and .world, as URDF to .urdf.

        Relative URIs of meshes and other files are rewritten if the file is in another folder.

        Returns
        -------
        findings
            What a URDF lacks of an SDFormat description, such as shapes; and a warning that names relative URIs which
            lead to a file from the old folder, and cannot be rewritten.

        Raises
        ------
        ValueError
            The name has another suffix.
        InvalidDescription
            The description cannot be converted.
        FileExistsError
            The description was loaded from this file or refers to it, or it is a file of another kind. It is not
            changed.
        OSError
            The file cannot be written; an existing file is not changed.
        """
        return self._save(os.fspath(path))[1]

    def _save(self, name: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """Write a file as :meth:`save` does; return also its text."""
        suffix = os.path.splitext(name)[1].lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f"the suffix says the format: {', '.join(_SUFFIXES)}, not {suffix or 'none'!r}")
        from sdf_frames.convert.moved_uris import move_text
        from sdf_frames.document.writing import write_whole
        kind, description = _SUFFIXES[suffix], self._description
        made, lost = self._make(kind)
        text, found = move_text(made, self.file, name, description.resolver, description.options.budget)
        write_whole(name, text, kind, self.list_files())
        return text, (*lost, *found)

    def save_bundle(self, folder: str | os.PathLike[str], kind: str = "sdf") -> Bundle:
        """Write the description to a folder that works alone, with its meshes, textures and the files that these name.

        Parameters
        ----------
        folder : a new folder, or an older bundle, which is replaced. It is written whole or not at all.
        kind : ``"sdf"`` for a model for Gazebo (model.config, model.sdf), ``"urdf"`` for a ROS package (package.xml).

        Returns
        -------
        Bundle
            `folder`, `files`, `size` in bytes, `missing` names, and `findings`: an error for each missing file of the
            robot, a warning for each that a mesh file names, and what a URDF lacks of an SDFormat description.

        Raises
        ------
        ValueError
            The kind is unknown.
        InvalidDescription
            The description cannot be converted, has no model outside of a world, or exceeds the limit `bundle_bytes`.
        FileExistsError
            The folder has files that are not of a bundle, or the description was loaded from it.
        OSError
            The folder cannot be written, or a file cannot be read.
        """
        if kind not in ("sdf", "urdf"):
            raise ValueError(f"kind must be one of sdf, urdf, not {kind!r}")
        from sdf_frames.convert.bundle import Bundle, write_bundle
        from sdf_frames.document.budget import Spending
        description = self._description
        text, lost = self._make(kind)
        made = write_bundle(os.fspath(folder), text, kind, self.file, description.resolver,
                            Spending(description.options.budget))
        if not isinstance(made, Bundle):
            raise InvalidDescription(self.file, made)
        return made._replace(findings=tuple(dict.fromkeys((*lost, *made.findings))))

    def list_files(self) -> Iterator[str]:
        """Yield the files that the description was made of (the file itself first), and those that its URIs lead to."""
        from sdf_frames.api.uris import list_files
        if self._from_file and self.file is not None:
            yield self.file
        yield from list_files(self._description)
