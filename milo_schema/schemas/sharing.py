"""Find the types that ``inline="auto"`` puts into ``$defs``: it makes the schema shorter."""

from __future__ import annotations

from milo_schema.annotations import Any, Fragment, Hashable, Mapping
from milo_schema.json_schema import Ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.schemas.references import Survey
else:
    Survey = Any


class _Costs:
    """How many characters of JSON the named types need.

    Attributes:
        sizes: The characters of each type, inlined, with the types in it as short as possible.
    """

    def __init__(
        self,
        surveys: Mapping[Hashable, Survey],
        order: list[Hashable],
        names: Mapping[Hashable, str],
    ) -> None:
        self.surveys = surveys
        self.names = names
        self.sizes: dict[Hashable, int] = {}
        for key in order:
            inner = [min(self.of(*each)) for each in surveys[key].references()]
            self.sizes[key] = _text_size(surveys[key].schema) + sum(inner)

    def of(self, place: Fragment, key: Hashable) -> tuple[int, int]:
        """The cost of a reference to a named type, and that of its inlined schema."""
        body, siblings = self.surveys[key].schema, place.keys() - {"$ref"}
        linked = len(_REFERENCE) + len(self.names[key]) + (len(_WRAPPER) if siblings else 0)
        replaced = _text_size({name: body[name] for name in siblings & body.keys()})
        return linked, self.sizes[key] - replaced if key in self.sizes else linked

    def of_definition(self, key: Hashable) -> int:
        """The cost of a definition."""
        return len(_DEFINITION) + len(self.names[key]) + self.sizes[key]


def worth_defining(
    root: Survey,
    surveys: Mapping[Hashable, Survey],
    order: list[Hashable],
    needed: set[Hashable],
    names: Mapping[Hashable, str],
) -> set[Hashable]:
    """The named types that are definitions, because they have to be or because that is shorter.

    Args:
        root: The references in the root.
        surveys: The references in each named type.
        order: The named types, targets before the types that refer to them.
        needed: The named types that have to be definitions.
        names: The name that each would have as a definition.
    """
    costs = _Costs(surveys, order, names)
    once = {*needed}
    uses, linked, inlined = (dict.fromkeys(order, 0) for _ in range(3))
    for key in (None, *order[::-1]):  # so that all references to a type are counted before it
        if key is not None and linked[key] + costs.of_definition(key) < inlined[key]:
            once.add(key)
        times = 1 if key is None or key in once else uses[key]
        for place, each in (root if key is None else surveys[key]).references():
            by_link, in_place = costs.of(place, each)
            uses[each] += times
            linked[each] += times * by_link
            inlined[each] += times * in_place
    return once


_DEFINITION = '"$defs":{"":},'
_REFERENCE = '{"$ref":"#/$defs/"}'
_WRAPPER = '"anyOf":[],'
"""The JSON around a reference that has siblings."""


def _text_size(value: Any) -> int:
    """The approximate number of characters of JSON of a value, without its references."""
    if type(value) is dict:
        return sum(len(key) + 4 + _text_size(item) for key, item in value.items())
    if type(value) is list:
        return sum(1 + _text_size(item) for item in value)
    if type(value) is str:
        return len(value) + 2
    return 0 if type(value) is Ref else len(repr(value))
