"""Frame graphs, their poses, TF, and forward kinematics.

- Graphs: `graph` builds the graphs of a scope on the algorithms of `forest`; `hints` are for its findings.
- Results: `resolve` has the resolved frames and joints of a scope, `left_out` the frames that only TF has.
- TF: `tf` has the static transforms, `tf_tree` the tree that they are made from, `sensor_frames` the frames of sensors.
  `tf_check` compares it with TF as it is heard, which `tf_observed` has.
- Motion: `kinematics` says how joints move, `mechanism` which a scope has. `joint_tracker` computes transforms from
  positions that arrive in messages. `placing` finds the pose that puts one frame at a given pose in another one.
"""
