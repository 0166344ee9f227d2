"""Annotations on every Python version. Nothing here knows about JSON."""
