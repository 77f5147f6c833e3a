"""Reads the file of a description again, on request or when the file has changed.

The file is named at the start of the node only: xacro runs Python code, so no other node may choose the file.
"""
from __future__ import annotations

import os
from collections.abc import Awaitable, Callable

from sdf_frames.diagnostics import diagnose
from sdf_frames.document.door import read_state
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.jobs import FileText, Text, read_file
from sdf_frames.ros.services import State
from sdf_frames.ros.work import WorkFailed

#: Seconds between looks at the files.
_PERIOD = 0.5


class DescriptionSource:
    """Reads the file of the parameter `model_file`, and watches the file if `watch` is set.

    Parameters
    ----------
    node, state : the node, and its state, with the parameters at start; later only `time_limit` is looked at.
    take : called as ``await take(text, "file")`` with each description.
    """

    def __init__(self, node: GuardedNode, state: State, take: Callable[[Text, str], Awaitable[None]]):
        self._state, self._take = state, take
        self._settings = settings = state.settings
        self._job = read_file, settings.model_file, settings.xacro_args, settings.loading.resource_paths
        self._files: tuple[str, ...] = (settings.model_file,)
        self._seen: dict[str, tuple[int, int, int]] = {}
        self._gone: set[str] = set()
        self._busy = False
        self._node, self._timer = node, None
        self._life = 0  # the number of times that the node has forgotten its description

    def watch(self) -> None:
        """Start to watch the file, if the parameters ask for it."""
        if self._settings.model_file and self._settings.watch:
            self._seen = self._look()
            self._timer = self._node.create_steady_timer(_PERIOD, self._watch)

    def stop(self) -> None:
        """Stop watching, and give up what is being read."""
        self._life += 1
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None

    async def read(self) -> FileText:
        """Read the file."""
        try:
            answer = await self._state.work.read(self._state.settings.time_limit, *self._job)
        except WorkFailed as failure:
            return FileText(problem=failure.finding.message)
        if answer.files:
            # The named path stays in the list: it may be a folder that becomes a file.
            self._files = tuple(dict.fromkeys((self._settings.model_file, *answer.files)))
            self._seen = {**self._look(), **{file: state for file, state in self._seen.items() if file in self._files}}
        return answer

    async def reload(self) -> str | None:
        """Read the file again, and take its description; return why it could not be read, or None."""
        if not self._settings.model_file:
            return "there is no file to read again: the node was started without model_file"
        life, answer = self._life, await self.read()
        if life != self._life:
            return "the node was cleaned up meanwhile"
        found = [diagnose("model-file-unreadable", problem=answer.problem)] if answer.problem else []
        self._node.reports.add("model_file", found, ("read", "not read"))
        if answer.problem:
            return answer.problem
        await self._take(answer.text, "file")
        return None

    def _look(self) -> dict[str, tuple[int, int, int]]:
        """Return the state of each existing file; an editor may remove one while it replaces it: see `_watch`."""
        return {file: state for file in self._files if (state := read_state(os.path.expanduser(file))) is not None}

    async def _watch(self) -> None:
        seen = self._look()
        before, self._gone = self._gone, self._seen.keys() - seen.keys()
        changed = any(self._seen.get(file) != state for file, state in seen.items())
        if self._busy or not changed and not self._gone & before:
            return
        self._seen, self._gone, self._busy = seen, set(), True
        try:
            await self.reload()
        finally:
            self._busy = False
