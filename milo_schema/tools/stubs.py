"""Tools as Python: functions and classes that mean the same as the schemas of the tools.

Every subschema becomes an annotation, and a rest: the keywords that it does not say. The rest
becomes metadata, or words in a docstring or a comment. What neither can say is lost: the annotation
accepts more than the schema, and a problem says where.

Each string of a schema is written by ``repr()``, ``docstring()`` or ``comment()``, or as a name
that Python accepts, so nothing in it becomes code. The result is a module, and a stub file (PEP
484).
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from inspect import cleandoc
from keyword import iskeyword
from textwrap import indent
from typing import Any, NamedTuple
from unicodedata import normalize

from milo_schema.annotations import Json
from milo_schema.dialects import branches
from milo_schema.errors import RESULT, Problem, SchemaError, ToolError
from milo_schema.json_schema import TYPES, keywords
from milo_schema.json_schema.definitions import Shared
from milo_schema.json_schema.subschemas import escape, resolve_reference, step_to, without
from milo_schema.json_schema.validation import is_valid
from milo_schema.json_schema.values import LEAST, ORDINARY
from milo_schema.results import ToolResult, value_to_json
from milo_schema.schemas.functions import as_parameter

Lost = Callable[[Problem], object]
Parts = tuple[str, str | None, Json, Json | None]
"""The name, description, input and output schemas of a tool; the output has no box."""


# -- names -------------------------------------------------------------------------------------

_TYPING = {"Annotated", "Any", "Literal", "Never", "NotRequired", "Required", "TypeAlias"}
_TYPING |= {"TypedDict", "Union", "Unpack"}
_MARKERS = {"minimum": "Ge", "maximum": "Le", "exclusiveMinimum": "Gt", "exclusiveMaximum": "Lt"}
_MARKERS.update(minLength="MinLen", maxLength="MaxLen", title="Title", description="Description")
"""The marker for a keyword; ``Schema`` is for all others."""
_OURS = {"Schema", *_MARKERS.values()}
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_TYPES = [*_TYPING, *_OURS, *_PLAIN.values(), "dict", "list", "tuple"]
"""The names that stand in annotations."""


def is_name(text: str) -> bool:
    """Whether Python accepts a string as a name, and keeps it; ``__x`` is mangled in a class."""
    is_kept = text.isidentifier() and normalize("NFKC", text) == text
    return is_kept and not iskeyword(text) and not text.startswith("__")


def new_name(text: str, taken: dict[str, int]) -> str:
    """A name that looks like a string, and is neither taken nor that of a builtin."""
    chars = [each if f"a{each}".isidentifier() else "_" for each in normalize("NFKC", text)]
    name = re.sub("^_*(?=_)", "", "".join(chars))
    name = name if name.isidentifier() else f"_{name}"
    is_builtin = getattr(vars(builtins).get(name), "__module__", "") == "builtins"
    plain = name = f"{name}_" if is_builtin or iskeyword(name) else name
    while name in taken:
        taken[plain] = number = (taken[plain] or 1) + 1
        name = f"{plain.rstrip('_')}_{number}"
    taken[name] = 1
    return name


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """The name of the function for each tool."""
    taken = dict.fromkeys([*_TYPES, "annotations"], 1)
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
    known = {**dict.fromkeys(node.get("required", ()), True), **node.get("properties", {})}
    return {"required": [], **node, "properties": known}


# -- texts -------------------------------------------------------------------------------------


def docstring(text: str) -> str:
    """A docstring, or three dots if there is nothing to say."""
    said = text.strip().encode(errors="backslashreplace").decode().replace("\\", r"\\")
    said += "\n" * ("\n" in said)
    lines = [escape(each).rstrip() for each in re.sub(r'"(?=""|\Z)', r"\"", said).split("\n")]
    return "\n" + indent('"""' + "\n".join(lines) + '"""', "    ") if said else " ..."


def one_line(text: str, words: Iterable[str]) -> str:
    """A description on one line, with more about it in parentheses, but nothing twice."""
    text = " ".join(text.split())
    more = "; ".join(each for each in dict.fromkeys(words) if each not in ("", text))
    return " ".join((f"{text} ({more})" if text and more else text or more).split())


def comment(said: str) -> str:
    """A comment at the end of a line; after ``#:``, no text is a command for a type checker."""
    return f"  #: {escape(said)}" if said else ""


# -- schemas -----------------------------------------------------------------------------------

MAX_MERGES = 32
"""The most references in one tool that are replaced, because other keywords are beside them."""

_READABLE = 60
"""The most characters of a pattern beside a format; of longer ones, the format says enough."""

_LAZY = {0: "", 1: "", 2: " | ", 3: ""}
_EAGER = {0: '"', 1: "Union[", 2: ", ", 3: "]"}
"""Marks in annotations: around a name, around a union, and in it. Python evaluates aliases and
calls at once, when the classes that they name may not be there yet."""

_CLASS = ("class {}(TypedDict{}):{}\n", "    {}: {}{}\n", "", _LAZY)
_CALL = ("{0} = TypedDict({0!r}, {{{2}\n", "    {!r}: {},{}\n", "}}{1})\n", _EAGER)
"""The two forms of a class: the templates of its first line, of a key and of the last line."""

_OF_ROOT = {"type", "properties", "required", "additionalProperties"}
_SHAPE = {*_OF_ROOT, "items", "prefixItems", "anyOf", "oneOf", "enum"}
_DEEP = {"dependentRequired", "minContains", "maxContains", "contentMediaType"}
_DEEP |= {*keywords.SCHEMA_KEYWORDS, *keywords.SCHEMA_LIST_KEYWORDS, *keywords.SCHEMA_MAP_KEYWORDS}
"""The keywords that an annotation says, and those that nothing can say."""


class _Place(NamedTuple):
    """The path of a subschema, a name for its class, and the phrases about it."""

    path: str
    name: str
    words: list[str]


class _Module:
    """Writes the functions and classes of all tools, each class once.

    Attributes:
        metadata: Whether annotations have the rest as metadata.
        report: Called with what is lost.
        taken: The names that no class may have; those with a 1 may stand in annotations.
        shared: The definitions.
        whole: A schema with all of them.
        functions: The name of the function for each tool.
        results: How many tools have an output schema.
        names: The name of each class, by its content or the reference to it.
        blocks: The classes and aliases by name.
        todo: The definitions that are yet to be written, and the places that refer to them.
        merges: The number of references that may still be replaced.
    """

    def __init__(self, tools: list[Parts], metadata: bool, report: Lost) -> None:
        self.metadata: bool = metadata
        self.report: Lost = report
        self.functions = names = function_names(each[0] for each in tools)
        self.results: Counter[str] = Counter(repr(each[3]) for each in tools)
        self.taken: dict[str, int] = dict.fromkeys(names.values(), 0) | dict.fromkeys(_TYPES, 1)
        self.shared: Shared = Shared()
        self.whole: Json = {"$defs": self.shared.definitions}
        self.names: dict[object, str] = {}
        self.blocks: dict[str, str] = {}
        self.todo: list[tuple[str, Any, _Place]] = []
        self.merges: int = 0

    def function(self, tool: str, text: str | None, inputs: Json, output: Json | None) -> str:
        """The name of a function, its parameters, its result, and its docstring."""
        self.merges, result = MAX_MERGES, "Any"
        place = _Place(tool, f"{tool} arguments", [])
        root = root_of({**self.shared.take(inputs, place.name), **self.whole})
        silent = {*_OF_ROOT, *keywords.SILENT, "discriminator"}
        self.lose(place, *sorted(branches.constraints(root).keys() - silent))
        parameters, about = self._parameters(root, place)
        sections = [cleandoc(text or ""), "\n    ".join(["Args:", *about]) if about else ""]
        if output is not None:
            name = "result" if self.results[repr(output)] > 1 else f"{tool} result"
            place = _Place(tool + RESULT, name, [])
            result = self.annotation(self.shared.take(output, name), place)
            sections.append(f"Returns:\n    {more}" if (more := one_line("", place.words)) else "")
        while self.todo:
            self._define(*self.todo.pop())
        line = f"{self.functions[tool]}({', '.join(parameters)}) -> {result}:".translate(_LAZY)
        said = "\n\n".join(filter(None, map(str.strip, sections)))
        return f"{line}{docstring(said)}\n"

    def _parameters(self, root: Json, place: _Place) -> tuple[list[str], list[str]]:
        """The parameters of a function, and the lines about them in its docstring."""
        names, has_others = parameters_of(root), self._has_other_names(root)
        others = self._values(root, place, has_others=has_others)
        rest = new_name("kwargs", dict.fromkeys(names, 1))
        if self.metadata and [*names] != [*names.values()]:
            if not others:
                return [f"**{rest}: Unpack[{self.record(root, place)}]"], []
            self.lose(place, "properties")  # an Unpack accepts no others
            return [f"**{rest}: Any"], []
        lines, about = [], []
        for name, key in names.items():
            words = [] if name == key else [f"{key!r} in JSON"]
            inner = _Place(place.path + as_parameter(step_to(key)), key, words)
            default = "" if key in root["required"] else " = ..."
            text, said, default = self.member(root["properties"][key], inner, default)
            lines.append(f"{name}: {text}{default}")
            about += [f"{name}: {said}"] * bool(said)
        if others:
            lines.append(f"**{rest}: {_any_of(others)}")
        return lines, about

    def _define(self, reference: str, body: Any, place: _Place) -> None:
        """Write the class of a definition, or its alias."""
        node, name = _normalized(body), self.names[reference]
        silent = set() if self.metadata else {"title", "description"}
        if _is_record(node) and node.keys() <= _SHAPE | silent:
            self.record(node, place, name)
            self.told("", node, place)
        else:
            text = self.annotation(node, place).translate(_EAGER)
            self.blocks[name] = f"{name}: TypeAlias = {text}{comment(one_line('', place.words))}\n"

    def record(self, node: Json, place: _Place, name: str = "") -> str:
        """A class with the keys of an object, or a call if a key hides a name or cannot be one."""
        known, required = _whole(node)["properties"], node.pop("required", ())
        node.pop("properties", None)
        if node.get("additionalProperties", True) in (True, {}):
            node.pop("additionalProperties", None)
        self.taken |= dict.fromkeys(known.keys() - self.taken.keys(), 0)
        is_class = all(is_name(key) and not self.taken[key] for key in known)
        head, row, end, marks = _CLASS if is_class else _CALL
        is_partial = len(known) > 2 * len(required)  # the usual keys need no mark
        mark, total = ("Required", ", total=False") if is_partial else ("NotRequired", "")
        lines = []
        for key, schema in known.items():
            text, said, _ = self.member(schema, _Place(place.path + step_to(key), key, []))
            text = f"{mark}[{text}]" if (key in required) is is_partial else text
            lines.append(row.format(key, text.translate(marks), comment(said)))
        title, said = node.get("title", ""), node.pop("description", "") if name else ""
        name = name or self.named((total, *lines), title if is_name(title) else place.name)
        head = head.format(name, total, comment(one_line(said, ())))
        self.blocks[name] = "".join([head, *lines, end.format(name, total)])
        return f"\0{name}\0"

    def named(self, key: object, text: str) -> str:
        """The name of what a key stands for; a new one looks like *text*."""
        if key not in self.names:
            name = "".join(each[:1].upper() + each[1:] for each in re.split(r"[\W_]+", text))
            self.names[key] = new_name(name or "Item", self.taken)
        return self.names[key]

    def member(self, schema: Any, place: _Place, default: str = "") -> tuple[str, str, str]:
        """The annotation of a property or parameter, the words about it, and its default."""
        text, rest = self.halves(schema, place)
        value = rest.get("default", ...)
        is_plain = _is_literal(value) or value in ([], {})
        is_plain |= type(value) is float and "float" in re.split("[\1-\3]", text)
        if default and is_plain and is_valid(value, schema, self.whole):
            default = f" = {rest.pop('default')!r}"
        said = "" if self.metadata else rest.pop("description", "")
        text = self.told(text, rest, place)
        return text, one_line(said, place.words), default

    def annotation(self, schema: Any, place: _Place, step: str = "") -> str:
        """The annotation of a subschema; what it does not say is in metadata, or in words."""
        inner = place._replace(path=place.path + step)
        return self.told(*self.halves(schema, inner), inner)

    def told(self, text: str, rest: Json, place: _Place) -> str:
        """An annotation with metadata that say the rest; or there are words for it."""
        is_deep = any(each.keys() & {"$ref", *_DEEP} for each in rest.get("allOf", ()))
        lost = (rest.keys() & _DEEP) - (set() if is_deep else {"allOf"})
        self.lose(place, *sorted(lost))
        if not self.metadata:
            unsaid = ["default"] * (rest.get("default", ...) is None)
            unsaid += ["pattern"] * ("format" in rest and len(rest.get("pattern", "")) > _READABLE)
            said = without(rest, "title", "additionalProperties", *unsaid)
            place.words.extend(branches.Describer(self.shared.definitions).keywords(said))
            return text
        rest = without(rest, *lost)
        pieces = [f"{_MARKERS[key]}({rest.pop(key)!r})" for key in _MARKERS if key in rest]
        pieces += [f"Schema({rest!r})"] * bool(rest)
        return f"Annotated[{', '.join([text, *pieces])}]" if pieces else text

    def lose(self, place: _Place, *lost: str) -> None:
        """Report keywords, because the annotation accepts more than they do."""
        for keyword in lost:
            reason = f"no annotation of Python means the same as {keyword!r}"
            self.report(Problem(reason, place.path, code="refused-by-transform", keyword=keyword))

    def halves(self, schema: Any, place: _Place) -> tuple[str, Json]:
        """The annotation of a subschema, and the keywords that it does not say."""
        node = _normalized(schema)
        if "$ref" in node and node.keys() & _SHAPE and self.merges:
            self.merges -= 1
            node = branches.resolved(node, self.shared.definitions)
        if "$ref" in node:
            return self._reference(node.pop("$ref"), place), node
        if "enum" in node:
            allowed = {"type": node.get("type", [*TYPES])}
            node["enum"] = [each for each in node["enum"] if is_valid(each, allowed)]
        is_kind = type(node.get("type")) is str
        if branches.accepts_nothing(node):
            text = "Never"
        elif "enum" in node and all(map(_is_literal, node["enum"])):
            return f"Literal[{', '.join(map(repr, node['enum']))}]", without(node, "enum", "type")
        elif node.keys() & {"anyOf", "oneOf"} or (not is_kind and node.keys() & {"enum", "type"}):
            text = self._union(branches.constraints(node), place)
        elif is_kind:
            node = branches.of_type(node, node["type"])
            write = {"array": self._array, "object": self._object}.get(node["type"])
            return write(node, place) if write else _PLAIN[node["type"]], without(node, "type")
        else:
            self.lose(place, *branches.constraints(node))
            text = "Any"
        return text, {key: each for key, each in node.items() if keywords.is_annotation(key)}

    def _reference(self, reference: str, place: _Place) -> str:
        if (body := resolve_reference(reference, self.whole)) is None:
            self.lose(place, "$ref")
            return "Any"
        if reference not in self.names:
            self.todo.append((reference, body, place._replace(name=reference[8:], words=[])))
        return f"\0{self.named(reference, reference[8:])}\0"

    def _union(self, node: Json, place: _Place) -> str:
        members = branches.branches_of(node)
        if any("$ref" in each for each in members):  # it has no siblings
            self.lose(place, *branches.shared_constraints(node))
        known = self.shared.definitions
        if "oneOf" in node and ("anyOf" in node or not branches.are_disjoint(members, known)):
            self.lose(place, "oneOf")
        return _any_of([self.annotation(each, place) for each in members])

    def _array(self, node: Json, place: _Place) -> str:
        first, others = node.pop("prefixItems", []), node.pop("items", True)
        texts = [self.annotation(each, place, f"[{at}]") for at, each in enumerate(first)]
        if not first or node.get("minItems") != len(first):
            self.lose(place, *["prefixItems"] * bool(first))
            return f"list[{_any_of([*texts, self.annotation(others, place, '[]')])}]"
        del node["minItems"]
        if node.get("maxItems", len(first) if others is False else ...) == len(first):
            node.pop("maxItems", None)
        else:
            texts.append(f"*tuple[{self.annotation(others, place, '[]')}, ...]")
        return f"tuple[{', '.join(texts)}]"

    def _object(self, node: Json, place: _Place) -> str:
        if _is_record(node):
            return self.record(node, place)
        values = self._values(node, place, has_others=True)
        if node.get("additionalProperties") is not False:
            node.pop("additionalProperties", None)
        names, key = node.get("propertyNames"), "str"
        if type(names) is dict and not names.keys() & {"$ref", *_DEEP}:
            key = self.annotation({**node.pop("propertyNames"), "type": "string"}, place)
        return f"dict[{key}, {_any_of(values)}]"

    def _has_other_names(self, root: Json) -> bool:
        """Whether a pattern, or a branch of a union, has names that the object does not list."""
        known, bodies = root["properties"].keys(), self.shared.definitions
        every = [_whole(branches.resolved(each, bodies)) for each in branches.branches_of(root)]
        others = [each["properties"].keys() - known for each in every]
        return "patternProperties" in root or any(others)

    def _values(self, node: Json, place: _Place, *, has_others: bool) -> list[str]:
        """The annotations of the values of an object whose keys it does not name."""
        values = [*node.get("patternProperties", {}).values()]
        if (others := node.get("additionalProperties", has_others)) is not False:
            values.append(others)
        return [self.annotation(each, place, "{}") for each in values]


def _any_of(texts: list[str]) -> str:
    """A union; ``None`` is last."""
    every = sorted(dict.fromkeys(texts), key="None".__eq__)
    whole = f"\1{chr(2).join(every)}\3" if len(every) > 1 else "".join(every)
    return whole if texts and "Any" not in texts else "Any"


def _is_record(node: Json) -> bool:
    return node.get("type") == "object" and bool(node.get("properties") or node.get("required"))


def _is_literal(value: Any) -> bool:
    is_int = type(value) is int and LEAST < value < ORDINARY  # mypy takes no others
    return is_int or type(value) in (str, bool, type(None))


def _normalized(schema: Any) -> Json:
    return without(branches.normalized(schema), "discriminator")


# -- tools -------------------------------------------------------------------------------------


def write(tools: list[Parts], metadata: bool, is_async: bool, report: Lost) -> str:
    """A module with a function for each tool."""
    module, start = _Module(tools, metadata, report), "async def" if is_async else "def"
    functions = [f"{start} {module.function(*each)}" for each in tools]
    body = "\n".join([*module.blocks.values(), *functions])
    used = {each.id for each in ast.walk(ast.parse(body)) if isinstance(each, ast.Name)}
    lines = ["from __future__ import annotations"]
    for package, known in (("typing", _TYPING), ("milo_schema", _OURS)):
        lines += [f"from {package} import {', '.join(sorted(used & known))}"] * bool(used & known)
    return "\n".join([*lines, "", body])


# -- calls -------------------------------------------------------------------------------------


def functions_of(tools: Iterable[Parts], call: Callable[[str, Json], Any]) -> dict[str, Any]:
    """The functions that the module declares, by name: each calls its tool."""
    keys = {tool: parameters_of(root_of(inputs)) for tool, _, inputs, _ in tools}
    names = function_names(keys)
    return {names[one]: partial(_call, partial(call, one), names[one], keys[one]) for one in keys}


def _call(call: Callable[[Json], Any], name: str, keys: Json, /, *args: Any, **kwargs: Any) -> Any:
    """Call a tool as a function; a parameter that is ``...`` is left out."""
    given = dict(zip(keys, args, strict=False)) | kwargs
    if len(given) < len(args) + len(kwargs):
        raise TypeError(f"{name}() got too many positional arguments")
    return call({keys.get(key, key): _json(given[key]) for key in given if given[key] is not ...})


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
