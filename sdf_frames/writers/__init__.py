"""Writers: each is a function from a description and options to one `Written`.

written
    `Written`, and its text: URIs for the place of the output, and no number that is not finite.
as_sdf
    SDFormat: a URDF converted (``convert``), SDFormat as it is.
upgraded
    SDFormat in a newer version (``upgrade``).
flat
    One SDFormat document with its includes in place (``print``).
as_urdf
    URDF: SDFormat converted (``to-urdf``), also for RViz; a URDF in another version (``upgrade --to 1.0``).
simplified
    A URDF with its fixed joints lumped (``simplify``).
cut_out
    A part of a URDF (``cut``).
rerooted
    A URDF with another root (``reroot``).
renamed
    SDFormat with the names that its version allows (``check --fix``).
with_inertias
    The same file with computed inertias (``inertia --write``).
placed
    The same file with one pose changed (``place``).
attached
    A robot with another robot attached to one of its links (``attach``).
repaired
    The same file with possible inertias in place of impossible ones (``inertia --repair``).
bundle
    A folder with the robot and every file that it needs (``--bundle``).
"""
