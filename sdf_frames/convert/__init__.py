"""Converts between URDF and SDFormat, and rewrites SDFormat documents.

URDF to SDFormat:

- `urdf_to_sdf` is the entry point. `options`, `sdf_names` and `extensions` (the content of ``<gazebo>``) are its input.
- `lump` decides which links become one body, `destinations` where the content of ``<gazebo>`` goes.
- `decide_links` and `decide_joints` make the `fates` of links and joints. `carry` copies elements of ``<gazebo>``,
  `lumped_names` lets them name bodies, `sensor_frame_ids` gives sensors the frames of links. `job` holds what these
  modules share.
- `emit` writes the fates as XML. `massless` and `losses` report what is left out, `report` has the rows.
- `round_trip_attributes` and `carried_content` keep what the way back needs.

SDFormat to URDF:

- `sdf_to_urdf` is the entry point. `undo_lumping` finds the frames that were links, `urdf_names` chooses the names,
  `one_model` says which models a file has, if not one. `urdf_job` holds what the steps share.
- `urdf_bodies` and `urdf_joints` make links, and joints with their tree, `urdf_gazebo` all under ``<gazebo>``.

SDFormat to SDFormat, for ``print`` and ``upgrade``: `expand_includes`, `number_style`, `computed_poses`.

URDF to URDF: `simplify_urdf` lumps fixed joints in a copy of the document, `simplify_gazebo` edits ``<gazebo>`` there.

For everything that goes to another folder, or has URIs of another style: `moved_uris`; `mesh_references` changes the
names of files in mesh files.
"""
