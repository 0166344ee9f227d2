"""Generate a Python module from a stream of choices, for a fuzzer to derive schemas from.

All is source text first, by a grammar, so a case that is found reads as a reproducer. A module is
a list of statements; one that raises is left out, and what it would have named is missing from
then on, as it happens. The driver decides what a choice is: ``below(n)`` is a number from 0
to n - 1.
"""

import __future__

import contextlib
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from tests.tools.fuzz import objects

Below = Callable[[int], int]

GRAMMAR_TEXT = {
    "type": r"""
        int
        str
        float
        bool
        None
        <leaf>
        <leaf>
        <name>
        <name>
        list[<type>]
        dict[str, <type>]
        <type> | None
        <type> | <type>
        Annotated[<type>, <marker>]
        Annotated[<type>, <marker>, <marker>]
        Literal[<value>]
        Literal[<value>, <value>]
        <quoted>
        <quoted>
        <hostile>
        <form>
        <form>
        <form>
        <wrong>
        """,
    "leaf": r"""
        bytes
        object
        Any
        list
        dict
        tuple
        set
        frozenset
        complex
        type
        T
        B
        C
        P
        P.args
        Ts
        datetime.datetime
        datetime.timedelta
        decimal.Decimal
        uuid.UUID
        pathlib.Path
        re.Pattern
        ipaddress.IPv4Address
        fractions.Fraction
        collections.Counter
        collections.namedtuple('N', 'a b')
        enum.Enum
        typing.Self
        typing.Never
        typing.LiteralString
        typing.AnyStr
        typing.List
        typing.Hashable
        typing.NamedTuple
        te.TypedDict
        te.Buffer
        te.Sentinel('S')
        Callable
        Generic
        Generic[T]
        Protocol
        dataclasses.InitVar
        msgspec.UNSET
        Missing
        missing.Missing
        typing
        ...
        ()
        []
        {}
        3
        """,
    "form": r"""
        set[<type>]
        tuple[<type>, ...]
        tuple[<type>, <type>]
        tuple[()]
        dict[<type>, <type>]
        Optional[<type>]
        Union[<type>, <type>, None]
        typing.List[<type>]
        typing.Mapping[<type>, <type>]
        typing.Iterable[<type>]
        typing.Type[<type>]
        collections.Counter[<type>]
        collections.deque[<type>]
        types.MappingProxyType[str, <type>]
        Callable[[<type>, <type>], <type>]
        Callable[..., <type>]
        type[<type>]
        typing.Concatenate[<type>, P]
        typing.Awaitable[<type>]
        typing.Generator[<type>, <type>, <type>]
        typing.AsyncIterator[<type>]
        te.TypeIs[<type>]
        Final[<type>]
        ClassVar[<type>]
        te.Required[<type>]
        te.NotRequired[<type>]
        te.ReadOnly[<type>]
        dataclasses.InitVar[<type>]
        te.Unpack[<type>]
        te.Unpack[Ts]
        tuple[<type>, te.Unpack[tuple[<type>, ...]], <type>]
        tuple[*tuple[<type>, ...], <type>]
        NewType('N', <type>)
        te.TypeAliasType('A', <type>)
        te.TypeAliasType('A', list[<type>], type_params=(T,))[<type>]
        TypeVar('V', bound=<type>)
        te.TypeVar('V', default=<type>)
        ForwardRef(<quoted>)
        dataclasses.make_dataclass('D', [('x', <type>), ('y', <type>, <value>)])
        te.TypedDict('D', {'x': <type>, 'not-a name': <type>}, total=<bool>)
        NamedTuple('D', [('x', <type>), ('y', <type>)])
        enum.Enum('E', {'A': <value>, 'B': <value>})
        <name>[<type>]
        <name>[<type>, <type>]
        pairs(<few>, <type>)
        lists(<count>, <type>)
        options(<count>, <type>)
        callables(<few>, <type>)
        notes(<count>, <type>)
        quotes(<count>, <quoted>)
        aliases(<count>, <type>)
        """,
    "wrong": r"""
        alias(list, <type>, <type>)
        alias(dict, <type>)
        alias(<type>, <type>)
        alias(Union, <type>, <type>)
        alias(Annotated, <type>, <value>)
        alias(Annotated, <type>, <hostile>)
        alias(Literal, <value>, <hostile>)
        alias(tuple, <type>, ..., <type>)
        alias(te.Required, <type>, <type>)
        alias(te.Unpack, <type>)
        alias(Callable, <type>)
        body(__annotations__=<value>)
        body(__orig_bases__=(<type>,))
        body(list, __orig_bases__=(list[<type>],))
        body(dict, __orig_bases__=(<type>,))
        body(tuple, _fields=('a', 'b'), __annotations__={'a': <type>})
        body(__dataclass_fields__={'x': <value>})
        body(__parameters__=(T,), __class_getitem__=classmethod(alias))[<type>]
        says(**<keywords>)
        hook(lambda cls, walk: walk.schema(<type>, '.x'))
        hook(lambda cls, walk: {'items': walk.schema(<type>), 'default': <value>})
        hook(lambda cls, walk: {'default': doubled()})
        unittest.mock.Mock(spec=<type>)
        unittest.mock.Mock(__origin__=<type>, __args__=(<type>,))
        """,
    "marker": r"""
        <value>
        <hostile>
        m.MinLen.unchecked(<value>)
        m.MaxLen.unchecked(<value>)
        m.Ge.unchecked(<value>)
        m.Lt.unchecked(<value>)
        m.MultipleOf.unchecked(<value>)
        m.Pattern.unchecked(<text>)
        m.Description.unchecked(<text>)
        m.Title.unchecked(<value>)
        m.Format.unchecked(<text>)
        m.Examples(<value>)
        m.Deprecated(<value>)
        m.Schema.unchecked(<keywords>)
        m.Injected
        annotated_types.Interval(gt=<value>, le=<value>)
        annotated_types.Len(<value>)
        annotated_types.Unit(<value>)
        annotated_types.doc(<text>)
        pydantic.Field(<value>, description=<text>)
        pydantic.Field(default_factory=fail, ge=1, pattern=<text>, json_schema_extra=<keywords>)
        msgspec.Meta(ge=1, title=<text>, examples=[<value>], extra_json_schema=<keywords>)
        te.Doc(<text>)
        slice(<value>)
        """,
    "keywords": r"""
        {'x-a': <value>}
        {'type': 'string', 'default': <value>}
        {'type': ['string', 'null'], 'minLength': 1}
        {'anyOf': [{'type': 'string'}, {'enum': [<value>]}]}
        {'properties': {'a': {'type': 'integer'}}, 'required': ['a']}
        {'not': {'const': <value>}, 'description': <text>}
        {'items': True, 'additionalProperties': False}
        {'anyOf': [True, {'type': 'string'}], 'properties': {'a': True, 'b': False}}
        {'allOf': [False], 'prefixItems': [True], 'not': True, 'contains': False}
        {'$defs': {'A': {'type': 'string'}}}
        """,
    "value": r"""
        None
        0
        1
        -1
        True
        1.5
        'a'
        'b'
        b'x'
        [1, 'a', None]
        (1, 2)
        {'a': 1}
        {1: <value>}
        {3, 1, 2}
        [<value>, <value>]
        float('nan')
        float('inf')
        1e308
        10**30
        10**5_000
        '\ud800'
        ...
        object()
        cycle()
        nested(lambda x: [x], 100)
        datetime.datetime(2020, 1, 2)
        datetime.timedelta(-1, 5)
        decimal.Decimal('NaN')
        RaisingMember.A
        Fails()
        Counting()
        DeceitfulInt(1)
        DeceitfulList([1])
        DeceitfulDict(a=1)
        DeceitfulString('x')
        re.compile('a')
        <text>
        <hostile>
        <type>
        """,
    "plain value": r"""
        None
        0
        1
        -1
        True
        1.5
        'a'
        'b'
        [1, 'a', None]
        (1, 2)
        {'a': 1}
        {3, 1, 2}
        datetime.datetime(2020, 1, 2)
        decimal.Decimal('1.5')
        """,
    "text": r"""
        ''
        'A text.'
        '^[a-z]+$'
        '('
        '(?P<a>x)(?P=a)'
        '\\Z[\\w]{2,1}'
        'x' * 5_000
        '\0 \u2028 \ud800 é'
        5
        """,
    "quoted": r"""
        'Missing'
        'A'
        'list[A]'
        'AROUND'
        'list[AROUND]'
        'fail()'
        'leave()'
        'recurse()'
        '1/0'
        '__import__("no_such_module")'
        'exec("raise KeyError")'
        '[' * 5_000
        'int | ' * 500 + 'int'
        'list[' * 40 + 'int' + ']' * 40
        """,
    "count": "2\n5\n12\n40\n200",
    "few": "2\n3\n6",  # Python's own hash of an object with shared parts doubles with each level
    "bool": "True\nFalse",
    "name": "A\nE\nF\nG\nH",
    "hostile": "\n".join(f"ANNOTATIONS[{key!r}]" for key in objects.ANNOTATIONS),
    "class": r"""
        @dataclass<options>\nclass <name>:\n    <doc>\n    x: <type>\n    y: <type> = <value>
        @dataclass\nclass <name>(Generic[T]):\n    x: <type>\n    y: T\n    z: 'list[A[T]] | None'
        @dataclass\nclass <name>(<name>):\n    x: <type> = field(default_factory=fail)\n    __doc__ = <text>
        @dataclass\nclass <name>:\n    x: InitVar[<type>]\n    y: ClassVar[<type>] = field(default=<value>, metadata=<value>)
        class <name>(te.TypedDict):\n    <doc>\n    x: <type>\n    y: te.NotRequired[<type>]
        class <name>(te.TypedDict, total=False, extra_items=<type>):\n    x: te.Required[<type>]
        class <name>(<name>):\n    y: <type>
        class <name>(<name>[<type>]):\n    <doc>
        class <name>(NamedTuple):\n    x: <type>\n    y: <type> = <value>
        class <name>(enum.Enum):\n    <doc>\n    P = <value>\n    Q = <value>
        class <name>(str, enum.Enum):\n    P = 'a'\n    Q = 'a'\n    R = <text>
        class <name>(enum.IntFlag):\n    P = 1\n    Q = 4
        class <name>(list[<type>]):\n    pass
        class <name>(Protocol):\n    x: <type>
        <name> = NewType('N', <type>)
        <name> = te.TypeAliasType('N', <type>)
        <name> = te.TypeAliasType('N', <quoted>)
        <name> = <type>
        @attrs.define\nclass <name>:\n    x: <type>\n    y: <type> = attrs.field(default=<value>)
        class <name>(msgspec.Struct<structs>):\n    x: <type>\n    y: <type> = None
        class <name>(pydantic.BaseModel):\n    <doc>\n    x: <type>\n    y: <type> = <value>
        class <name>:\n    __annotations__ = <value>
        class <name>:\n    def __init__(self, x: <type>, y: <type> = <value>): <doc>
        class <name>:\n    def __call__(self, x: <type>) -> <type>: <doc>
        class <name>(metaclass=LyingMeta):\n    x: <type>
        class <name>:\n    @classmethod\n    def __milo_schema__(cls, walk):\n        return {'items': walk.schema(<type>, '[]')}
        """,  # noqa: E501 - a line for each production
    "newer class": r"""
        type <name> = <type>
        type <name>[T] = list[<name>[<type>]] | T
        type <name>[T, *Us, **Q] = tuple[T, *Us]
        @dataclass\nclass <name>[T: <type>]:\n    x: T\n    y: <type>
        """,
    "options": "\n(frozen=True)\n(init=False)\n(slots=True, kw_only=True)\n(eq=False, repr=False)",
    "structs": "\n, tag=True\n, array_like=True\n, forbid_unknown_fields=True, rename='camel'",
    "target": r"""
        f
        f
        f
        f
        <name>
        <name>[<type>]
        CALLABLES[<callable>]
        functools.partial(f, <value>)
        functools.partial(f, b=<value>)
        functools.lru_cache(f)
        functools.wraps(f)(lambda *args: 0)
        functools.wraps(<name>)(f)
        functools.partialmethod(f)
        types.MethodType(f, <value>)
        types.MethodType(CALLABLES[<callable>], <value>)
        body(f=f, g=CALLABLES[<callable>])().f
        staticmethod(f)
        classmethod(f)
        <name>()
        body(__call__=f)()
        body(__call__=f, __signature__=<value>)()
        body(f=f)().f
        body(__init__=f)
        body(__new__=f)
        <type>
        <value>
        """,
    "callable": "\n".join(map(repr, objects.CALLABLES)),
    "damage": r"""
        f.__annotations__ = <value>
        f.__annotations__ = {'a': <type>, 'return': <hostile>}
        f.__annotations__['b'] = <type>
        f.__defaults__ = (<value>, <value>)
        f.__kwdefaults__ = {'a': <value>}
        f.__defaults__ = (doubled(), Endless())
        f.__doc__ = <value>
        f.__name__ = <text>
        f.__qualname__ = 'A.f'
        f.__qualname__ = 'f.<locals>.g'
        f.__module__ = <value>
        f.__wrapped__ = <target>
        A.f = wrapping_itself
        f.__signature__ = <value>
        f.__signature__ = inspect.Signature([inspect.Parameter('a', <kind>, annotation=<type>)])
        f.__type_params__ = (T, <type>)
        A.__annotations__ = <value>
        A.__doc__ = <text>
        A.__module__ = <value>
        A.__parameters__ = (T, <value>)
        A.__dataclass_fields__ = {'x': <value>}
        E.__orig_bases__ = (<type>, <name>)
        E.__milo_schema__ = CALLABLES[<callable>]
        """,
    "kind": "inspect.Parameter.KEYWORD_ONLY\ninspect.Parameter.VAR_KEYWORD",
    "parameter": "a\nb\nc\nself\ncls\nctx\ntitle\ntype\n_d\nñ\nlist",
    "doc": r"""
        '''A thing.'''
        '''A thing.\n\n    Args:\n        x: An x.\n        a (int): An a.\n    '''
        '''A thing.\n\n    :param a: An a.\n    :returns: More.\n    '''
        pass
        """,
    "line": r"""
        Do it.
        Args:
        Parameters
        ----------
        Returns:
        Yields
        Attributes:
        Raises:
            a: An a.
            a (int, optional): An a
                that goes on: and on.
        a : int, default: 3
        b, *args, **kwargs : list of str
            Text.
        :param int a: An a.
        :param a
        :type b: str
        :returns: More.
        @param a: An a.
        @return: More.
        - a: An a.
        * a -- An a.
        ```python
        >>> f(1)
        .. note:: Text.
        ::
        | a | b |
        \t\ta: \u2028 \x85 \0 \ud800
        ((((((((((((((((((((: (((((
        a (dict[str, list[int]]): `x: y` ``z``
        ====
        """,
}


def _productions(text: str) -> list[str]:
    """The lines of a rule; ``\\n`` in one is a line's end."""
    lines = text.strip("\n").splitlines() if text.startswith("\n        ") else text.split("\n")
    return [line.removeprefix(" " * 8).replace(r"\n", "\n") for line in lines if line != " " * 8]


GRAMMAR = {symbol: _productions(text) for symbol, text in GRAMMAR_TEXT.items()}
_SYMBOL = re.compile(f"<({'|'.join(GRAMMAR)})>")
ENDS = {
    symbol: [each for each in productions if not _SYMBOL.search(each)] or productions
    for symbol, productions in GRAMMAR.items()
}
"""An annotation that ends it when the depth is used up."""
TAME = {"hostile": "leaf", "wrong": "form", "value": "plain value"}
"""The bindings in half of the modules: ordinary code matters most."""
PEP695 = ["newer class"] if sys.version_info >= (3, 12) else []


class Source:
    """The source of a module from a stream of choices."""

    def __init__(self, below: Below) -> None:
        self.below = below
        self.is_tame = bool(below(2))

    def one(self, options: Any) -> Any:
        """One of several."""
        return options[self.below(len(options))]

    def expand(self, symbol: str, depth: int) -> str:
        """A text that the grammar has for *symbol*."""
        if self.is_tame:
            symbol = TAME.get(symbol, symbol)
        production = self.one((GRAMMAR if depth > 0 else ENDS)[symbol])
        if symbol == "quoted" and depth > 0 and self.below(2):
            return self._quoted(depth)
        return _SYMBOL.sub(lambda found: self.expand(found[1], depth - 1), production)

    def _quoted(self, depth: int) -> str:
        text = self.expand("type", depth - 1)
        if not self.below(8):  # spoiled
            at = self.below(len(text) + 1)
            text = text[:at] + self.one("[](,*:=\0 .'") + text[at + self.below(3) :]
        return repr(text)

    def docstring(self) -> str:
        """A docstring as an expression; some are a megabyte long."""
        depths = ("", "    ", "  ", "\t", "")
        lines = [self.one(depths) + self.one(GRAMMAR["line"]) for _ in range(self.below(12))]
        text = repr("\n".join(lines))
        return text if self.below(1_000) else f"({text} + '\\n') * {self.one((100, 1_000, 5_000))}"

    def signature(self) -> str:
        """Parameters in an order that Python allows, and the return annotation."""
        names = dict.fromkeys(self.expand("parameter", 1) for _ in range(self.below(5)))
        parameters = [f"{name}{self._annotation()}" for name in names]
        defaults = self.below(len(parameters) + 1)
        for i in range(defaults, len(parameters)):
            parameters[i] += f" = {self.expand('value', 1)}"
        if not self.below(6):
            parameters.insert(self.below(len(parameters)) + 1 if parameters else 0, "*")
        elif parameters and not self.below(12):
            parameters.insert(self.below(len(parameters)) + 1, "/")
        elif not self.below(4):
            parameters.append(f"*args{self._annotation()}")
        if not self.below(4):
            parameters.append(f"**kwargs{self._annotation()}")
        returns = f" -> {self.expand('type', 3)}" if self.below(3) else ""
        return f"({', '.join(parameters)}){returns}"

    def _annotation(self) -> str:
        return f": {self.expand('type', 3)}" if self.below(8) else ""

    def function(self) -> str:
        """A function definition."""
        kind, end = self.one((("", "..."),) * 4 + (("async ", "..."), ("", "yield")))
        return f"{kind}def f{self.signature()}:\n    {end}"

    def statements(self) -> list[str]:
        """All statements of a module; the last ones name the objects to derive."""
        kinds = ["class", "class", "class", *PEP695]
        return [
            *(self.expand(self.one(kinds), 3) for _ in range(self.below(4))),
            self.function(),
            f"f.__doc__ = DOC = {self.docstring()}",
            *([] if self.is_tame or self.below(3) else [self.expand("damage", 2)]),
            f"FUNC = {'f' if self.is_tame and self.below(4) else self.expand('target', 2)}",
            f"TYPE = {self.expand('type', 4)}",
        ]


class Case:
    """The objects to derive.

    Attributes:
        source: The statements that it is made of, without those that raised.
        func: Something to pass as a function.
        annotation: Something to pass as an annotation.
        doc: A docstring.
        names: The names in the module.
    """

    def __init__(self, statements: list[str], *, future: bool) -> None:
        self.source = ["from __future__ import annotations"] if future else []
        flags = __future__.annotations.compiler_flag if future else 0
        module = types.ModuleType("fuzzed")
        sys.modules[module.__name__] = module
        vars(module).update(vars(objects), __name__=module.__name__, T=objects.T)
        for statement in statements:
            if runs(statement, flags, vars(module)):
                self.source.append(statement)
        self.names = names = vars(module)
        self.func = names.get("FUNC", names.get("f"))
        self.annotation = names.get("TYPE", statements[-1].removeprefix("TYPE = "))
        self.doc = names.get("DOC")


def runs(statement: str, flags: int, names: dict[str, Any]) -> bool:
    """Whether a statement runs; its parts are hostile to others, too."""
    with warnings.catch_warnings(), contextlib.suppress(Exception, SystemExit):
        warnings.simplefilter("ignore")
        code = compile(statement, "<fuzzed>", "exec", flags, dont_inherit=True)
        exec(code, names)
        return True
    return False


def case(below: Below) -> Case:
    """A case from a stream of choices."""
    return Case(Source(below).statements(), future=not below(3))
