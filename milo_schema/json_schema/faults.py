"""Find the faults of a schema that others wrote, perhaps in an older draft or in OpenAPI."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from milo_schema.annotations import Fragment
from milo_schema.annotations.classes import shorten
from milo_schema.json_schema import keywords
from milo_schema.json_schema.matching import Steps, may_match, mistake_in, most_characters
from milo_schema.json_schema.patterns import python_only
from milo_schema.json_schema.subschemas import POINTER, step_to
from milo_schema.json_schema.values import json_key

MAX_LEVELS = 100
"""The deepest nesting of subschemas that is read."""

DRAFT_7, LATEST = 7, 2020
DRAFTS = {
    "json-schema.org/draft/2020-12/schema": LATEST,
    "json-schema.org/draft/2019-09/schema": 2019,
    "json-schema.org/draft-07/schema": DRAFT_7,
}
"""The number of each draft that is read as it is defined, by the address of its meta-schema."""
_OLDER = {f"json-schema.org/draft-0{number}/schema" for number in (3, 4, 6)}
"""The drafts that are only reported; a schema that declares one is read as 2020-12."""


class Fault(NamedTuple):
    """Something that is wrong with a schema.

    Attributes:
        path: Where, such as ``.filters[]``.
        code: The kind of finding.
        message: What is wrong, and what to do about it.
    """

    path: str
    code: str
    message: str


# -- old and foreign keywords ------------------------------------------------------------------

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_IDENTIFIERS = {name for name, kind in keywords.VALUES.items() if kind is keywords.IDENTIFIER}
DROPPED = _IDENTIFIERS | {"$schema", "$recursiveAnchor"}
_MAPS = keywords.SCHEMA_MAP_KEYWORDS | {"definitions", "dependencies"}
_OLD = {
    "definitions": "write $defs",
    "dependencies": "write dependentRequired or dependentSchemas",
    "additionalItems": "write prefixItems for the first items, and items for the others",
    "$recursiveRef": "write $ref",
}
"""The keywords of drafts before 2020-12, and what to write now."""

_WAYS_OUT = {
    "items": (list, "write prefixItems for the items of a tuple"),
    "required": (bool, "list the names of the required properties beside 'properties'"),
    "exclusiveMinimum": (bool, "write the limit itself, without 'minimum'"),
    "exclusiveMaximum": (bool, "write the limit itself, without 'maximum'"),
}
"""Values that are often written by mistake, or were valid in older drafts."""

_OBJECT = keywords.Value(lambda value: type(value) is dict, "an object")
_SCHEMAS = keywords.Value(lambda value: type(value) is list and value != [], "a list of schemas")
_KINDS = {
    **keywords.VALUES,
    **dict.fromkeys(_MAPS, _OBJECT),
    **dict.fromkeys(keywords.SCHEMA_LIST_KEYWORDS, _SCHEMAS),
    **dict.fromkeys((*REFERENCES, *_IDENTIFIERS), keywords.STRING),
    "$vocabulary": _OBJECT,
    "additionalItems": keywords.SCHEMA,
    "nullable": keywords.BOOLEAN,
}
"""The kind of value of each keyword, apart from the subschemas in it, which are read one by one."""

_PLAIN = {
    name: _KINDS[name].is_valid
    for name in keywords.VALUES
    if name not in (*keywords.WITH_SUBSCHEMAS, *DROPPED)
}
"""Whether a value is valid for each keyword that needs no closer look if it is."""

_ANY_VALUE = ("any", "unknown", "mixed")


def _draft_of(schema: Any, otherwise: int) -> int:
    """The draft that a schema declares; 2020 for any that is not read as it is defined."""
    if type(schema) is not dict or type(uri := schema.get("$schema")) is not str:
        return otherwise
    return DRAFTS.get(uri.partition("//")[2].rstrip("#"), LATEST)


def _quoted(value: Any) -> str:
    return shorten(json.dumps(value, default=repr), 60)


# -- reading -----------------------------------------------------------------------------------


class Subschema:
    """A subschema: its place, the draft that it is written in, and the base of its references."""

    __slots__ = ("base", "draft", "path", "schema")

    def __init__(self, path: str, schema: Fragment, draft: int, base: str) -> None:
        self.path: str = path
        self.schema: Fragment = schema
        self.draft: int = draft
        self.base: str = base


class Scan:
    """One walk through a schema.

    Attributes:
        root: The schema.
        faults: What is wrong with it.
        is_ours: Whether it is in our form.
        nodes: The subschemas, by id.
        found: The same in order.
        resources: The subschemas with an identifier, by address.
        refused: The parts that are not valid: the id of a subschema, and the keyword or the name.
        targets: The target of each reference, by the id of its subschema and the keyword.
        dynamic: How many subschemas have each ``$dynamicAnchor``.
    """

    def __init__(self, root: Any) -> None:
        self.root: Any = root
        self.faults: list[Fault] = []
        self.is_ours: bool = True
        self.nodes: dict[int, Subschema] = {}
        self.found: list[Subschema] = []
        self.resources: dict[str, Any] = {"": root}
        self.refused: set[tuple[int, Any]] = set()
        self.targets: dict[tuple[int, str], Any] = {}
        self.dynamic: Counter[str] = Counter()
        self._declared: set[str] = set()
        self._found_at: dict[tuple[str, str], Any] = {}
        if not self._is_schema("", root):
            self.is_ours = False
            return
        self._read("", root, _draft_of(root, LATEST), "", 0)
        for node in self.found:  # which grows: a reference may lead to what nothing else does
            if not node.schema.keys().isdisjoint(REFERENCES):
                self._references(node)
        steps = Steps()
        for node in self.found:
            if not node.schema.keys().isdisjoint(_ODD):
                self.faults += _oddities(node, self._declared, steps)

    def _is_schema(self, path: str, value: Any) -> bool:
        if type(value) is dict or type(value) is bool:
            return True
        reason = f"a schema must be an object, true or false, not {_quoted(value)}"
        self._fault(path, "invalid-schema", reason)
        return False

    def _fault(self, path: str, code: str, reason: str) -> None:
        self.faults.append(Fault(path, code, reason))

    def _read(self, path: str, schema: Any, draft: int, base: str, level: int) -> None:
        """Read a subschema and those in it."""
        if type(schema) is bool or id(schema) in self.nodes:
            return
        if level > MAX_LEVELS:
            self.is_ours = False
            self._fault(path, "invalid-schema", f"nested deeper than {MAX_LEVELS} levels")
            return
        if not schema.keys().isdisjoint(_IDENTIFIERS):
            base = self._identify(schema, base)
        node = Subschema(path, schema, _draft_of(schema, draft), base)
        self.nodes[id(schema)] = node
        self.found.append(node)
        if "$schema" in schema:
            self._dialect(node)
        for keyword, value in schema.items():
            # Most keywords have a valid value without subschemas: half of the time of a scan.
            if keyword not in _PLAIN or not _PLAIN[keyword](value):
                self._keyword(node, keyword, value, level)

    def _identify(self, schema: Fragment, base: str) -> str:
        """The base of the references in a subschema; its identifiers are kept."""
        name = schema.get("$id")
        if type(name) is str and not name.startswith("#"):
            base = _joined(base, name.partition("#")[0])
            self.resources.setdefault(base, schema)
        elif type(name) is str:  # an anchor, before 2019-09
            self.resources.setdefault(base + name, schema)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if type(anchor := schema.get(keyword)) is str:
                self.resources.setdefault(f"{base}#{anchor}", schema)
                self.dynamic[anchor] += keyword == "$dynamicAnchor"
        return base

    def _dialect(self, node: Subschema) -> None:
        uri = node.schema.get("$schema")
        if type(uri) is not str:
            return
        name = uri.partition("//")[2].rstrip("#")
        if DRAFTS.get(name) == LATEST:
            return
        is_draft = name in DRAFTS or name in _OLDER
        what = _quoted(name.partition("/")[2].removesuffix("/schema") if is_draft else uri)
        how = "MCP clients assume" if name in DRAFTS else "it is read as"
        reason = f"declares {what}; {how} 2020-12, so use that and omit $schema"
        self._fault(node.path, "other-dialect", reason)

    # -- keywords ------------------------------------------------------------------------------

    def _keyword(self, node: Subschema, keyword: str, value: Any, level: int) -> None:
        """Read a keyword: its value, and the subschemas in it."""
        if keyword in DROPPED or keyword == "nullable":
            self.is_ours = False
        if keyword in _KINDS and not _KINDS[keyword].is_valid(value):
            self.is_ours = False
            is_tuple = keyword == "items" and type(value) is list and node.draft < LATEST
            if not is_tuple and not is_whole(keyword, value):
                self._refuse(node, keyword, value)
        if keyword in _OLD or (keyword == "nullable" and value is True):
            self._old(node, keyword)
        if keyword == "properties" and type(value) is dict:
            self._declared.update(value)
        for step, key, each in _parts(keyword, value):
            path = node.path + step
            if keyword == "dependencies" and type(each) is list:
                continue
            if self._is_schema(path, each):
                self._read(path, each, node.draft, node.base, level + 1)
            else:
                self.is_ours = False
                self.refused.add((id(value), key))

    def _refuse(self, node: Subschema, keyword: str, value: Any) -> None:
        """Report a keyword whose value is not valid."""
        problem = keywords.problem_of(keyword, value, _KINDS, _quoted) + _way_out(keyword, value)
        self._fault(node.path, "invalid-schema", problem)
        if keyword != "items" or type(value) is not list:  # its meaning is known
            self.refused.add((id(node.schema), keyword))

    def _old(self, node: Subschema, keyword: str) -> None:
        """Report a keyword of another dialect, unless the schema declares one that has it."""
        self.is_ours = False
        if keyword == "nullable":
            reason = "'nullable' is a keyword of OpenAPI 3.0; add \"null\" to the type"
            self._fault(node.path, "other-dialect", reason)
        elif node.draft == LATEST:
            reason = f"{keyword!r} is a keyword of an older draft; {_OLD[keyword]}"
            self._fault(node.path, "other-dialect", reason)

    # -- references ----------------------------------------------------------------------------

    def _references(self, node: Subschema) -> None:
        for keyword in REFERENCES:
            reference = node.schema.get(keyword)
            if type(reference) is not str:
                continue
            if keyword == "$dynamicRef" and self._is_ambiguous(node, reference):
                continue
            key = node.base, reference
            if (target := self._found_at.get(key)) is None:  # most are looked up many times
                target = self._found_at[key] = self._target(*key)
            self.targets[id(node.schema), keyword] = target
            self.is_ours = self.is_ours and self._is_canonical(keyword, reference, target)
            if target is None:
                self._fault(node.path, "dangling-reference", _why_dangling(reference))
                continue
            self._read(node.path, target, node.draft, node.base, 1)
            if not reference.startswith("#/") and reference != "#":
                reason = f"it refers to {_quoted(reference)} by an identifier; write {POINTER}NAME"
                self._fault(node.path, "other-dialect", reason)

    def _is_ambiguous(self, node: Subschema, reference: str) -> bool:
        """Whether a dynamic reference has several possible targets, which is an error."""
        name = reference.partition("#")[2]
        if self.dynamic[name] < 2:
            return False
        reason = f"several subschemas have the $dynamicAnchor {_quoted(name)}, to which it refers"
        self._fault(node.path, "invalid-schema", f"{reason}; write a $ref to the one that is meant")
        return True

    def _target(self, base: str, reference: str) -> Any:
        """The subschema that a reference from a base leads to, or ``None``."""
        from urllib.parse import unquote

        uri, _, fragment = reference.partition("#")
        base, fragment = _joined(base, uri), unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self.resources.get(f"{base}#{fragment}")
        target = self.resources.get(base)
        for token in fragment.split("/")[1:]:
            name = token.replace("~1", "/").replace("~0", "~")
            if type(target) is dict:
                target = target.get(name)
            elif type(target) is list and name.isdecimal() and int(name) < len(target):
                target = target[int(name)]
            else:
                return None
        return target if type(target) is dict or type(target) is bool else None

    def _is_canonical(self, keyword: str, reference: str, target: Any) -> bool:
        """Whether a reference is in our form, in a schema that is so far."""
        definition = self.root.get("$defs", {}).get(reference.removeprefix(POINTER))
        return keyword == "$ref" and (reference == "#" or definition is target)


def _parts(keyword: str, value: Any) -> Iterator[tuple[str, Any, Any]]:
    """The subschemas in the value of a keyword: the step to each, its key there, and itself."""
    if keyword in _MAPS and type(value) is dict:
        for name, each in value.items():
            yield (_STEPS[keyword](name) if keyword in _STEPS else ""), name, each
    elif type(value) is list and (keyword in keywords.SCHEMA_LIST_KEYWORDS or keyword == "items"):
        for index, each in enumerate(value):
            yield f"[{index}]" if keyword in ("prefixItems", "items") else "", index, each
    elif type(value) is dict and (
        keyword in keywords.SCHEMA_KEYWORDS or keyword == "additionalItems"
    ):
        yield _STEP.get(keyword, ""), None, value


_STEPS: dict[str, Callable[[str], str]] = {
    "properties": step_to,
    "patternProperties": lambda _: "{}",
    "$defs": "#{}".format,
    "definitions": "#{}".format,
}
_STEP = {"items": "[]", "additionalItems": "[]", "additionalProperties": "{}"}
"""The steps to subschemas; those of other keywords are for the same value."""


def _joined(base: str, uri: str) -> str:
    """The address that a relative one stands for."""
    from urllib.parse import urljoin

    try:
        return urljoin(base, uri)
    except ValueError:  # such as http://[
        return uri


def is_whole(keyword: str, value: Any) -> bool:
    """Whether a count is written as ``1.0``, which is an integer in JSON Schema."""
    is_count = keywords.VALUES.get(keyword) is keywords.COUNT
    return is_count and type(value) is float and value.is_integer() and value >= 0


def _way_out(keyword: str, value: Any) -> str:
    if keyword == "type" and value in _ANY_VALUE:
        return "; leave it out to accept any value"
    kind, hint = _WAYS_OUT.get(keyword, (None, ""))
    return f"; {hint}" if type(value) is kind else ""


def _why_dangling(reference: str) -> str:
    if reference.startswith("#"):
        return f"it refers to {_quoted(reference)}, which does not exist"
    way_out = f"clients do not load it; put the definition into $defs, and write {POINTER}NAME"
    return f"it refers to {_quoted(reference)} outside of the schema; {way_out}"


# -- valid, but wrong --------------------------------------------------------------------------

_ODD = ("enum", "pattern", "patternProperties", "required")
"""The keywords with valid values that cannot be meant."""


def _oddities(node: Subschema, declared: set[str], steps: Steps) -> Iterator[Fault]:
    """The faults of a valid subschema, which cannot be meant."""
    schema, path = node.schema, node.path
    if type(choices := schema.get("enum")) is list:
        known = set(map(json_key, choices))
        if not choices:
            yield Fault(path, "odd-enum", "'enum' is empty, so no value is valid; add its values")
        elif len(known) < len(choices):
            yield Fault(path, "odd-enum", "'enum' repeats a value; keep one of them")
    for pattern in _patterns(schema):
        if piece := python_only(pattern):
            reason = f"only Python reads {_quoted(piece)} in a pattern; write it as in JavaScript"
            yield Fault(path, "python-pattern", reason)
        elif mistake := mistake_in(pattern):
            reason = f"the pattern {_quoted(pattern)} is not a regular expression: {mistake}"
            yield Fault(path, "invalid-pattern", f"{reason}; correct it")
        most, length = most_characters(pattern), schema.get("maxLength")
        if most is not None and not (type(length) is int and length <= most):
            text = f"text of more than {most} characters" if most else "any text"
            reason = f"the pattern {_quoted(pattern)} takes too long to check in {text}, so no such"
            yield Fault(path, "slow-pattern", f"{reason} text is refused; simplify it")
    for name in _undeclared(schema, declared, steps):
        reason = f"{_quoted(name)} is required, but not among its properties; add it, or remove it"
        yield Fault(path, "undeclared-property", reason)


def _patterns(schema: Fragment) -> Iterator[str]:
    if type(pattern := schema.get("pattern")) is str:
        yield pattern
    if type(patterns := schema.get("patternProperties")) is dict:
        yield from patterns


def _undeclared(schema: Fragment, declared: set[str], steps: Steps) -> Iterator[str]:
    """The required names that are not properties: of a closed object, or of the whole schema.

    A branch of a union often requires a property that is declared around it, so in an open object
    only a name that is declared nowhere is a mistake.
    """
    others = schema.get("additionalProperties")
    if type(others) is dict or others is True or type(names := schema.get("required")) is not list:
        return
    known = schema.get("properties")
    known = known if type(known) is dict else {}
    patterns = schema.get("patternProperties")
    patterns = patterns if type(patterns) is dict else {}
    for name in names:
        if type(name) is not str or name in known:
            continue
        is_open = others is None and name in declared
        if not is_open and not any(may_match(each, name, steps) for each in patterns):
            yield name
