"""Calls of the shop's tools that a model might make, for examples without a model."""

from typing import Any

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find", {"word": "tea", "order": "cents"}),
    ("price", {"name": "coffee", "count": 2}),
    ("price", {"name": "milk"}),
    ("price", {"nam": "tea", "count": 0}),
    ("steal", {}),
]
