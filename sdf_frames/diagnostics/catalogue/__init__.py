"""All diagnostics: one row for each cause. Codes are stable and never reused.

A code is a letter for the family and three digits. Families: X reading and XML, S schema and versions, N names,
F attached_to, P poses and relative_to, J joints, K kinematics, I inertia, U URIs and includes, R reading URDF, C URDF
to SDF conversion, D SRDF, G geometry and mesh files, L other programs, T TF tree, M the node.

To add a row: append it to its family's file with the next free number, a message template whose fields are
keyword arguments of :func:`sdf_frames.diagnostics.diagnose`, a hint that names an action, and the name of
libsdformat's ``ErrorCode`` for the same defect, if there is one. Then add a model under ``test/models``.
"""
from sdf_frames.diagnostics.catalogue import conversion, documents, frames, inertia, programs, ros, sdf, urdf
from sdf_frames.diagnostics.catalogue.rule import Rule
from sdf_frames.diagnostics.words import suggest_name

CATALOGUE: dict[str, Rule] = {
    rule.name: rule
    for module in (documents, sdf, frames, inertia, urdf, conversion, programs, ros)
    for rule in module.RULES
}
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in CATALOGUE.values()}


def read_code(text: str) -> str:
    """Return the code of a code or name, in upper or lower case; raise ValueError if it is unknown."""
    if (rule := BY_CODE.get(text.upper()) or CATALOGUE.get(text.lower())) is None:
        hint = suggest_name(text.lower(), CATALOGUE) or "'sdf_frames explain' lists all"
        raise ValueError(f"unknown code {text!r}; {hint}")
    return rule.code


__all__ = ["BY_CODE", "CATALOGUE", "Rule", "read_code"]
