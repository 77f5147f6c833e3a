"""The public library: one file for each subject. Import its names from `sdf_frames`."""
