"""Tools as Python: functions and classes that mean the same as the schemas of the tools.

Every subschema becomes an annotation, and a rest: the keywords that it does not say. The rest
becomes metadata, or words in a docstring. What neither can say is lost: the annotation accepts
more than the schema, and a problem says where.

Each string of a schema is written by ``string()`` or ``docstring()``, or as a name that Python
accepts, so nothing in it becomes code. The result is a module, and a stub file (PEP 484).
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from functools import partial
from keyword import iskeyword
from typing import Any, NamedTuple
from unicodedata import normalize

from milo_schema.annotations import Json
from milo_schema.dialects import branches
from milo_schema.errors import Problem, SchemaError, ToolError
from milo_schema.json_schema import keywords
from milo_schema.json_schema.references import components, is_cycle
from milo_schema.json_schema.subschemas import escape, json_types, reference_to, schemas_in, step_to
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import LEAST, ORDINARY, json_key
from milo_schema.nodes.metadata import CONSTRAINTS, MARKERS
from milo_schema.results import ToolResult, value_to_json
from milo_schema.schemas.functions import as_parameter

Lost = Callable[[Problem], object] | None
Parts = tuple[str, str | None, Json, Json | None]
"""The name, description, input and output schemas of a tool; the output has no box."""
Said = tuple[str, Json]
"""An annotation, and the keywords that it does not say."""


# -- names -------------------------------------------------------------------------------------

_TYPING = ["Annotated", "Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"]
_TYPING += ["Union", "Unpack"]
_MARKERS = {
    keyword: marker.__name__
    for marker, (group, constraint, _) in MARKERS.items()
    for keyword in (constraint.values() if group == CONSTRAINTS else [constraint])
    if keyword in {*keywords.BOUNDS, "multipleOf", "description", "title"}
}
"""The marker for each keyword; ``Schema`` is for all others, and does not read a pattern."""
_OURS = ["Schema", *_MARKERS.values()]
_RESERVED = [*_TYPING, *_OURS, "annotations"]


def is_name(text: str) -> bool:
    """Whether Python accepts a string as a name, and keeps it; ``__x`` is mangled in a class."""
    is_kept = text.isidentifier() and normalize("NFKC", text) == text
    return is_kept and not iskeyword(text) and not text.startswith("__")


def new_name(text: str, taken: dict[str, int]) -> str:
    """A name that looks like a string, and is neither taken nor that of a builtin."""
    chars = [each if f"a{each}".isidentifier() else "_" for each in normalize("NFKC", text)]
    plain = "".join(chars)
    plain = plain.lstrip("_") if plain.startswith("__") else plain
    plain = plain if plain.isidentifier() else f"_{plain}"
    is_builtin = getattr(vars(builtins).get(plain), "__module__", "") == "builtins"
    plain = f"{plain}_" if is_builtin or iskeyword(plain) else plain
    number = taken.get(plain, 0) + 1
    while (name := f"{plain.rstrip('_')}_{number}" if number > 1 else plain) in taken:
        number += 1
    taken[plain], taken[name] = number, taken.get(name, 1)
    return name


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """The name of the function for each tool."""
    taken = dict.fromkeys(_RESERVED, 1)
    return {name: new_name(name, taken) for name in tools}


def parameters_of(root: Json) -> dict[str, str]:
    """The name of each parameter in Python, with that in JSON; the required ones are first."""
    every = sorted(root["properties"], key=lambda name: name not in root["required"])
    taken = dict.fromkeys(filter(is_name, every), 1)
    return {name if is_name(name) else new_name(name, taken): name for name in every}


def root_of(inputs: Json) -> Json:
    """The object of the arguments, without a reference."""
    return _whole(branches.resolved(branches.normalized(inputs), inputs.get("$defs", {})))


def _whole(node: Json) -> Json:
    """An object with a schema for each property that it requires."""
    required: list[str] = node.get("required", [])
    known = {**dict.fromkeys(required, True), **node.get("properties", {})}
    return {**node, "required": required, "properties": known}


# -- texts -------------------------------------------------------------------------------------


def string(text: str) -> str:
    """A string as Python writes it, in double quotes if possible."""
    written = repr(f"'{text}")  # with a single quote, Python prefers double ones
    return f'"{written[2:]}' if written[0] == '"' else repr(text)


_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""


def literal(value: Any) -> str:
    """A JSON value as Python writes it."""
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is dict:
        return f"{{{', '.join(f'{string(key)}: {literal(each)}' for key, each in value.items())}}}"
    return string(value) if type(value) is str else repr(value)


def docstring(text: str, heading: str, rows: Iterable[tuple[str, str]], indent: str) -> str:
    """A docstring with a line for each name that has one; empty if there is nothing to say."""
    listed = [f"    {name}: {said}" for name, said in rows if said]
    pieces = [text.strip(), "\n".join([heading, *listed] if listed else [])]
    joined = "\n\n".join(filter(None, pieces)).encode(errors="backslashreplace").decode()
    closed = re.sub(r'\A(.*)"\Z', r"\1\"", joined.replace("\\", "\\\\"))  # if on one line
    lines = closed.replace('"""', r"\"\"\"").split("\n")
    whole = f"\n{indent}".join(escape(each.rstrip()) for each in lines)
    whole = re.sub(r"\n +(?=\n)", "\n", whole) + f"\n{indent}" * (len(lines) > 1)
    return f'{indent}"""{whole}"""\n' if joined else ""


def one_line(text: str, words: Iterable[str]) -> str:
    """A description on one line, with more about it in parentheses."""
    more = "; ".join(dict.fromkeys(filter(None, words)))
    text, more = (" ".join(each.split()) for each in (text, more))
    return f"{text} ({more})" if text and more else text or more


_LAZY = {0: "", 1: "", 2: " | ", 3: ""}
_EAGER = {0: '"', 1: "Union[", 2: ", ", 3: "]"}
"""Marks in annotations: around a name that comes later, around a union, and in it. Python evaluates
some annotations at once, and there, such a name needs quotes."""


# -- the module --------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A parameter, or a key of a class."""

    name: str
    annotation: str
    said: str
    is_required: bool
    default: str


class _Module:
    """The module of all tools, which has each class once.

    Attributes:
        metadata: Whether annotations have the rest as metadata.
        lost: Called with what is lost.
        taken: The names that there are.
        blocks: The definitions, in order.
    """

    def __init__(self, metadata: bool, lost: Lost, functions: Iterable[str]) -> None:
        self.metadata: bool = metadata
        self.lost: Lost = lost
        self.taken: dict[str, int] = dict.fromkeys([*_RESERVED, *functions], 1)
        self.blocks: dict[str, None] = {}
        self._names: dict[Any, str] = {}
        self._words: set[str] = set()

    def named(self, key: Any, text: str) -> str:
        """The name of what a key stands for; a new one looks like *text*."""
        if key not in self._names:
            words = re.split(r"[\W_]+", text)
            name = "".join(each[:1].upper() + each[1:] for each in words) or "Item"
            self._names[key] = new_name(name, self.taken)
        return self._names[key]

    def write(self, code: str, said: str = "", more: str = "") -> None:
        """Write a block of code, perhaps with a docstring in it."""
        self._words.update(re.findall(r"\w+", re.sub(_STRING, "", code + more)))
        self.blocks[code + said + more] = None

    def write_class(self, name: str, text: str, fields: list[_Field]) -> None:
        """Write the class of a dictionary; as a call, if a key is not a name, or hides one."""
        types = {
            each.name: each.annotation if each.is_required else f"NotRequired[{each.annotation}]"
            for each in fields
        }
        words = {*re.findall(r"\w+", " ".join(types.values()))}
        hidden = {each for each in words if each in self.taken or hasattr(builtins, each)}
        if all(is_name(key) and key not in hidden for key in types):
            said = docstring(
                text, "Attributes:", [(key, said) for key, _, said, *_ in fields], "    "
            )
            lines = [f"    {key}: {tp.translate(_LAZY)}\n" for key, tp in types.items()]
            self.write(f"class {name}(TypedDict):\n", said, "".join(lines))
        else:
            said = docstring(
                text, "Keys:", [(string(key), said) for key, _, said, *_ in fields], ""
            )
            pairs = ", ".join(f"{string(key)}: {eager(tp)}" for key, tp in types.items())
            self.write(f"{name} = TypedDict({string(name)}, {{{pairs}}})\n", said)

    def finished(self) -> str:
        """The text of the module."""
        lines = ["from __future__ import annotations"]
        for module, names in (("typing", _TYPING), ("milo_schema", _OURS * self.metadata)):
            if used := sorted(self._words.intersection(names)):
                lines.append(f"from {module} import {', '.join(used)}")
        return "\n".join([*lines, "", *self.blocks])


def eager(text: str) -> str:
    """An annotation that is evaluated at once."""
    return text.translate(_EAGER if "\0" in text else _LAZY)


# -- one schema --------------------------------------------------------------------------------

MAX_MERGES = 32
"""The most references in one schema that are replaced, because other keywords are beside them."""
SHORT = 40
"""The most characters of a definition that is written where it is used."""

_SHAPE = {"type", "properties", "required", "additionalProperties", "items", "prefixItems"}
_SHAPE |= {"anyOf", "oneOf", "enum"}
_SILENT = {"$schema", "$comment", "$defs", "discriminator", "propertyOrdering"}
_DEEP = {"dependentRequired", "minContains", "maxContains", "contentMediaType"}
_DEEP |= {*keywords.SCHEMA_KEYWORDS, *keywords.SCHEMA_LIST_KEYWORDS, *keywords.SCHEMA_MAP_KEYWORDS}
_OF_ROOT = {"type", "properties", "required", "additionalProperties"}
"""The keywords that an annotation says, those that say nothing, and those that nothing can say."""
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class _Place(NamedTuple):
    """The path of a subschema, a name for its class, and what a docstring says about it."""

    path: str
    name: str
    words: list[str]

    def at(self, step: str) -> _Place:
        return self._replace(path=self.path + step)


class _Schema:
    """Writes the annotations of one schema; *where* makes the path of a problem."""

    def __init__(self, module: _Module, schema: Json, where: Callable[[str], str]) -> None:
        self.module: _Module = module
        self.where: Callable[[str], str] = where
        self.definitions: dict[str, Json] = schema.get("$defs", {})
        self.whole: Json = schema
        self.bodies: dict[str, Any] = {"#": _except(schema, "$defs")}
        self.bodies |= {reference_to(key): each for key, each in self.definitions.items()}
        self.names: dict[str, str] = {}
        self.words: dict[str, list[str]] = {}
        self.merges: int = MAX_MERGES
        edges: dict[str, list[str]] = {}
        todo = self._references_in(self.bodies["#"])
        while todo:
            if (reference := todo.pop()) not in edges:
                edges[reference] = self._references_in(self.bodies[reference])
                todo += edges[reference]
        for group in components(dict(sorted(edges.items()))):
            self._define(sorted(group), edges)

    def _references_in(self, schema: Any) -> list[str]:
        nodes = schemas_in(schema) if type(schema) is dict else []
        return [each["$ref"] for each in nodes if each.get("$ref") in self.bodies]

    def _define(self, group: list[str], edges: dict[str, list[str]]) -> None:
        """Write definitions that refer to each other; they are the same if all of them are."""
        bodies = {each: branches.normalized(self.bodies[each]) for each in group}
        lower = [self.names[each] for key in group for each in edges[key] if each not in bodies]
        places = {each: _Place(f"#{each[8:]}", each[8:] or "Arguments", []) for each in group}
        key = repr((bodies, lower))
        for each, place in places.items():
            name = self.module.named((key, each), place.name)
            self.names[each], self.words[each] = f"\0{name}\0", place.words
        for each, node in bodies.items():
            name, has_more = self.names[each][1:-1], self.module.metadata and node.keys() - _SHAPE
            if _is_record(node) and not has_more:
                self.told("", self.record(node, places[each], name)[1], places[each])
                continue
            text = self.annotation(node, places[each])
            if is_cycle(group, edges) or len(text) > SHORT:
                self.module.write(f"{name}: TypeAlias = {eager(text)}\n")
            else:
                self.names[each] = text
        self.names |= {each: self.names[each].strip("\0") for each in group}

    # -- annotations

    def member(self, key: str, node: Json, place: _Place, *, has_default: bool = False) -> _Field:
        """A property of an object, or a parameter, which may have a default."""
        inner = _Place(place.path + step_to(key), key, [*place.words])
        text, rest = self.halves(node["properties"][key], inner)
        value, default = rest.get("default", ...), " = ..."
        is_plain = type(value) in (str, int, bool, type(None)) or value in ([], {})
        is_optional = has_default and key not in node["required"]
        if is_optional and is_plain and is_valid(value, node["properties"][key], self.whole):
            default = f" = {literal(rest.pop('default'))}"
        said = "" if self.module.metadata else rest.pop("description", "")
        text = self.told(text, rest, inner)
        return _Field(key, text, one_line(said, inner.words), key in node["required"], default)

    def annotation(self, schema: Any, place: _Place) -> str:
        """The annotation of a subschema; what it does not say is in metadata, or in words."""
        text, rest = self.halves(schema, place)
        return self.told(text, rest, place)

    def told(self, text: str, rest: Json, place: _Place) -> str:
        """An annotation with metadata that say the rest; or there are words for it."""
        is_deep = any("$ref" in each or each.keys() & _DEEP for each in rest.get("allOf", ()))
        lost = (rest.keys() & _DEEP) - (set() if is_deep else {"allOf"})
        for keyword in sorted(lost):
            self.lose(place, keyword)
        if not self.module.metadata:
            is_null = rest.get("default", ...) is None
            said = _except(rest, "title", "additionalProperties", *_SILENT, *["default"] * is_null)
            place.words.extend(branches.Describer(self.definitions).keywords(said))
            return text
        rest = _except(rest, *lost, *_SILENT)
        markers = {name: rest.pop(key) for key, name in _MARKERS.items() if key in rest}
        markers |= {"Schema": rest} if rest else {}
        pieces = [f"{name}({literal(each)})" for name, each in markers.items()]
        return f"Annotated[{', '.join([text, *pieces])}]" if pieces else text

    def lose(self, place: _Place, keyword: str) -> None:
        """Report a keyword, because the annotation accepts more than it does."""
        if self.module.lost is not None:
            reason = f"no annotation of Python means the same as {keyword!r}"
            path = self.where(place.path)
            self.module.lost(Problem(reason, path, code="refused-by-transform", keyword=keyword))

    def halves(self, schema: Any, place: _Place) -> Said:
        """The annotation of a subschema, and the keywords that it does not say."""
        node = branches.normalized(schema)
        if "$ref" in node:
            return self._reference(node, place)
        if branches.accepts_nothing(node):
            return "Never", _annotations(node)
        if "enum" in node:
            return self._literals(node)
        if "anyOf" in node or "oneOf" in node or type(node.get("type")) is list:
            return self._union(node, place)
        if "type" in node:
            return self._of_type(branches.of_type(node, node["type"]), place)
        for keyword in _except(branches.constraints(node), *_SILENT):
            self.lose(place, keyword)
        return "Any", _annotations(node)

    def _reference(self, node: Json, place: _Place) -> Said:
        reference = node["$ref"]
        if self.merges and reference in self.names and node.keys() & _SHAPE:
            self.merges -= 1
            return self.halves(branches.resolved(node, self.definitions), place)
        if reference not in self.names:
            self.lose(place, "$ref")
        place.words.extend(self.words.get(reference, ()))
        return self.names.get(reference) or "Any", _except(node, "$ref")

    def _literals(self, node: Json) -> Said:
        rest = _except(node, "enum", "type")
        allowed = {"type": node["type"]} if "type" in node else {}
        values = [each for each in node["enum"] if is_valid(each, allowed)]
        if not values:
            return "Never", rest
        if all(map(_is_literal, values)):
            return f"Literal[{', '.join(map(literal, values))}]", rest
        kinds = {*map(type, values)}
        text = "int" if kinds == {int} else "float" if kinds <= {int, float} else "Any"
        return text, {**rest, "enum": values}

    def _union(self, node: Json, place: _Place) -> Said:
        members = branches.branches_of(node)
        texts = [self.annotation(each, place) for each in members]
        if any("$ref" in each for each in members):  # it has no siblings
            for keyword in branches.shared_constraints(node):
                self.lose(place, keyword)
        if "oneOf" in node and ("anyOf" in node or not self._are_disjoint(members)):
            self.lose(place, "oneOf")
        return self._any_of(texts), _annotations(node)

    def _any_of(self, texts: list[str]) -> str:
        """A union; ``None`` is last."""
        if "Any" in texts or not texts:
            return "Any"
        every = sorted(dict.fromkeys(texts), key="None".__eq__)
        return f"\1{chr(2).join(every)}\3" if len(every) > 1 else every[0]

    def _are_disjoint(self, members: list[Json]) -> bool:
        """Whether no value is valid for two of them: they have other types, values or tags."""
        nodes = [branches.resolved(branches.normalized(each), self.definitions) for each in members]
        kinds = [{kind.replace("integer", "number") for kind in json_types(each)} for each in nodes]
        views = [kinds, [*map(_values, nodes)]]
        records = [_whole(each) for each in nodes if _is_record(each)]
        for name in records[0]["required"] if len(records) == len(nodes) else ():
            tags = [each["properties"][name] for each in records if name in each["required"]]
            views.append([*map(_values, tags), *([set()] if len(tags) < len(nodes) else [])])
        return any(all(each) and sum(map(len, each)) == len(set().union(*each)) for each in views)

    # -- arrays and objects

    def _of_type(self, node: Json, place: _Place) -> Said:
        kind: str = node["type"]
        if kind == "array":
            return self._array(node, place)
        if kind == "object":
            return self.record(node, place) if _is_record(node) else self._mapping(node, place)
        return _PLAIN[kind], _except(node, "type")

    def _array(self, node: Json, place: _Place) -> Said:
        first, others = node.get("prefixItems", []), node.get("items", True)
        rest = _except(node, "type", "items", "prefixItems")
        texts = [self.annotation(each, place.at(f"[{at}]")) for at, each in enumerate(first)]
        size, least = len(first), rest.get("minItems", 0)
        if first and least == rest.get("maxItems", size if others is False else None) == size:
            return f"tuple[{', '.join(texts)}]", _except(rest, "minItems", "maxItems")
        text = self.annotation(others, place.at("[]"))
        if first and least == size:
            return f"tuple[{', '.join(texts)}, *tuple[{text}, ...]]", _except(rest, "minItems")
        if first:
            self.lose(place, "prefixItems")
        return f"list[{self._any_of([*texts, text])}]", rest

    def _mapping(self, node: Json, place: _Place) -> Said:
        names, others = node.get("propertyNames", False), node.get("additionalProperties", True)
        values = [*node.get("patternProperties", {}).values(), others]
        is_open = others is not False
        texts = [self.annotation(each, place.at("{}")) for each in values if each is not False]
        rest, key = _except(node, "type", *["additionalProperties"] * is_open), "str"
        if type(names) is dict and not names.keys() & {"$ref", *_DEEP}:
            rest = _except(rest, "propertyNames")
            key = self.annotation({**names, "type": "string"}, place.at("{name}"))
        return f"dict[{key}, {self._any_of(texts)}]", rest

    def record(self, node: Json, place: _Place, name: str = "") -> Said:
        """A class with the properties of an object."""
        node, inner = _whole(node), place._replace(words=[])
        fields = [self.member(key, node, inner) for key in node["properties"]]
        is_open = node.get("additionalProperties", True) in (True, {})
        rest = _except(node, "type", "properties", "required", *["additionalProperties"] * is_open)
        said = "" if self.module.metadata else rest.pop("description", "")
        title = node.get("title", "")
        hint = title if is_name(title) and place.path[:1] != "#" else place.name
        name = name or self.module.named((said, *fields), hint)
        self.module.write_class(name, said, fields)
        return name, rest


def _is_record(node: Json) -> bool:
    return node.get("type") == "object" and bool(node.get("properties") or node.get("required"))


def _is_literal(value: Any) -> bool:
    is_int = type(value) is int and LEAST < value < ORDINARY  # mypy takes no others
    return is_int or type(value) in (str, bool, type(None))


def _values(schema: Any) -> set[Any]:
    """The values that a schema lists."""
    return {json_key(each) for each in branches.normalized(schema).get("enum", ())}


def _except(node: Json, *names: str) -> Json:
    return {key: each for key, each in node.items() if key not in names}


def _annotations(node: Json) -> Json:
    return {key: each for key, each in node.items() if keywords.is_annotation(key)}


# -- tools -------------------------------------------------------------------------------------

LINE = 80
"""The most characters of parameters that are written on one line."""


def write(tools: Iterable[Parts], metadata: bool, is_async: bool, lost: Lost) -> str:
    """A module with a function for each tool."""
    every = [*tools]
    names = function_names(each[0] for each in every)
    module = _Module(metadata, lost, names.values())
    for each in every:
        head, body = _function(module, names[each[0]], *each)
        module.write(f"async {head}" if is_async else head, body)
    return module.finished()


def _function(
    module: _Module, name: str, tool: str, text: str | None, inputs: Json, output: Json | None
) -> tuple[str, str]:
    """The head of a function, and its docstring."""
    schema = _Schema(module, inputs, lambda path: tool + as_parameter(path))
    root, place = root_of(inputs), _Place("", f"{tool} arguments", [])
    for keyword in sorted(branches.constraints(root).keys() - _SILENT - _OF_ROOT):
        schema.lose(place, keyword)
    line, rows = _signature(schema, root, place)
    result = "Any" if output is None else _result(module, tool, output)
    body = docstring(text or "", "Args:", rows, "    ")
    return f"def {name}({line}) -> {result}:", f"\n{body}" if body else " ...\n"


def _result(module: _Module, tool: str, output: Json) -> str:
    """The annotation of the result."""
    schema = _Schema(module, output, f"{tool}() -> result".__add__)
    body = {"$ref": "#"} if "#" in schema.names else schema.bodies["#"]
    return schema.annotation(body, _Place("", f"{tool} result", [])).translate(_LAZY)


def _signature(schema: _Schema, root: Json, place: _Place) -> tuple[str, list[tuple[str, str]]]:
    """The parameters of a function, and what its docstring says about them."""
    names, others = parameters_of(root), root.get("additionalProperties", False)
    rest = new_name("kwargs", dict.fromkeys(names, 1))
    if schema.module.metadata and [*names] != [*names.values()]:
        if others is not False:  # an Unpack accepts no others
            schema.lose(place, "properties")
            return f"**{rest}: Any", []
        return f"**{rest}: Unpack[{schema.record(root, place)[0]}]", []
    words = {key: [f"{string(key)} in JSON"] if name != key else [] for name, key in names.items()}
    fields = {
        name: schema.member(key, root, place._replace(words=words[key]), has_default=True)
        for name, key in names.items()
    }
    texts = [
        f"{name}: {each.annotation.translate(_LAZY)}" + each.default * (not each.is_required)
        for name, each in fields.items()
    ]
    if others is not False:
        texts.append(f"**{rest}: {schema.annotation(others, place).translate(_LAZY)}")
    line = ", ".join(texts)
    line = line if len(line) <= LINE else "".join(f"\n    {each}," for each in texts) + "\n"
    return line, [(name, each.said) for name, each in fields.items()]


# -- calls -------------------------------------------------------------------------------------


def functions_of(tools: Iterable[Parts], call: Callable[[str, Json], Any]) -> dict[str, Any]:
    """The functions that the module declares, by name: each calls its tool."""
    every = {name: parameters_of(root_of(inputs)) for name, _, inputs, _ in tools}
    return {
        name: partial(_call, name, every[tool], partial(call, tool))
        for tool, name in function_names(every).items()
    }


def _call(
    function: str, names: dict[str, str], tool: Callable[[Json], Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Call a tool as a function; a parameter that is ``...`` is left out."""
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or given.keys() & kwargs.keys():
        raise TypeError(f"{function}() got too many positional arguments")
    given = {names.get(key, key): each for key, each in {**given, **kwargs}.items()}
    return tool({key: _json(each) for key, each in given.items() if each is not ...})


def _json(value: Any) -> Any:
    """A value of Python as JSON; the call refuses what has none, in its own words."""
    try:
        return value_to_json(value, Any)
    except SchemaError:
        return value


def returned(result: ToolResult) -> Any:
    """The value of a result: the structured content, or else the text or the blocks.

    Raises:
        ToolError: The call failed.
    """
    if result.is_error:
        raise ToolError(result.text)
    if "structuredContent" in result:
        return result.value
    blocks = result.get("content", [])
    return result.text or None if all(each.get("type") == "text" for each in blocks) else blocks
