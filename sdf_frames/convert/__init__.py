"""Converts between URDF and SDFormat, and rewrites SDFormat documents.

URDF to SDFormat:

- `urdf_to_sdf` is the entry point. `options`, `sdf_names` and `extensions` (the content of ``<gazebo>``) are its input.
- `lump` decides which links become one body, `destinations` where the content of ``<gazebo>`` goes.
- `decide_links` and `decide_joints` decide the `fates` of links and joints. `carry` copies elements of ``<gazebo>``,
  `lumped_names` replaces the names of lumped links in them, `sensor_frame_ids` gives sensors the frames of links. `job`
  holds the shared state of these modules.
- `emit` writes the fates as XML. `massless` and `losses` report parts that are left out, `report` has the rows.
- `round_trip_attributes` and `carried_content` keep data for the conversion back.

SDFormat to URDF:

- `sdf_to_urdf` is the entry point. `undo_lumping` finds the frames that were links, `urdf_names` chooses the names,
  `one_model` chooses the model of a file. `urdf_job` holds the shared state of the steps.
- `urdf_bodies` makes the links, `urdf_joints` the joints and their tree, `urdf_gazebo` the ``<gazebo>`` elements.

SDFormat to SDFormat, for ``print`` and ``upgrade``: `expand_includes`, `number_style`, `computed_poses`.

URDF to URDF: `simplify_urdf` lumps fixed joints in a copy of the document, `simplify_gazebo` edits ``<gazebo>`` there.

For output in another folder, or with another style of URIs: `moved_uris`; `mesh_references` changes the names of files
in mesh files.

`finite` finds numbers that no command writes.
"""
