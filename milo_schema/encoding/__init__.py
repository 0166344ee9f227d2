"""Dumpers write the JSON of values: a function for each kind of annotation."""
