"""Reads SDFormat of every version as one typed model.

- Model: `model` has its types; `geometry` and `settings` the details that others ask for.
- Reading: `parse` is the entry point. `prepare` upgrades and checks a tree, `entities` reads links, joints and frames,
  `reading` holds what the readers share.
- Includes: `include`, with `included_file`, `included_tree`, `model_folder`, `params`, `merge`.
- Names: `settle` decides which element keeps a name, with `scopes`, `references`, `ambiguous_paths`, and `look_ahead`
  for included files. `names` has the reserved names.
- Upgrading: `upgrade` applies the recipes, with `old_joints`, `unflatten` and `legacy_poses` for what no recipe can
  express.
- Schema: `table` is the element table of 1.12. `schema` and `rules` check trees against it, `values` reads texts by
  type, `uri_elements` finds URIs, `sensor_ids` the frame ids of sensors, `features` reports features that a version
  does not have, `unknown_elements` explains unknown elements.
"""
