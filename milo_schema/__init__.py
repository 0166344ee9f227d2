"""JSON Schema from Python functions: signature, annotations, metadata and docstring.

>>> from milo_schema import function_to_schema, tool_schema
>>> def greet(name: str, times: int = 1) -> str:
...     '''Greet someone.
...
...     Args:
...         name: Whom to greet.
...     '''
>>> function_to_schema(greet)["properties"]["name"]
{'type': 'string', 'description': 'Whom to greet.'}
>>> tool_schema(greet).to_openai()["function"]["description"]
'Greet someone.'

- ``function_to_schema()``, ``return_to_schema()`` and ``type_to_schema()`` return JSON Schema;
  ``tool_schema()`` returns a complete tool definition, for every provider, which can be called.
- ``Toolbox`` has many tools: their definitions for every API, and their calls by name.
- ``profiles`` decides how schemas are written: those of functions keep the contract of milo,
  those of tools are exact, as MCP wants them.
- ``arguments`` checks the JSON of a call, and ``results`` writes a returned value as JSON.
- ``checks`` finds what is missing, ``compare`` finds what changed, ``testing`` has assertions.
"""

# Importing this package loads nothing but this file. Each name is loaded when it is first used
# (PEP 562), because a command line pays for its imports at every start.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema import arguments as arguments
    from milo_schema import checks as checks
    from milo_schema import compare as compare
    from milo_schema import profiles as profiles
    from milo_schema import results as results
    from milo_schema import testing as testing
    from milo_schema import transforms as transforms
    from milo_schema.annotations.type_checking import type_checking_imports
    from milo_schema.docstrings import Docstring, parse_docstring
    from milo_schema.errors import SchemaError, SchemaWarning, ToolError
    from milo_schema.markers import (
        Default,
        Deprecated,
        Description,
        Examples,
        Format,
        Ge,
        Gt,
        Injected,
        Le,
        Lt,
        MaxLen,
        MinLen,
        MultipleOf,
        Pattern,
        Schema,
        Title,
    )
    from milo_schema.profile import Profile
    from milo_schema.schemas.functions import (
        HiddenParameter,
        function_to_schema,
        hidden_parameters,
        return_to_schema,
        type_to_schema,
    )
    from milo_schema.tools.definition import ToolSchema
    from milo_schema.tools.fields import ToolAnnotations
    from milo_schema.tools.fitting import Fit
    from milo_schema.tools.several import tool_schema, tool_schemas
    from milo_schema.tools.toolbox import Toolbox

__version__ = "0.1.0"

__all__ = [
    "Default",
    "Deprecated",
    "Description",
    "Docstring",
    "Examples",
    "Fit",
    "Format",
    "Ge",
    "Gt",
    "HiddenParameter",
    "Injected",
    "Le",
    "Lt",
    "MaxLen",
    "MinLen",
    "MultipleOf",
    "Pattern",
    "Profile",
    "Schema",
    "SchemaError",
    "SchemaWarning",
    "Title",
    "ToolAnnotations",
    "ToolError",
    "ToolSchema",
    "Toolbox",
    "function_to_schema",
    "hidden_parameters",
    "parse_docstring",
    "profiles",
    "return_to_schema",
    "tool_schema",
    "tool_schemas",
    "type_checking_imports",
    "type_to_schema",
]

_MODULES = {
    "errors": ("SchemaError", "SchemaWarning", "ToolError"),
    "docstrings": ("Docstring", "parse_docstring"),
    "schemas.functions": (
        "HiddenParameter",
        "function_to_schema",
        "hidden_parameters",
        "return_to_schema",
        "type_to_schema",
    ),
    "profile": ("Profile",),
    "annotations.type_checking": ("type_checking_imports",),
    "tools.definition": ("ToolSchema",),
    "tools.fields": ("ToolAnnotations",),
    "tools.fitting": ("Fit",),
    "tools.several": ("tool_schema", "tool_schemas"),
    "tools.toolbox": ("Toolbox",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}
_PUBLIC_MODULES = ("arguments", "checks", "compare", "profiles", "results", "testing", "transforms")


if not TYPE_CHECKING:  # for a checker, every name would be there

    def __getattr__(name: str) -> object:
        import sys

        if name not in __all__ and name not in _PUBLIC_MODULES:
            reason = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(reason, name=name, obj=sys.modules[__name__])
        is_module = name in _PUBLIC_MODULES
        module = f"{__name__}.{name if is_module else _HOME.get(name, 'markers')}"
        __import__(module)
        value = sys.modules[module] if is_module else getattr(sys.modules[module], name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    special = (name for name in globals() if name[:2] == "__")
    return sorted({*special, *__all__, *_PUBLIC_MODULES})
