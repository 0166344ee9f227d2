"""Dumpers, which write JSON: a function for each kind of annotation."""
