"""L: what programs other than Gazebo refuse or misread; only judged when one of them is asked for."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("L001", "format-not-read", "error", "{consumer} does not read {format}; it reads {formats}",
         "convert the file: 'sdf_frames convert' writes SDFormat, 'sdf_frames to-urdf' writes URDF",
         consumers=dict.fromkeys(("ros", "mujoco", "pinocchio", "urdfdom"), "error")),
)
