"""Frame graphs, their poses, TF, and forward kinematics.

- Graphs: `graph` builds the graphs of a scope on the algorithms of `forest`; `hints` are for its findings.
- Results: `resolve` has the resolved frames and joints of a scope, `left_out` the frames that only TF has.
- TF: `tf` has the static transforms, `tf_tree` the tree that they are made from, `sensor_frames` the frames of sensors.
  `tf_check` compares it with received TF, which `tf_observed` has.
- Motion: `kinematics` has the motions of joints, `mechanism` the joints of a scope. `joint_tracker` computes transforms
  from positions in messages.
"""
