"""Loaders read the JSON of an annotation; each is prepared once."""
