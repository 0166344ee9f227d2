"""Read a callable: ``read_callable()`` returns its parameters and its return annotation.

A plain function is read from its code object. The module that reads every other callable,
``inspected``, is loaded when it is first needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    UnresolvedError,
    repr_of_error,
    shorten,
)
from milo_schema.callables.signatures import DECLARED, Signature, read_function
from milo_schema.callables.wrappers import name_of
from milo_schema.errors import SchemaError


def read_callable(
    func: Any, localns: Mapping[str, Any] | None = None, with_parameters: bool = True
) -> Signature:
    """Read a callable; optionally, without the parameters of a plain function.

    Raises:
        SchemaError: It is not callable, has no signature, or raised an exception.
    """
    try:
        if type(func) is FunctionType and DECLARED.isdisjoint(func.__dict__):  # most are
            return read_function(func, localns, with_parameters)
        from milo_schema.callables.inspected import read_other  # few callables are not functions

        return read_other(func, localns)
    except UnresolvedError as problem:
        raise SchemaError(str(problem), shorten(name_of(func)), func) from problem
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:  # the object is user code
        reason = f"reading it raised {repr_of_error(problem)}"
        raise SchemaError(reason, shorten(name_of(func)), func) from problem
