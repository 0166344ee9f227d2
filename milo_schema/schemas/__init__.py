"""Derive schemas from annotations."""
