"""One test item for many rows: it tries all of them, and reports every row that fails.

pytest needs two milliseconds per item, which is more than most rows take.
"""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]
RECORDERS: list[Callable[[str, bool], None]] = []
"""Functions that are called with each row that was tried, and whether it ran."""


def every(
    name: str, rows: Iterable[Any] | Callable[[], Iterable[Any]], ids: Callable[[Any], str] = str
) -> Callable[[Test], Test]:
    """Call a test with each row as the argument *name*; it fails if it fails for any of them.

    Use it where ``pytest.mark.parametrize`` would make hundreds of items. A failure has a note
    that names its row. The test is skipped only if every row is; ``tests/tools/nowhere.py`` finds
    rows that are skipped in every run.

    A function makes the rows when the test runs: then no process that only collects it has to.
    """
    given = rows if callable(rows) else list(rows)
    assert given

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def of_every_row(*args: Any, **kwargs: Any) -> None:
            failures, skipped = [], []
            tried = list(given() if callable(given) else given)
            assert tried
            for row in tried:
                has_run = True
                try:
                    test(*args, **kwargs, **{name: row})
                except pytest.skip.Exception as skip:
                    has_run = False
                    skipped.append(f"{name} {ids(row)}: {skip.msg}")
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"{name}: {ids(row)}")
                    failures.append(failure)
                for record in RECORDERS:
                    record(_named(name, row, ids), has_run)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(tried)} rows", failures)
            if len(skipped) == len(tried):
                pytest.skip("; ".join(skipped))

        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name != name]
        assert len(others) == len(signature.parameters) - 1
        of_every_row.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return of_every_row

    return decorate


def _named(name: str, row: Any, ids: Callable[[Any], str]) -> str:
    try:
        return f"{name}: {ids(row)}"
    except ValueError:  # an integer with too many digits
        return f"{name}: {type(row).__name__}"
