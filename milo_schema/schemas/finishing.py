"""From nodes to a finished schema: references, contradictions, transforms of the profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from milo_schema.annotations import Json
from milo_schema.annotations.classes import USER_CODE_ERRORS, repr_of_error
from milo_schema.annotations.display import display
from milo_schema.errors import Problem, Report, SchemaError, Source, add_location, warn
from milo_schema.json_schema.subschemas import rebuild
from milo_schema.nodes.annotated import Annotated
from milo_schema.nodes.base import Node
from milo_schema.nodes.definitions import Definitions
from milo_schema.nodes.reader import Reader

Build = Callable[[Definitions], Json]
Tell = Callable[[Problem], None]


class Part:
    """A finished schema, such as that of the input of a function, and what is wrong with it.

    Attributes:
        schema: The schema; ``None`` if there is none.
        untransformed: The same before the transforms of the profile.
        problems: The problems, in the order of the parameters.
        error: The error that every mode raises, if there is one.
    """

    __slots__ = ("error", "problems", "schema", "untransformed")

    def __init__(
        self, schema: Json | None, untransformed: Json | None, problems: list[Problem]
    ) -> None:
        self.schema: Json | None = schema
        self.untransformed: Json | None = untransformed
        self.problems: list[Problem] = problems
        self.error: SchemaError | None = None
        if problems and (errors := [each for each in problems if each.is_error]):
            self.error = SchemaError.of(errors)

    @classmethod
    def ended(cls, problems: list[Problem], error: SchemaError) -> Part:
        """No schema, because of an error that ended the reading."""
        found = cls(None, None, [*problems, *map(Problem.as_error, error.problems)])
        found.error = error
        return found

    def settle(
        self, strict: bool, failure: str, where: Any, tell: Tell | None = None
    ) -> Json | None:
        """Decide about the problems: one error for all of them, or a warning for each.

        Args:
            strict: Whether every problem is an error.
            failure: What the profile does about a problem; see ``Profile``.
            where: What has the place of the function as its ``source``.
            tell: What to call with each problem instead of warning about it.

        Returns:
            The schema; ``None`` if there is none, or the profile gives it up.

        Raises:
            SchemaError: There is a problem, and strict mode or the profile makes it an error.
        """
        problems = [each for each in self.problems if strict or not each.is_strict_only]
        if not problems:
            return self.schema
        is_open = failure in ("open", "none")
        enforced = [] if strict else [each for each in problems if each.is_enforced]
        others = [each for each in problems if strict or not each.is_enforced]
        told, error = self._decide(others, strict or failure == "error", is_open)
        source = where.source
        for each in [*enforced, *told]:
            if tell:
                tell(each)
            elif failure != "none":
                _warn(each, source)
        if error is not None:
            add_location(error, source)
            raise error
        is_given_up = is_open and not all(each.is_left_out for each in others)
        return None if is_given_up else self.schema

    def _decide(
        self, problems: list[Problem], is_error: bool, is_open: bool
    ) -> tuple[list[Problem], SchemaError | None]:
        """The problems to tell, and the error to raise."""
        if is_error:
            return [], SchemaError.of(problems) if problems else None
        if is_open:  # what a union can leave out does not make a schema open
            fatal = next((at for at, each in enumerate(problems) if not each.is_left_out), None)
            return problems if fatal is None else problems[: fatal + 1], None
        return [each for each in problems if not each.is_error], self.error

    def before_transforms(self) -> Part:
        """The same before the transforms of the profile, without the problems that they report."""
        problems = [each for each in self.problems if each.code != "refused-by-transform"]
        return (
            self if self.schema is None else Part(self.untransformed, self.untransformed, problems)
        )


def _warn(problem: Problem, source: Source | None) -> None:
    warn(problem.reason, problem.path, problem.annotation, source, code=problem.code)


def finish(
    build: Build,
    reader: Reader,
    *,
    strict: bool,
    type_name: Callable[[], str] = str,
    step: Callable[[str], str] = str,
    func: Callable[..., Any] | None = None,
    tool: str | None = None,
) -> Part:
    """Write a schema, settle its references, and apply the transforms of the profile.

    Args:
        build: Writes the schema of the root.
        reader: The reader, which has read all bodies; problems are added to its own.
        strict: Whether to look for contradictions.
        type_name: Returns the name of the root, if it is a named type; called once it is written.
        step: Formats the path from the root to a subschema: ``.x`` of a function is ``(x)``.
        func: The function whose schema it is, if any.
        tool: The name that a tool was given, if any.
    """
    profile = reader.profile
    try:
        out = Definitions(reader)
        schema = out.finish(build(out))
    except RecursionError:  # the caller is deep in the stack itself
        reason = "nested too deeply for the space left on Python's stack"
        raise SchemaError(reason, reader.root, code="limit") from None
    if strict:
        _report_contradictions(schema, reader, step)
    transforms = profile.transforms
    if profile.optional == "required" and not reader.output:
        transforms = (_with_all_required, *transforms)
    if not transforms:
        return Part(schema, schema, reader.problems)
    facts: dict[str, Any] = {
        "func": func,
        "tool": tool,
        "name": reader.root.removesuffix("() -> result"),
        "output": reader.output,
        "type_name": type_name(),
    }
    transformed, refused = _transform(schema, transforms, Report(**facts), reader)
    if refused and reader.named and profile.inline:  # what is too large inline may fit in $defs
        complete = standalone(build, reader)
        shared, others = _transform(complete, transforms, Report(**facts), reader)
        transformed, refused = (transformed, refused) if others else (shared, others)
    for path, reason in refused:
        reader.report(reason, _place(reader, step(path)), code="refused-by-transform")
    return Part(transformed, schema, reader.problems)


def _report_contradictions(schema: Json, reader: Reader, step: Callable[[str], str]) -> None:
    """Report where a schema contradicts itself, as only strict mode does."""
    from milo_schema.json_schema.problems import contradictions

    nulls = reader.profile.unwrap_none and not reader.output
    for path, _, reason in contradictions(schema, nulls=nulls):
        place = _place(reader, step(path))
        reader.report(reason, place, code="contradiction", is_strict_only=True)


def standalone(build: Build, reader: Reader) -> Json:
    """A schema that is complete by itself, with all named types in ``$defs``."""
    out = Definitions(reader, is_standalone=True)
    return out.finish(build(out), inline=False)


def _place(reader: Reader, path: str) -> Any:
    return (None, reader.root), path


def _transform(
    schema: Json, transforms: tuple[Any, ...], report: Report, reader: Reader
) -> tuple[Json, list[tuple[str, str]]]:
    """A finished schema after the transforms, which may be user code, and what they report."""
    for transform in transforms:
        try:
            schema = transform(schema, report)
        except SchemaError:
            raise
        except USER_CODE_ERRORS as problem:
            reason = f"{transform!r} of transforms raised {repr_of_error(problem)}"
            reader.refuse(reason, _place(reader, ""), cause=problem, code="user-code")
        if not issubclass(type(schema), dict):
            reason = f"{transform!r} of transforms returned {display(schema)}; return the schema"
            reader.refuse(reason, _place(reader, ""), code="invalid-schema")
    return schema, report.problems


def _with_all_required(schema: Json, _report: Report | None = None) -> Json:
    """A schema whose objects require every property that they name."""
    schema = rebuild(schema, _with_all_required)
    if properties := schema.get("properties"):
        schema["required"] = list(properties)
    return schema


def named_root(node: Node) -> str:
    """The name of a node as the root of a schema, if it is a named type; otherwise empty."""
    while isinstance(node, Annotated):
        node = node.inner
    name: str = getattr(node, "short_name", "")
    return name
