"""Calls of the shop's tools as a model might make them, for examples that have no model."""

from typing import Any

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find", {"word": "tea", "order": "cents"}),
    ("price", {"name": "coffee", "count": 2}),
    ("price", {"name": "milk"}),
    ("price", {"nam": "tea", "count": 0}),
    ("steal", {}),
]
