"""Stubs of tools: read back, and looked through for code that a schema has put there."""

import ast
import warnings
from typing import Any

from milo_schema import ToolSchema, function_to_schema, profiles, return_to_schema
from milo_schema.compare import compare
from milo_schema.errors import Problem
from tests.modules import module_from

Json = dict[str, Any]
OPEN = profiles.MCP.replace(closed="nothing")


def read_back(
    tool: ToolSchema, *, metadata: bool = True
) -> tuple[Json, Json | None, list[Problem]]:
    """The schemas of a tool's stub, and what is lost."""
    lost: list[Problem] = []
    text = tool.to_python(metadata=metadata, lost=lost.append)
    assert_harmless(text)
    functions = [each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    func = vars(module_from(text))[functions[0].name]
    profile = profiles.MCP if "additionalProperties" in tool.input_schema else OPEN
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a definition without any value
        return function_to_schema(func, profile=profile), return_to_schema(func), lost


def changes(old: Json, new: Json) -> list[str]:
    """The changes from one schema to another, and back, that are not only in words."""
    found = [*compare(old, new), *compare(new, old)]
    return [str(each) for each in found if each.effect != "reworded"]


ALLOWED = (
    *(ast.Module, ast.ImportFrom, ast.alias, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef),
    *(ast.arguments, ast.arg, ast.AnnAssign, ast.Assign, ast.Expr, ast.Constant, ast.Name),
    *(ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.BinOp, ast.BitOr, ast.Starred, ast.Load),
    *(ast.Store, ast.Call, ast.keyword, ast.UnaryOp, ast.USub),
)
CALLED = {
    *("TypedDict", "Schema", "Description", "Title", "MinLen", "MaxLen"),
    *("Ge", "Gt", "Le", "Lt", "MultipleOf"),
}


def assert_harmless(text: str) -> None:
    """Check that a module only declares: nothing is called but what makes types and metadata."""
    compile(text, "<stub>", "exec", dont_inherit=True)
    for node in ast.walk(ast.parse(text)):
        assert isinstance(node, ALLOWED), ast.dump(node)
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            assert node.func.id in CALLED
        if isinstance(node, ast.ImportFrom):
            assert node.module in ("__future__", "typing", "milo_schema")
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert all(isinstance(each, ast.Expr) for each in node.body)
            assert not node.decorator_list
    assert all(line == line.rstrip(" ") and line.isprintable() for line in text.split("\n"))
