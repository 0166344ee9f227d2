"""The class of profiles, and the default one. ``profiles`` has all the others."""

from __future__ import annotations

from milo_schema.annotations import Any, Callable, Collection, Late, Mapping, Unpack
from milo_schema.annotations.classes import Classes
from milo_schema.errors import Report
from milo_schema.frozen import (
    Frozen,
    by_type,
    field,
    flag_or_fields,
    functions,
    keywords,
    one_of,
    read_only,
    some_of,
    to_classes,
    to_names,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import profile_fields as typed
else:
    typed = Late("milo_schema.profile_fields")


def _of_mcp(*names: str) -> frozenset[str]:
    """Classes of the MCP SDK: version 2 has them in a separate package."""
    return frozenset(f"{module}.{name}" for module in ("mcp.types", "mcp_types") for name in names)


CONTENT = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")
_MCP_CONTENT = _of_mcp(*CONTENT, "CallToolResult") | {
    # The classes that the frameworks turn into content.
    "mcp.server.fastmcp.Image",
    "mcp.server.fastmcp.Audio",
    "mcp.server.mcpserver.Image",
    "mcp.server.mcpserver.Audio",
    "fastmcp.utilities.types.Image",
    "fastmcp.utilities.types.Audio",
    "fastmcp.utilities.types.File",
    "fastmcp.tools.ToolResult",
}
_MCP_SIGNALS = _of_mcp("InputRequiredResult", "CreateTaskResult")


def count_aliases(aliases: typed.Aliases, *, output: bool) -> bool:
    """Whether ``Profile.aliases`` uses aliases in inputs, or in outputs."""
    return aliases == "everywhere" or (aliases == "inputs" and not output)


class InDialect(Frozen):
    """A transform of the package ``dialects``, which is loaded when it is first used."""

    name: str

    def __call__(self, schema: dict[str, Any], report: Report) -> dict[str, Any]:
        """Spell a schema in the dialect."""
        from milo_schema import dialects

        result: dict[str, Any] = getattr(dialects, self.name)(schema, report)
        return result


_SECTIONS = ("first_line", "summary", "prose", "returns", "raises", "examples", "docstring")
_UNWRAP_NONE = (True, False, "if_default")
_INLINE: tuple[typed.Inline, ...] = (True, False, "auto")


class Profile(Frozen, kw_only=True, checked=True):
    """The rules by which schemas are written: frozen, and derived with ``replace()``.

    Most profiles are made of the first group of fields. Those under *Other Parameters* spell the
    contracts of other systems, and you can pass over them until you need one.

    Args:
        name: What the profile is called.
        unknown: What an annotation without a schema becomes outside of strict mode. Or a function
            ``(annotation, walk) -> schema``, which is asked about each annotation that no rule is
            for; if it returns ``None``, there is no schema. ``walk.record(annotation)`` gives the
            schema of any annotated class.
        unwrap_none: Whether ``T | None`` of a parameter or field is ``T``; ``"if_default"``: only
            if ``None`` is its default.
        null_defaults: Whether ``= None`` is written as ``"default": null``.
        closed: Which objects refuse further properties: ``"nothing"``, the ``"parameters"`` of
            a function, or ``"everything"``.
        variadics: What ``*args`` and ``**kwargs`` become: nothing (``"omit"``); further
            properties for ``**kwargs`` (``"open"``); an array and an object that have the names
            of these parameters (``"properties"``); or a failure (``"error"``).
        flatten: Whether the only parameter of a function gives way to its fields, if it is a record
            or a pydantic model and has no default.
        injected_names: Parameters of these names are filled in by the framework.
        injected_classes: So are parameters with a class of such a name, or derived from one, in
            their annotation. A dotted name, such as ``"mcp.server.mcpserver.Context"``, is that
            of one class; you can also give the class itself.
        injected_if: So are parameters for which one of these functions returns true. It gets the
            parameter, which has a ``name``, an ``annotation`` and a ``default``.
        inline: Whether named types stand in their places, apart from recursive ones and what
            would grow out of proportion; otherwise all are in ``$defs``. With ``"auto"``, those
            are in ``$defs`` that are used more than once, where that makes the schema shorter.
        aliases: Where the aliases of pydantic's ``Field(alias=...)`` name fields and parameters:
            ``"everywhere"``, in ``"inputs"`` only, which is pydantic's own choice when it writes
            values, or ``"nowhere"``.
        types: What types become that are not to be looked into; see ``with_types()``.
        markers: What metadata in ``Annotated`` stand for; see ``with_markers()``.
        decoders: For types, functions that make their values from JSON, in addition to those that
            are passed to ``bind()``.
        encoders: For types, functions that put their values into JSON, likewise for results.
        transforms: Functions ``(schema, report) -> schema`` over finished schemas, applied in
            order; ``report(path, reason)`` reports a part that is not supported. See
            ``milo_schema.transforms``.
        optional: What clients send for a property that has a default, where they have to send
            every property, as in OpenAI's strict mode: ``"null"`` wherever its own type does not
            fit, or a value of its own type: ``"required"``. With the latter, whatever takes
            arguments requires every property.
        max_depth: How deep an annotation may be nested.
        max_subschemas: How many annotations one schema may be made of, those of named types
            counted once.

    Other Parameters:
        untyped: What a missing annotation becomes outside of strict mode; ``None``: an error.
        failure: What becomes of an annotation that has no schema: ``"warn"`` and make do with
            *unknown*, an ``"error"``, or an ``"open"`` object for the whole function.
        undescribed: The description of a parameter that has none, with ``{name}`` in it;
            ``None``: an error.
        undescribed_tool: The same for a tool, with its name.
        docstrings: Whether the docstring of a function describes a parameter ``"last"``, where its
            annotation does not; ``"first"``, whatever the annotation says; or ``"never"``: then it
            does not describe the tool or its output either.
        attribute_docstrings: Whether a string below a field of a class describes the field. Python
            does not keep such strings, so this reads the source; without one, nothing is described.
        tool_description: The parts of a docstring that describe a tool, in order: ``"summary"``,
            which is the first paragraph, ``"first_line"``, ``"prose"``, which is all outside of the
            sections, ``"returns"``, ``"raises"``, ``"examples"``, or all as ``"docstring"``. A
            docstring without the first of them describes nothing.
        bare_descriptions: Whether a bare string in ``Annotated`` is a description.
        outputs: Whether there are output schemas; or the fields that differ for outputs, with
            their values: ``{"closed": "nothing", "failure": "error"}``.
        generators: What a generator function outputs: each ``"item"``, as one output after the
            other, a ``"list"`` of all items, or ``"nothing"`` that has a schema.
        output_docs: Whether what the docstring says of the output describes it.
        opaque_outputs: Classes, as in *injected_classes*, of which no output schema is given,
            nor of a container of them: they are content, which goes to the client as it is.
        opaque_if: Nor is one given if one of these functions ``(annotation, schema)`` returns true.
        output_signals: Classes, likewise, that are left out of output schemas: they tell
            a client what to do next.
        box: If not ``None``, an output that is not an object is put into the property ``result`` of
            one, with these further keywords.
        box_if: So is an object if one of these functions ``(annotation, schema)`` returns true.
        null_is_absent: Whether ``null`` in arguments stands for "left out", where a property is
            optional and its own type has no null; see ``milo_schema.arguments``.

    Example:
        >>> from milo_schema import function_to_schema, profiles
        >>> mine = profiles.MCP.replace(name="mine").with_injected(names={"session"})
        >>> def greet(name: str, session: object): ...
        >>> sorted(function_to_schema(greet, profile=mine)["properties"])
        ['name']
    """

    name: str
    unknown: Mapping[str, Any] | typed.UnknownSchema = field(
        default={}, converter=keywords("unknown", function=True)
    )
    unwrap_none: typed.UnwrapNone = field(
        default=False, converter=one_of("unwrap_none", *_UNWRAP_NONE)
    )
    null_defaults: bool = True
    closed: typed.Closed = field(
        default="nothing", converter=one_of("closed", "nothing", "parameters", "everything")
    )
    variadics: typed.Variadics = field(
        default="omit", converter=one_of("variadics", "omit", "open", "properties", "error")
    )
    flatten: bool = False
    injected_names: frozenset[str] = field(default=(), converter=to_names)
    injected_classes: Classes = field(default=(), converter=to_classes)
    injected_if: tuple[typed.Predicate, ...] = field(default=(), converter=functions("injected_if"))
    inline: typed.Inline = field(default=True, converter=one_of("inline", *_INLINE))
    aliases: typed.Aliases = field(
        default="everywhere", converter=one_of("aliases", "everywhere", "inputs", "nowhere")
    )
    types: Mapping[Any, typed.TypeSchema] = field(
        default={}, converter=by_type("types", (dict,), "a schema or a function")
    )
    markers: Mapping[type | str, typed.MarkerReader] = field(
        default={}, converter=by_type("markers", (), "a function")
    )
    decoders: Mapping[Any, Callable[[Any], Any]] = field(default={}, converter=read_only)
    encoders: Mapping[Any, Callable[[Any], Any]] = field(default={}, converter=read_only)
    transforms: tuple[typed.Transform, ...] = field(default=(), converter=functions("transforms"))
    optional: typed.Optionals = field(
        default="null", converter=one_of("optional", "null", "required")
    )
    max_depth: int = 128
    max_subschemas: int = 50_000

    # For the contracts of other systems.
    untyped: Mapping[str, Any] | None = field(default={}, converter=keywords("untyped", none=True))
    failure: typed.Failure = field(
        default="warn", converter=one_of("failure", "warn", "error", "open")
    )
    undescribed: str | None = ""
    undescribed_tool: str | None = ""
    docstrings: typed.Docstrings = field(
        default="last", converter=one_of("docstrings", "last", "first", "never")
    )
    attribute_docstrings: bool = False
    tool_description: tuple[typed.Section, ...] = field(
        default=("prose", "examples"), converter=some_of("tool_description", *_SECTIONS)
    )
    bare_descriptions: bool = True
    outputs: bool | Mapping[str, Any] = field(
        default=True, converter=flag_or_fields("outputs", "name")
    )
    generators: typed.Generators = field(
        default="item", converter=one_of("generators", "item", "list", "nothing")
    )
    output_docs: bool = True
    opaque_outputs: Classes = field(default=_MCP_CONTENT, converter=to_classes)
    opaque_if: tuple[typed.OutputPredicate, ...] = field(
        default=(), converter=functions("opaque_if")
    )
    output_signals: Classes = field(default=_MCP_SIGNALS, converter=to_classes)
    box: Mapping[str, Any] | None = field(default=None, converter=keywords("box", none=True))
    box_if: tuple[typed.OutputPredicate, ...] = field(default=(), converter=functions("box_if"))
    null_is_absent: bool = False

    if TYPE_CHECKING:
        for_outputs: Profile
        _origin: Profile | None

        def __init__(self, *, name: str, **fields: Unpack[typed.ProfileFields]) -> None: ...

    else:
        __slots__ = {
            "_origin": "The profile that this one was made from, if it was.",
            "for_outputs": "The profile that outputs have, with what ``outputs`` changes.",
        }

        def __init__(self, *values: Any, **fields: Any) -> None:
            super().__init__(*values, **fields)
            object.__setattr__(self, "_origin", None)
            changes = self.outputs
            outputs = self if type(changes) is bool else self.replace(**changes, outputs=True)
            object.__setattr__(self, "for_outputs", outputs)

    def __eq__(self, other: object) -> bool:
        """A framework may key a cache with a profile, so each is equal to itself alone."""
        return self is other

    def __hash__(self) -> int:  # type: ignore[override]  # other values have none
        return id(self)

    def __repr__(self) -> str:
        if (origin := self._origin) is None:
            return f"<Profile {self.name}>"
        name = self.name if self.name == origin.name else f"{self.name}: {origin.name}"
        changes = ", ".join(self.differences(origin))
        return f"<Profile {name} with {changes}>" if changes else f"<Profile {name}>"

    @property
    def dialect(self) -> str | None:
        """The dialect that the transforms respell schemas in, such as ``"gemini"``, if any."""
        dialects = [each.name for each in self.transforms if isinstance(each, InDialect)]
        return dialects[-1] if dialects else None

    def replace(self, **changes: Unpack[typed.ProfileChanges]) -> Profile:  # type: ignore[override]
        """A new profile that differs in some fields.

        Args:
            **changes: Fields and their values.

        Returns:
            The profile; this one stays as it is.

        Raises:
            TypeError: There is no such field.
            ValueError: A field has no such option.

        Example:
            >>> from milo_schema import profiles
            >>> profiles.MCP.replace(name="mine", closed="everything").closed
            'everything'
        """
        made = super().replace(**changes)
        # One that keeps the name is only a step on the way from the origin to the result.
        is_step = self._origin is not None and self.name in {made.name, self._origin.name}
        object.__setattr__(made, "_origin", self._origin if is_step else self)
        return made

    def with_types(self, types: Mapping[Any, typed.TypeSchema]) -> Profile:
        """A new profile that describes some types, and their subclasses, in its own way.

        Args:
            types: For each type its schema, or a function ``(annotation, walk) -> schema``,
                which may use ``walk.schema(annotation)`` for the types it is made of. You can
                name a class instead, such as ``"shop.Money"``, so that its module is not imported.

        Returns:
            The profile; this one stays as it is.

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

    def with_markers(self, markers: Mapping[type | str, typed.MarkerReader]) -> Profile:
        """A new profile that understands further classes of metadata in ``Annotated``.

        Args:
            markers: For each class, of which subclasses count as well, a function of a piece of
                metadata that returns what it stands for: a list of markers of this library. You
                can name a class instead, such as ``"cli.Range"``.

        Returns:
            The profile; this one stays as it is.

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
        predicates: Collection[typed.Predicate] = (),
    ) -> Profile:
        """A new profile that leaves out further parameters, which the framework fills in.

        ``replace(injected_classes=...)`` would forget those that this profile leaves out already.

        Args:
            names: Names of parameters.
            classes: Classes, or names of classes, in the annotations of parameters.
            predicates: Functions of a parameter that say whether it is left out.

        Returns:
            The profile; this one stays as it is.

        Example:
            >>> from milo_schema import function_to_schema, profiles
            >>> class Session: ...
            >>> mine = profiles.MCP.with_injected(names={"request"}, classes={Session})
            >>> def greet(name: str, request: object, session: Session | None): ...
            >>> sorted(function_to_schema(greet, profile=mine)["properties"])
            ['name']
        """
        return self.replace(
            injected_names=self.injected_names | to_names(names),
            injected_classes=self.injected_classes | to_classes(classes),
            injected_if=(*self.injected_if, *predicates),
        )


MILO = Profile(
    name="MILO",
    unknown={"type": "string"},
    untyped={"type": "string"},
    unwrap_none=True,
    injected_names={"ctx"},
    injected_classes={"Context"},
    bare_descriptions=False,
)
"""The default: the contract of milo's ``function_to_schema()``. Open objects, no null."""
