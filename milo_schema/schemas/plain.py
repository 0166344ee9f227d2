"""The types that most annotations are: what always becomes the same few keywords.

This is the beginning of the table in ``rules``, by itself because nothing else has to be loaded
for it: no other rule, and no ``typing``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Fragment = dict[str, Any]

PLAIN: dict[Any, Fragment] = {
    # JSON's own
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    # bytes: RFC 4648 in a string
    bytes: {"type": "string", "contentEncoding": "base64"},
    bytearray: {"type": "string", "contentEncoding": "base64"},
    memoryview: {"type": "string", "contentEncoding": "base64"},
}
"""A type, and its keywords."""

FRAGMENTS: dict[int, Fragment] = {id(tp): fragment for tp, fragment in PLAIN.items()}
"""The same by identity: nothing can pose as one."""
