"""From nodes to a finished schema: references, contradictions, transforms of the profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import USER_CODE_ERRORS, repr_of_error
from milo_schema.annotations.forms import display
from milo_schema.annotations.frozen import Frozen
from milo_schema.errors import RESULT, Problem, Report, SchemaError, Source, add_location, warn
from milo_schema.json_schema.subschemas import copy, rebuild
from milo_schema.nodes.base import Node, Place
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.session import Session
from milo_schema.profile import Transform

Root = tuple[Json, Node | None, bool]
"""The schema of a root, the node whose name it has if that is a named type, and whether it is the
box of a value."""


class Settled(Frozen):
    """The decision about a finished schema with problems.

    Attributes:
        schema: The schema; ``None`` if there is none, or the profile gives it up.
        told: The problems to tell: each of them is a warning, not an error.
        error: The error about the others, if there are any.
    """

    schema: Json | None
    told: list[Problem]
    error: SchemaError | None = None

    def get(self, source: Source | None) -> Json | None:
        """The schema; the error, if there is one, is raised with the place of the function."""
        if self.error is not None:
            add_location(self.error, source)
            raise self.error
        return self.schema


class SchemaDocument:
    """A finished schema, such as that of the input of a function, and what is wrong with it.

    Attributes:
        schema: The schema; ``None`` if there is none.
        untransformed: The same before the transforms of the profile.
        problems: The problems, in the order of the parameters.
        is_boxed: Whether it describes an object with a property that contains the value.
        ending: The error that ended the reading, if there is one.
    """

    __slots__ = ("ending", "is_boxed", "problems", "schema", "untransformed")

    def __init__(
        self,
        schema: Json | None,
        untransformed: Json | None,
        problems: list[Problem],
        is_boxed: bool = False,
        ending: SchemaError | None = None,
    ) -> None:
        self.schema: Json | None = schema
        self.untransformed: Json | None = untransformed
        self.problems: list[Problem] = problems
        self.is_boxed: bool = is_boxed
        self.ending: SchemaError | None = ending

    @classmethod
    def ended(cls, problems: list[Problem], error: SchemaError) -> SchemaDocument:
        """No schema, because of an error that ended the reading."""
        problems = [*problems, *(each.replace(is_error=True) for each in error.problems)]
        return cls(None, None, problems, ending=error)

    def settle(self, strict: bool, failure: str) -> Settled:
        """Decide which problems to tell, and which are one error.

        Args:
            strict: Whether every problem is an error.
            failure: What the profile does about a problem; see ``Profile``.
        """
        if strict:
            return Settled(self.schema, [], _error_of(self.problems))
        problems = [each for each in self.problems if not each.is_strict_only]
        enforced = [each for each in problems if each.is_enforced]
        others = [each for each in problems if not each.is_enforced]
        if failure == "error":
            return Settled(self.schema, enforced, _error_of(others))
        if failure in ("open", "none"):  # what a union can leave out does not make a schema open
            fatal = next((at for at, each in enumerate(others) if not each.is_left_out), None)
            if fatal is None:
                return Settled(self.schema, enforced + others)
            return Settled(None, enforced + others[: fatal + 1])
        told = [each for each in others if not each.is_error]
        errors = [each for each in self.problems if each.is_error]
        return Settled(self.schema, enforced + told, self.ending or _error_of(errors))

    def before_transforms(self) -> SchemaDocument:
        """The same before the transforms of the profile, without the problems that they report."""
        if self.schema is None:
            return self
        problems = [each for each in self.problems if each.code != "refused-by-transform"]
        return SchemaDocument(self.untransformed, self.untransformed, problems, self.is_boxed)


def _error_of(problems: list[Problem]) -> SchemaError | None:
    """One error about all problems, if there are any."""
    return SchemaError.of(problems) if problems else None


def warn_about(problems: Iterable[Problem], source: Source | None) -> None:
    """Warn about each of the problems, at the line of the function."""
    for each in problems:
        warn(each.message, each.path, each.annotation, source, code=each.code)


def finish(
    write: Callable[[Definitions], Root],
    session: Session,
    *,
    step: Callable[[str], str] = str,
    func: Callable[..., Any] | None = None,
    tool: str | None = None,
) -> SchemaDocument:
    """Write a schema, settle its references, and apply the transforms of the profile.

    Args:
        write: Writes the root.
        session: The state of the readers, which have read all bodies; problems are added to it.
        step: Formats the path from the root to a subschema: ``.x`` of a function is ``(x)``.
        func: The function whose schema it is, if any.
        tool: The name that a tool was given, if any.
    """
    profile = session.profile
    try:
        out = Definitions(session)
        schema, node, is_boxed = write(out)
        schema = out.finish(schema)
    except RecursionError:  # the caller is deep in the stack itself
        reason = "nested too deeply for the space left on Python's stack"
        raise SchemaError(reason, session.root, code="limit") from None
    if session.strict:
        _report_contradictions(schema, session, step)
    if session.shared is not None:
        session.shared.add(session)
    transforms = profile.transforms
    if profile.optional == "required" and not session.output:
        transforms = (with_all_required, *transforms)
    if not transforms:
        return SchemaDocument(schema, schema, session.problems, is_boxed)
    report = partial(
        Report,
        func=func,
        tool=tool,
        name=session.root.removesuffix(RESULT),
        output=session.output,
        type_name="" if node is None else node.short_name,
    )
    untransformed = copy(schema)  # a transform may change its argument in place
    transformed, refused = _transform(schema, transforms, report(), session)
    if refused and session.named and profile.inline:  # what is too large inline may fit in $defs
        complete = standalone(lambda out: write(out)[0], session)
        shared, others = _transform(complete, transforms, report(), session)
        transformed, refused = (transformed, refused) if others else (shared, others)
    _report_refusals(refused, session, step)
    return SchemaDocument(transformed, untransformed, session.problems, is_boxed)


def _report_refusals(
    refused: Iterable[tuple[str, str]], session: Session, step: Callable[[str], str]
) -> None:
    """Report each part that a transform cannot express."""
    for path, reason in refused:
        session.report(reason, _place(session, step(path)), code="refused-by-transform")


def _report_contradictions(schema: Json, session: Session, step: Callable[[str], str]) -> None:
    """Report where a schema contradicts itself, as only strict mode does."""
    from milo_schema.json_schema.problems import CONTRADICTIONS, contradictions, problems_in

    nulls = bool(session.profile.unwrap_none and not session.output)
    if session.tools is None:
        found = contradictions(schema, nulls=nulls)
    else:  # as a check does, which needs the other problems, too
        found = problems_in(schema, nulls=nulls, judged=session.tools.judged, text=repr(schema))
    for path, code, reason in found:
        if code in CONTRADICTIONS:
            place = _place(session, step(path))
            session.report(reason, place, code="contradiction", is_strict_only=True)


def standalone(build: Callable[[Definitions], Json], session: Session) -> Json:
    """A schema that is complete by itself, with all named types in ``$defs``."""
    out = Definitions(session, is_standalone=True)
    return out.finish(build(out), inline=False)


def _place(session: Session, path: str) -> Place:
    return (None, session.root), path


def _transform(
    schema: Json, transforms: tuple[Transform, ...], report: Report, session: Session
) -> tuple[Json, list[tuple[str, str]]]:
    """A finished schema after the transforms, which may be user code, and what they report."""
    for transform in transforms:
        try:
            schema = transform(schema, report)
        except SchemaError:
            raise
        except USER_CODE_ERRORS as problem:
            reason = f"{transform!r} of transforms raised {repr_of_error(problem)}"
            session.refuse(reason, _place(session, ""), cause=problem, code="user-code")
        if not issubclass(type(schema), dict):
            reason = f"{transform!r} of transforms returned {display(schema)}; return the schema"
            session.refuse(reason, _place(session, ""), code="invalid-schema")
    return schema, report.problems


def with_all_required(schema: Json, _report: Report | None = None) -> Json:
    """A schema whose objects require every property that they name."""
    schema = rebuild(schema, with_all_required)
    if properties := schema.get("properties"):
        schema["required"] = list(properties)
    return schema
