"""Loaders, which read JSON: one for each annotation, prepared once."""
