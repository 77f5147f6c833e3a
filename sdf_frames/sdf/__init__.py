"""Reads SDFormat of every version as one typed model.

- Model: `model` has its types; `geometry` the details of shapes.
- Reading: `parse` is the entry point. `prepare` upgrades and checks a tree, `entities` reads links, joints and frames,
  `reading` holds what the readers share, and finds included files.
- Includes: `include`, with `included_tree`, `included_content`, `model_folder`, `params`.
- Names: `settle` decides which element keeps a name, with `scopes`, `references`, and `look_ahead` for included files.
  `names` has the reserved names.
- Upgrading: `upgrade` applies the recipes; `old_joints` and `unflatten` do what no recipe can express.
- Schema: `table` is the element table of 1.12, and finds URIs. `schema` and `rules` check trees against it, `values`
  reads texts by type, `sensor_ids` the frame ids of sensors, `features` reports features that a version
  does not have, `unknown_elements` explains unknown elements.
"""
