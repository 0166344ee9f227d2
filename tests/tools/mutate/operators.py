"""The small mistakes that a mutation puts into a source: each replaces one piece of its text.

A mutation keeps the number of lines, so that the line-by-line trace still applies.
"""

import ast
import copy
import dataclasses
import itertools
from collections.abc import Sequence

SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
DELETED = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Break,
    ast.Continue,
    ast.Delete,
    ast.Expr,
    ast.Raise,
)
NAMING_CALLS = ("cast", "NewType", "ParamSpec", "TypeVar", "TypeVarTuple")
"""Calls whose strings are for type checkers and for messages."""
UNTOUCHED_NAMES = ("TYPE_CHECKING", "__slots__")


@dataclasses.dataclass(frozen=True)
class Edit:
    """One mutation of a source: the bytes from *start* to *stop* become *text*."""

    start: int
    stop: int
    text: bytes
    what: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.stop :]


def edits(source: bytes) -> list[Edit]:
    """Every mutation of this source, by position. Some may not compile."""
    return sorted(set(Finder(source).edits), key=dataclasses.astuple)


class Finder(ast.NodeVisitor):
    """Collects the mutations of a source."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.edits: list[Edit] = []
        self.functions = 0  # how many enclose the node that is visited
        lengths = (len(line) for line in source.splitlines(keepends=True))
        self.line_starts = list(itertools.accumulate(lengths, initial=0))
        self.visit(ast.parse(source))

    # -- positions and edits -------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.line_starts[node.lineno - 1] + node.col_offset
        return start, self.line_starts[node.end_lineno - 1] + node.end_col_offset

    def add(self, what: str, start: int, stop: int, text: bytes) -> None:
        lost = self.source.count(b"\n", start, stop) - text.count(b"\n")
        self.edits.append(Edit(start, stop, text + b"\n" * lost, what))

    def replace(self, what: str, node: ast.expr, text: str) -> None:
        start, stop = self.span(node)
        several_lines = b"\n" in self.source[start:stop]
        self.add(what, start, stop, (f"({text}" if several_lines else text).encode())
        if several_lines:
            last = self.edits.pop()
            self.edits.append(dataclasses.replace(last, text=last.text + b")"))

    def negate(self, node: ast.expr) -> None:
        """Negate a condition, apart from those that a swapped operator or a dropped not negates."""
        match node:
            case ast.Compare(
                ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot() | ast.In() | ast.NotIn()]
            ):
                return
            case ast.UnaryOp(op=ast.Not()):
                return
        start, stop = self.span(node)
        self.add("negate the condition", start, stop, b"not (" + self.source[start:stop] + b")")

    def swap(self, op: ast.AST, left: ast.expr, right: ast.expr) -> None:
        """Replace the operator between two operands."""
        if (pair := SWAPS.get(type(op))) is None:
            return
        start, stop = self.span(left)[1], self.span(right)[0]
        old, new = (text.encode() for text in pair)
        text = self.source[start:stop]
        if old in text:
            self.add(f"{pair[0]} -> {pair[1]}", start, stop, text.replace(old, new, 1))

    def drop_each(
        self, what: str, spans: Sequence[tuple[int, int]], within: tuple[int, int]
    ) -> None:
        """Drop each of several pieces, with the separator beside it."""
        spans = [self.with_parentheses(*span, *within) for span in spans]
        for i, (start, stop) in enumerate(spans):
            if i + 1 < len(spans):
                self.add(what, start, spans[i + 1][0], b"")
            else:
                self.add(what, spans[i - 1][1], stop, b"")

    def with_parentheses(self, start: int, stop: int, low: int, high: int) -> tuple[int, int]:
        before = self.source[low:start].rstrip()
        after = self.source[stop:high].lstrip()
        while before.endswith(b"(") and after.startswith(b")"):
            start, stop = low + len(before) - 1, high - len(after) + 1
            before, after = before[:-1].rstrip(), after[1:].lstrip()
        return start, stop

    # -- skipped nodes -------------------------------------------------------------------------

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """An f-string is text for people."""

    def visit_arg(self, node: ast.arg) -> None:
        """A parameter has an annotation and nothing else."""

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, node.args):
            self.visit(part)
        self.functions += 1
        for statement in node.body:
            self.visit(statement)
        self.functions -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast calls it so

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if isinstance(node.slice, ast.Tuple):  # the arguments of a type, an index of none
            for part in node.slice.elts:
                if not isinstance(part, ast.List):  # the parameters in Callable[[...], ...]
                    self.visit(part)
        else:
            self.visit(node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", None))
        if name in NAMING_CALLS:
            for argument in node.args[1:]:
                self.visit(argument)
        else:
            self.generic_visit(node)

    # -- statements ----------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring, or "..."
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if any(getattr(target, "id", None) in UNTOUCHED_NAMES for target in targets):
            return
        is_declaration = isinstance(node, ast.AnnAssign) and node.value is None
        if isinstance(node, DELETED) and self.functions and not is_declaration:
            self.add("delete the statement", *self.span(node), b"pass")
        super().visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.swap(node.op, node.target, node.value)
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.replace("return None", node.value, "None")
            self.visit(node.value)

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    visit_IfExp = visit_While = visit_If  # noqa: N815 - ast calls them so

    # -- expressions ---------------------------------------------------------------------------

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self.negate(condition)
            self.replace("drop the condition", condition, "True")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in itertools.pairwise(node.values):
            self.swap(node.op, left, right)
        spans = [self.span(value) for value in node.values]
        self.drop_each("drop a term", spans, self.span(node))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = itertools.pairwise([node.left, *node.comparators])
        for op, (left, right) in zip(node.ops, operands, strict=True):
            self.swap(op, left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start = self.span(node)[0]
            self.add("drop the not", start, start + len("not"), b"")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.replace(f"{value} -> {not value}", node, repr(not value))
        elif isinstance(value, int | float) and value + 1 != value:  # 1e300 is too large for that
            self.replace(f"{value} -> {value + 1}", node, repr(value + 1))
        elif isinstance(value, str) and " " not in value:  # a space: text for people
            self.replace(f"{value!r} -> {'XX' + value!r}", node, repr("XX" + value))

    def visit_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return
        self.drop_elements(node, list(node.elts))
        self.generic_visit(node)

    visit_List = visit_Set = visit_Tuple  # noqa: N815 - ast calls them so

    def drop_elements(self, node: ast.Tuple | ast.List | ast.Set, elements: list[ast.expr]) -> None:
        """Drop each element; short displays are written anew, for ``(a)`` is not a tuple."""
        if len(elements) > 2:
            start, stop = self.span(node)
            spans = [self.span(element) for element in elements]
            is_bare = self.source[start : start + 1] not in b"([{"
            inside = (start, stop) if is_bare else (start + 1, stop - 1)
            self.drop_each("drop an element", spans, inside)
            return
        for i in range(len(elements)):
            fewer = copy.copy(node)
            fewer.elts = elements[:i] + elements[i + 1 :]
            self.replace("drop an element", node, ast.unparse(fewer))

    def visit_Dict(self, node: ast.Dict) -> None:
        spans = []
        for key, value in zip(node.keys, node.values, strict=True):
            start, stop = self.span(value)
            start = self.source.rindex(b"**", 0, start) if key is None else self.span(key)[0]
            spans.append((start, stop))
        if len(spans) == 1:
            self.replace("drop an element", node, "{}")
        elif spans:
            start, stop = self.span(node)
            self.drop_each("drop an element", spans, (start + 1, stop - 1))
        self.generic_visit(node)
