"""Frame graphs: what is attached to what, what is posed relative to what, and the poses that follow."""
