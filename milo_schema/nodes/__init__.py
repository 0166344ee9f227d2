"""The meaning of annotations: each is read once, into a node."""
