"""The class of profiles, and the default profile; ``profiles`` has the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, get_args

from milo_schema.annotations.classes import Classes, inherits, is_class
from milo_schema.annotations.frozen import Converter, Frozen, field, read_only
from milo_schema.callables.signatures import Field
from milo_schema.errors import Report, SchemaError, nearest, shown
from milo_schema.libraries import library

if TYPE_CHECKING:
    from milo_schema.nodes.custom import Walk
else:  # nodes know profiles, and not the other way round
    Walk = Any

Predicate = Callable[[Field], object]
Transform = Callable[[dict[str, Any], Report], dict[str, Any]]
MarkerReader = Callable[[Any], list[Any] | tuple[Any, ...]]
UnknownSchema = Callable[[Any, Walk], dict[str, Any] | None]
TypeSchema = dict[str, Any] | Callable[[Any, Walk], dict[str, Any]]
UnwrapNone = bool | Literal["if_default"]
Closed = Literal["nothing", "parameters", "everything"]
Failure = Literal["warn", "error", "open", "none"]
Variadics = Literal["omit", "open", "properties", "error"]
Inline = bool | Literal["auto"]
Optionals = Literal["absent", "null", "required"]
Aliases = Literal["everywhere", "inputs", "nowhere"]
Generators = Literal["item", "list", "nothing"]
OutputFormats = Literal["all", "certain"]
NullOutputs = Literal["none", "schema", "missing"]
Docstrings = Literal["last", "first", "never"]
DocstringStyle = Literal["any", "google", "numpy", "sphinx", "epydoc", "markdown"]
Choices = Literal["enum", "title", "description"]
Text = Literal["plain", "json", "always"]
Structured = Literal["schema", "always"]
UnknownArguments = Literal["refuse", "drop"]
Section = Literal["first_line", "summary", "prose", "returns", "raises", "examples", "docstring"]
OutputPredicate = Callable[[Any, dict[str, Any]], object]
Box = Mapping[str, Any] | tuple[Mapping[str, Any], *tuple[OutputPredicate, ...]]


if TYPE_CHECKING:  # to make these classes takes 0.9 ms on Python 3.11, and 3.9 ms on 3.14

    class ProfileFields(TypedDict, total=False):
        """The types of all fields except the name, for type checkers."""

        closed: Closed
        unwrap_none: UnwrapNone
        optional: Optionals
        unknown_arguments: UnknownArguments
        variadics: Variadics
        flatten: bool
        injected_names: Collection[str]
        injected_classes: Collection[str | type]
        injected_if: Collection[Predicate] | Predicate
        types: Mapping[Any, TypeSchema]
        markers: Mapping[type | str, MarkerReader]
        decoders: Mapping[Any, Callable[[Any], Any]]
        encoders: Mapping[Any, Callable[[Any], Any]]
        unknown: Mapping[str, Any] | UnknownSchema
        untyped: Mapping[str, Any] | str | None
        failure: Failure
        aliases: Aliases
        inline: Inline
        transforms: Collection[Transform] | Transform
        choices: Choices
        docstrings: Docstrings
        docstring_style: DocstringStyle
        attribute_docstrings: bool
        bare_descriptions: bool
        tool_description: Collection[Section] | Section
        unset_hints: bool | None
        outputs: bool | ProfileFields
        generators: Generators
        output_formats: OutputFormats
        null_outputs: NullOutputs
        opaque_outputs: Collection[str | type | OutputPredicate] | OutputPredicate
        output_signals: Collection[str | type]
        box: Box | None
        text: Text
        structured: Structured
        result_type: str | None
else:

    class ProfileFields:  # a class, not an assignment: typeguard erases names assigned here
        """Stands for the class above at run time."""


def _of_mcp(*names: str) -> frozenset[str]:
    """Names of classes of the MCP SDK; version 2 has them in another package."""
    return frozenset(f"{module}.{name}" for module in ("mcp.types", "mcp_types") for name in names)


CONTENT = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")
HELPERS = {
    "mcp.server.fastmcp.Image",
    "mcp.server.fastmcp.Audio",
    "mcp.server.mcpserver.Image",
    "mcp.server.mcpserver.Audio",
    "fastmcp.utilities.types.Image",
    "fastmcp.utilities.types.Audio",
    "fastmcp.utilities.types.File",
}
"""The classes that frameworks convert to content."""
_MCP_CONTENT = _of_mcp(*CONTENT, "CallToolResult") | HELPERS | {"fastmcp.tools.ToolResult"}
_MCP_SIGNALS = _of_mcp("InputRequiredResult", "CreateTaskResult")


# -- the values of fields ----------------------------------------------------------------------


def keywords(name: str, value: Any, others: Collection[str]) -> Any:
    """A read-only copy of keywords of JSON Schema, or one of *others*: None, a function, ..."""
    if (value is None and "None" in others) or (callable(value) and "a function" in others):
        return value
    if isinstance(value, str) and "a string" in others:
        return value
    return read_only(name, value, " or ".join(("a dict of keywords", *others)))


def by_type(name: str, value: Any, what: str, takes: tuple[type, ...] = ()) -> Mapping[Any, Any]:
    """A mapping from types to functions, or to instances of *takes*.

    Instead of a type, it may have the dotted name of a class that is not loaded yet.
    """
    mapping = read_only(name, value)
    for tp, each in mapping.items():
        if type(tp) is str and "." not in tp:
            way_out = "pass the class itself, or its dotted name, such as 'shop.Money'"
            raise ValueError(f"{name} has {tp!r}, which names no module; {way_out}")
        is_valid = callable(each) or isinstance(each, takes)
        if not is_valid:
            raise ValueError(f"{name}[{tp!r}] must be {what}, not {each!r}")
    return mapping


def codecs(name: str, value: Any) -> Mapping[Any, Any]:
    """A mapping from types to functions."""
    for each in (mapping := read_only(name, value)):
        if type(each) is str:
            raise ValueError(f"{name} has {each!r}, which is a name; pass the type itself")
    return by_type(name, mapping, "a function")


def one_of(name: str, value: Any, options: Collection[Any]) -> Any:
    """A value that is one of the options."""
    if any(value is each or (type(value) is str and value == each) for each in options):
        return value
    listed = ", ".join(map(repr, options))
    near = nearest(str(value), map(str, options))
    raise ValueError(f"{name}={value!r} is not one of {listed}{near}")


def some_of(name: str, value: Any, options: Collection[Any]) -> tuple[Any, ...]:
    """One or several of the options."""
    return tuple(one_of(name, each, options) for each in _members(value))


def flag_or_fields(name: str, value: Any) -> bool | Mapping[str, Any]:
    """A bool, or a mapping of fields to values, but for the name and the field itself."""
    if isinstance(value, bool):
        return value
    fields = read_only(name, value, "True, False or a dict of fields")
    for each in ("name", name):
        if each in fields:
            raise ValueError(f"{name} cannot change the field {each!r}")
    return fields or True


def to_names(name: str, value: Collection[str] | str) -> frozenset[str]:
    """One or several names."""
    return frozenset(_several(name, value, lambda each: isinstance(each, str), "a name"))


def to_classes(name: str, value: Any, *, or_functions: bool = False) -> frozenset[Any]:
    """One or several classes or names of classes; or, if that is allowed, functions."""
    what = (
        "a class, the name of one, or a function" if or_functions else "a class or the name of one"
    )

    def is_member(each: Any) -> bool:
        return isinstance(each, str) or is_class(each) or (or_functions and callable(each))

    return frozenset(_several(name, value, is_member, what))


def to_box(name: str, value: Any) -> Any:
    """Keywords, or a tuple of keywords and functions; or ``None``."""
    if value is None:
        return None
    given, *others = value if type(value) is tuple and value else (value,)
    marks = read_only(name, given, "a dict of keywords, a tuple of that and functions, or None")
    return (marks, *functions(name, others)) if others else marks


def box_parts(box: Any) -> tuple[Mapping[str, Any], tuple[OutputPredicate, ...]]:
    """The keywords of a boxed output, and functions that decide whether an object is boxed.

    Args:
        box: A ``Box`` or ``None``; typeguard's import hook misreads the ``*`` in ``Box`` (PEP 646).
    """
    return (box[0], box[1:]) if isinstance(box, tuple) else (box or {}, ())


def functions(name: str, value: Any) -> tuple[Callable[..., Any], ...]:
    """One or several functions."""
    return _several(name, value, callable, "a function")


def _several(name: str, value: Any, is_member: Callable[[Any], bool], what: str) -> tuple[Any, ...]:
    """The members of a collection, if each of them is valid; or a member instead of one."""
    members = (value,) if is_member(value) else _members(value)
    for each in members:
        if not is_member(each):
            raise ValueError(f"{name} has {each!r}, which is not {what}")
    return members


def _members(value: Any) -> tuple[Any, ...]:
    """The members of a collection; any other value, such as a string, is its own only member."""
    if isinstance(value, str):
        return (value,)
    try:
        members = iter(value)
    except TypeError:
        return (value,)
    return tuple(members)


def instance_of(name: str, value: Any, kinds: tuple[type, ...], what: str) -> Any:
    """A value of one of these classes."""
    if type(value) in kinds:
        return value
    raise ValueError(f"{name}={value!r} is not {what}")


_PLAIN: dict[str, Converter] = {
    "bool": partial(instance_of, kinds=(bool,), what="True or False"),
    "int": partial(instance_of, kinds=(int,), what="a whole number"),
    "str": partial(instance_of, kinds=(str,), what="a string"),
    "str | None": partial(instance_of, kinds=(str, type(None)), what="a string or None"),
}
"""The converters of fields with these annotations, if they have no other one."""


class InDialect(Frozen):
    """A transform of the package ``dialects``, which is loaded when it is first used."""

    name: str

    def __call__(self, schema: dict[str, Any], report: Report) -> dict[str, Any]:
        """Write a schema in the dialect, which is for arguments: clients validate results."""
        if report.output:
            return schema
        from milo_schema.dialects import write_in

        return write_in(self.name, schema, report)


_OF_CLASSES = ("injected_classes", "opaque_outputs", "output_signals")
"""The fields that are sets of classes."""


def _one_of(*options: Any) -> Any:
    """A field with one of the options; the first one is the default."""
    return field(default=options[0], converter=partial(one_of, options=options))


class Profile(Frozen, kw_only=True, by_annotation=_PLAIN, passes_on=("_origin_of",)):
    """The rules for writing schemas. It is frozen; ``replace()`` makes another one.

    The fields are in five groups, in this order: which values a schema accepts (*closed* to
    *flatten*), what is injected, what types mean (*types* to *aliases*), texts and spelling
    (*inline* to *unset_hints*), and results (from *outputs* on).

    Args:
        name: The name of the profile.
        closed: Which objects forbid additional properties: ``"nothing"``, the ``"parameters"``
            of a function, or ``"everything"``.
        unwrap_none: Whether ``T | None`` becomes ``T`` in a parameter or field; with
            ``"if_default"``, only if its default is ``None``.
        optional: What clients send to omit an optional property: nothing (``"absent"``). Or, if
            they have to send every property, as in OpenAI's strict mode, ``"null"``, which means
            a missing value if the type of the property does not accept null; or a value of its own
            type (``"required"``): then input schemas require every property.
        unknown_arguments: What ``bind()`` does with an argument with an unknown name: ``"refuse"``
            it, or ``"drop"`` it, as frameworks with open schemas do. That goes for the names of
            hidden parameters, too, which no argument can set.
        variadics: How to handle ``*args`` and ``**kwargs``: leave them out (``"omit"``); allow
            additional properties for ``**kwargs`` (``"open"``); make them an array and an object
            with the names of the parameters (``"properties"``); or raise an ``"error"``.
        flatten: Whether the fields of the only parameter of a function replace it, if it is a
            record or a pydantic model and has no default.
        injected_names: The framework fills in parameters with these names.
        injected_classes: The framework fills in parameters with one of these classes, or a
            subclass, in their annotation. A dotted name, such as
            ``"mcp.server.mcpserver.Context"``, matches only one class; you can also give the
            class. A plain name matches any class of that name, also in a union, but not in a
            container: ``"Context"`` hides ``Context | None``, and not ``list[Context]``.
        injected_if: The framework fills in parameters for which one of these functions returns
            true. Each gets the parameter, with its ``name``, ``annotation`` and ``default``.
        types: Schemas for types that are not inspected; see ``with_types()``.
        markers: Functions that read metadata, in ``Annotated`` or as a default; see
            ``with_markers()``.
        decoders: Maps types to functions that make a value from its JSON.
        encoders: Maps types to functions that convert their values to JSON, for results and
            defaults.
        unknown: The schema for an annotation that has none, outside of strict mode; or a function
            ``(annotation, walk) -> schema``, which is called for each annotation without a rule.
            If it returns ``None``, the annotation counts as missing (see *untyped*).
            ``walk.record(annotation)`` returns the schema of any annotated class.
        untyped: The schema for a missing annotation outside of strict mode; ``None`` raises an
            error, and a string one with that text, in which ``{function}`` and ``{name}`` are
            replaced.
        failure: What to do about an annotation without a schema: ``"warn"`` and fall back to
            *unknown*, raise an ``"error"``, make the whole function an ``"open"`` object, or do
            that without a warning (``"none"``).
        aliases: Where fields and parameters have the names in pydantic's ``Field(alias=...)``:
            ``"everywhere"``, only in ``"inputs"``, which is pydantic's own default, or
            ``"nowhere"``.
        inline: Whether to inline named types, except recursive and very large ones; otherwise,
            all are in ``$defs``. With ``"auto"``, a type that is used more than once is in
            ``$defs`` if that makes the schema shorter.
        transforms: Functions ``(schema, report) -> schema`` that rewrite a finished schema, in
            order; ``report(path, message)`` reports an unsupported part. See
            ``milo_schema.transforms``.
        choices: How to write choices with texts: as an ``"enum"``, without the texts; or as
            ``oneOf`` with a ``const`` for each value, and its text as its ``"title"`` or its
            ``"description"``. A member of an Enum is described by the docstring of its class or
            by a string below the member, and ``Annotated[Literal["a"], Description("...")]`` in
            a union by its description.
        docstrings: When the docstring of a function describes a parameter: ``"last"``, if its
            annotation does not; ``"first"``, even if its annotation does; or ``"never"``, which
            includes the descriptions of the tool and its output.
        docstring_style: The only style of the sections in the docstring of a function. What looks
            like a section of another style is then part of the description.
        attribute_docstrings: Whether a string below a field of a class describes the field. Python
            does not keep such strings, so this reads the source, if it is available.
        bare_descriptions: Whether a bare string in ``Annotated`` is a description.
        tool_description: The parts of a docstring that describe a tool, in order: the
            ``"summary"``, which is the first paragraph; the ``"first_line"``; the ``"prose"``
            outside of sections; ``"returns"``, ``"raises"``, ``"examples"``; or the whole
            ``"docstring"``. A docstring without the first of them describes nothing.
        unset_hints: The value of the hints of a tool that are not set, as those of
            ``ToolAnnotations`` may be; ``None`` leaves them out.
        outputs: Whether there are output schemas; or the fields that differ for outputs, with
            their values: ``{"closed": "nothing", "docstrings": "never"}``. ``replace()`` adds them
            to those that the profile has.
        generators: The output of a generator function: each ``"item"``, as separate outputs; a
            ``"list"`` of all items; or ``"nothing"``, without a schema.
        output_formats: Which strings in an output schema have a ``format``: ``"all"`` that have
            one in an input schema, or only those that are ``"certain"`` to fit it. A ``datetime``
            may lack the offset from UTC that the format ``date-time`` requires.
        null_outputs: What ``-> None`` means: that there is no output (``"none"``); that the output
            is null, with a ``"schema"``; or that an output schema is ``"missing"``, as checks say.
        opaque_outputs: Classes, given as in *injected_classes*, that have no output schema, not
            even in a container: they are content, which clients read directly. Also functions
            ``(annotation, schema)``; an output has no schema if one returns true.
        output_signals: Classes, given in the same way, that are left out of output schemas: they
            tell a client what to do next.
        box: If not ``None``, an output that is not an object is wrapped in one, as the property
            ``result``; the object has these additional keywords. With a tuple of the keywords and
            functions ``(annotation, schema)``, an object is wrapped, too, if one returns true.
        text: The text of a result, next to its structured content. With ``"plain"``, a string is
            written as it is, and any other value as JSON without its box; with ``"json"``, the
            text is the serialized structured content; with ``"always"``, it is as with
            ``"plain"``, and a result without output has an empty text.
        structured: Which results have structured content: those with an output ``"schema"``; or
            ``"always"``, which means all but strings, or only objects if there is a *box*.
        result_type: The ``resultType`` of results, which MCP requires since 2026-07-28; ``None``
            leaves it out.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> mine = profiles.MCP.replace(name="mine").with_injected(names={"session"})
        >>> def greet(name: str, session: object): ...
        >>> sorted(function_to_schema(greet, profile=mine)["properties"])
        ['name']
    """

    name: str

    # values: which values a schema accepts, and what arguments may be
    closed: Closed = _one_of(*get_args(Closed))
    unwrap_none: UnwrapNone = field(
        default=False, converter=partial(one_of, options=(True, False, "if_default"))
    )
    optional: Optionals = _one_of(*get_args(Optionals))
    unknown_arguments: UnknownArguments = _one_of(*get_args(UnknownArguments))
    variadics: Variadics = _one_of(*get_args(Variadics))
    flatten: bool = False

    # injection: the parameters that the framework fills in
    injected_names: frozenset[str] = field(default=(), converter=to_names)
    injected_classes: frozenset[str | type] = field(default=(), converter=to_classes)
    injected_if: tuple[Predicate, ...] = field(default=(), converter=functions)

    # types: what an annotation means
    types: Mapping[Any, TypeSchema] = field(
        default={}, converter=partial(by_type, what="a schema or a function", takes=(dict,))
    )
    markers: Mapping[type | str, MarkerReader] = field(
        default={}, converter=partial(by_type, what="a function")
    )
    decoders: Mapping[Any, Callable[[Any], Any]] = field(default={}, converter=codecs)
    encoders: Mapping[Any, Callable[[Any], Any]] = field(default={}, converter=codecs)
    unknown: Mapping[str, Any] | UnknownSchema = field(
        default={}, converter=partial(keywords, others=("a function",))
    )
    untyped: Mapping[str, Any] | str | None = field(
        default={}, converter=partial(keywords, others=("None", "a string"))
    )
    failure: Failure = _one_of(*get_args(Failure))
    aliases: Aliases = _one_of(*get_args(Aliases))

    # texts and spelling: how a schema is written
    inline: Inline = _one_of(True, False, "auto")
    transforms: tuple[Transform, ...] = field(default=(), converter=functions)
    choices: Choices = _one_of(*get_args(Choices))
    docstrings: Docstrings = _one_of(*get_args(Docstrings))
    docstring_style: DocstringStyle = _one_of(*get_args(DocstringStyle))
    attribute_docstrings: bool = False
    bare_descriptions: bool = True
    tool_description: tuple[Section, ...] = field(
        default=("prose", "examples"), converter=partial(some_of, options=get_args(Section))
    )
    unset_hints: bool | None = _one_of(None, False, True)

    # results: the output of a function
    outputs: bool | Mapping[str, Any] = field(default=True, converter=flag_or_fields)
    generators: Generators = _one_of(*get_args(Generators))
    output_formats: OutputFormats = _one_of(*get_args(OutputFormats))
    null_outputs: NullOutputs = _one_of(*get_args(NullOutputs))
    opaque_outputs: frozenset[str | type | OutputPredicate] = field(
        default=_MCP_CONTENT, converter=partial(to_classes, or_functions=True)
    )
    output_signals: frozenset[str | type] = field(default=_MCP_SIGNALS, converter=to_classes)
    box: Box | None = field(default=None, converter=to_box)
    text: Text = _one_of(*get_args(Text))
    structured: Structured = _one_of(*get_args(Structured))
    result_type: str | None = None

    __slots__ = {  # these are not fields
        "_origin": "The profile that this one was made from, if it was.",
        "_packages": "The packages of the classes in ``markers``.",
        "class_sets": "The classes in fields, by the name of the field, sorted to find one.",
        "for_outputs": "The profile that outputs have, with what ``outputs`` changes.",
    }
    _origin: Profile | None
    for_outputs: Profile
    class_sets: Mapping[str, Classes]
    _packages: frozenset[str]

    def __init__(
        self,
        *,
        name: str,
        _origin_of: Callable[[str], Profile] | None = None,
        **fields: Unpack[ProfileFields],
    ) -> None:
        super().__init__(name=name, **fields)
        object.__setattr__(self, "_origin", _origin_of and _origin_of(name))
        sets = {each: Classes(vars(self)[each]) for each in _OF_CLASSES}
        object.__setattr__(self, "class_sets", sets)
        packages = (each.partition(".")[0] if type(each) is str else "" for each in self.markers)
        object.__setattr__(self, "_packages", frozenset(each or "builtins" for each in packages))
        changes = self.outputs
        outputs = self if isinstance(changes, bool) else self.replace(**changes, outputs=True)
        object.__setattr__(self, "for_outputs", outputs)

    def __eq__(self, other: object) -> bool:
        """Whether another profile has the same fields; a built-in one equals its copies."""
        return self is other or super().__eq__(other)

    def __hash__(self) -> int:  # type: ignore[override]  # other values have none
        return hash(self.name)

    def __repr__(self) -> str:
        if (origin := self._origin) is None:
            return f"<Profile {self.name}>"
        name = self.name if self.name == origin.name else f"{self.name}: {origin.name}"
        changes = ", ".join(_differences(self, origin))
        return f"<Profile {name} with {changes}>" if changes else f"<Profile {name}>"

    def _origin_of(self, name: str) -> Profile:
        """The profile that one of this name, which replaces this one, was made from."""
        if self._origin is None or self.name not in (name, self._origin.name):
            return self
        return self._origin  # a profile with the same name is only an intermediate step

    @property
    def may_have_markers(self) -> bool:
        """Whether a class in ``markers`` may be loaded, so that there can be instances."""
        return not sys.modules.keys().isdisjoint(self._packages)

    @property
    def dialect(self) -> str | None:
        """The dialect that the transforms write schemas in, such as ``"gemini"``, if any."""
        dialects = [each.name for each in self.transforms if isinstance(each, InDialect)]
        return dialects[-1] if dialects else None

    def injects(self, key: Any) -> bool:
        """Whether the profile declares a name or a class of injected parameters."""
        if is_class(key):
            return self.class_sets["injected_classes"].match(key)
        return key in self.injected_names

    def replace(  # type: ignore[override]
        self, *, name: str = "", **changes: Unpack[ProfileFields]
    ) -> Profile:
        """A new profile with other values for some fields.

        Args:
            name: The name of the new profile; by default, that of this one.
            **changes: Other fields, and their values.

        Returns:
            The new profile; this one is not changed.

        Raises:
            TypeError: There is no such field.
            ValueError: A value is not an option of its field.

        Example:
            >>> from milo_schema import profiles
            >>> profiles.MCP.replace(name="mine", closed="everything").closed
            'everything'
        """
        outputs: Any = changes.get("outputs")
        if isinstance(self.outputs, Mapping) and isinstance(outputs, Mapping):
            outputs = {**self.outputs, **outputs}
            changes["outputs"] = outputs
        return super().replace(name=self.name if name == "" else name, **changes)

    def with_types(self, types: Mapping[Any, TypeSchema]) -> Profile:
        """A new profile with its own schemas for some types and their subclasses.

        Args:
            types: Maps each type to its schema, or to a function ``(annotation, walk) -> schema``,
                which may call ``walk.schema(annotation)`` for the types inside. Instead of a
                class you can give its name, such as ``"shop.Money"``, to avoid the import.

        Returns:
            The new profile; this one is not changed.

        Raises:
            ValueError: A name has no dot.

        Example:
            >>> from milo_schema import profiles, type_to_schema
            >>> class Money: ...
            >>> shop = profiles.MILO.with_types({Money: {"type": "string"}})
            >>> type_to_schema(list[Money], profile=shop)
            {'type': 'array', 'items': {'type': 'string'}}
        """
        return self.replace(types={**self.types, **types})

    def with_markers(self, markers: Mapping[type | str, MarkerReader]) -> Profile:
        """A new profile that understands more classes of metadata in ``Annotated``.

        Args:
            markers: Maps each class, including its subclasses, to a function that gets a piece
                of metadata and returns a list of markers of this library. Instead of a class you
                can give its name, such as ``"cli.Range"``. An instance that is the default of a
                parameter is read, too. It is not a value: the default is that of the ``Default``
                in the list, if there is one.

        Returns:
            The new profile; this one is not changed.

        Raises:
            ValueError: A name has no dot, or a value is not a function.

        Example:
            >>> from typing import Annotated
            >>> from milo_schema import Ge, Le, profiles, type_to_schema
            >>> class Range:
            ...     def __init__(self, low: int, high: int) -> None:
            ...         self.low, self.high = low, high
            >>> mine = profiles.MCP.with_markers({Range: lambda it: [Ge(it.low), Le(it.high)]})
            >>> type_to_schema(Annotated[int, Range(1, 6)], profile=mine)
            {'type': 'integer', 'minimum': 1, 'maximum': 6}
        """
        return self.replace(markers={**self.markers, **markers})

    def with_injected(
        self,
        *,
        names: Collection[str] = (),
        classes: Collection[str | type] | type = (),
        predicates: Collection[Predicate] | Predicate = (),
    ) -> Profile:
        """A new profile that leaves out more parameters, because the framework fills them in.

        In contrast, ``replace(injected_classes=...)`` drops those of this profile.

        Args:
            names: Names of parameters.
            classes: Classes, or names of classes, in the annotations of parameters.
            predicates: A function, or several, that gets a parameter and decides whether it is
                left out.

        Returns:
            The new profile; this one is not changed.

        Example:
            >>> from milo_schema import function_to_schema, profiles
            >>> class Session: ...
            >>> mine = profiles.MCP.with_injected(names={"request"}, classes={Session})
            >>> def greet(name: str, request: object, session: Session | None): ...
            >>> sorted(function_to_schema(greet, profile=mine)["properties"])
            ['name']
        """
        return self.replace(
            injected_names=self.injected_names | to_names("names", names),
            injected_classes=self.injected_classes | to_classes("classes", classes),
            injected_if=(*self.injected_if, *functions("predicates", predicates)),
        )


def _differences(profile: Profile, origin: Profile) -> list[str]:
    """The fields, except the name, that differ from those of another profile, as short texts."""
    from reprlib import Repr

    class Short(Repr):
        def repr_function(self, value: Any, _level: int) -> str:
            return str(value.__name__)

        def repr_ReadOnly(self, value: Any, level: int) -> str:  # noqa: N802
            return self.repr_dict(value, level)

        def repr_set(self, value: Any, level: int) -> str:
            """The members in the same order in every process, functions among them."""
            texts = sorted(self.repr1(each, level - 1) for each in value)
            texts[self.maxset :] = ["..."] * (len(texts) > self.maxset)
            return f"{{{', '.join(texts)}}}" if texts else "set()"

    return [
        f"{name}={Short().repr(set(value) if isinstance(value, frozenset) else value)}"
        for name, value in vars(profile).items()
        if value != vars(origin)[name] and name != "name"
    ]


def _command_line(piece: Any) -> list[Any]:
    """The hint in a marker of milo-cli for a command line, which is written as ``x-milo-cli``."""
    found: list[Any] = library("milo").command_line(piece)
    return found


MILO = Profile(
    name="MILO",
    unknown={"type": "string"},
    untyped={"type": "string"},
    unwrap_none=True,
    injected_names={"ctx"},
    injected_classes={"Context"},
    markers={"milo.schema.Positional": _command_line, "milo.schema.Option": _command_line},
    bare_descriptions=False,
    structured="always",
)
"""The default of functions and types: the contract of milo; open objects, no null."""


CONTEXTS = (
    "mcp.server.mcpserver.Context",  # of the SDK
    "mcp.server.fastmcp.Context",  # of the SDK before version 2
    "fastmcp.Context",
    "fastmcp.server.sessions.UserSession",
)
"""The classes that MCP's server frameworks fill in, by their public names."""

MCP = Profile(
    name="MCP",
    closed="parameters",
    variadics="open",
    injected_classes=CONTEXTS,
    generators="list",
    output_formats="certain",
    structured="always",
    result_type="complete",
)
"""The default of tools: exactly the JSON values that the type allows (MCP 2026-07-28)."""


def check_profile(profile: object) -> None:
    """Refuse anything but a profile: ``"MCP"`` is only the name of one."""
    if not inherits(type(profile), Profile):
        reason = f"profile must be a Profile, such as profiles.MCP, not {shown(profile)}"
        raise SchemaError(reason)
