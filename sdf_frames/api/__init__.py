"""The public library behind ``import sdf_frames``: one subject a file. Import its names from `sdf_frames`."""
