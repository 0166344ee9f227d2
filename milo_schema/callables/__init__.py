"""Read a callable: ``read()`` returns its parameters and its return annotation.

A plain function is read from its code object. The module that reads every other callable,
``inspected``, is loaded when it is first needed.
"""

from __future__ import annotations

from milo_schema.annotations import Any, Mapping
from milo_schema.annotations.classes import (
    USER_CODE_ERRORS,
    UnresolvedError,
    loaded_when_used,
    repr_of_error,
    shorten,
)
from milo_schema.annotations.evaluation import FUNCTION
from milo_schema.callables.signatures import DECLARED, Signature, read_function
from milo_schema.errors import SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.callables import inspected as _inspected
    from milo_schema.callables import wrappers as _wrappers
else:  # a plain function needs neither; see ``schemas`` for the underscores
    _inspected = loaded_when_used("callables.inspected")
    _wrappers = loaded_when_used("callables.wrappers")


def read(
    func: Any,
    localns: Mapping[str, Any] | None = None,
    with_parameters: bool = True,  # noqa: FBT001, FBT002 - by position, which takes less time
) -> Signature:
    """Read a callable; optionally, without the parameters of a plain function.

    Raises:
        SchemaError: It is not callable, has no signature, or raised an exception.
    """
    try:
        if type(func) is FUNCTION and DECLARED.isdisjoint(func.__dict__):  # most are
            return read_function(func, localns, with_parameters)
        return _inspected.read_other(func, localns)
    except UnresolvedError as problem:
        raise SchemaError(str(problem), _name_of(func), func) from problem
    except SchemaError:
        raise
    except USER_CODE_ERRORS as problem:  # the object is user code
        raise SchemaError(
            f"reading it raised {repr_of_error(problem)}", _name_of(func), func
        ) from problem


def _name_of(func: Any) -> str:
    return shorten(_wrappers.name_of(func))
