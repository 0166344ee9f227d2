"""Where we are, what was asked for, and the only recursion there is.

A ``Walk`` is never changed: going deeper makes a new one, so there is nothing to restore. The
path grows in one place, and so does the depth. A record or alias is only referred to (see
``definitions``), which is what ends a recursive type.
"""

from __future__ import annotations

import milo_schema
from milo_schema import errors
from milo_schema.annotations.hints import UnresolvedError
from milo_schema.schemas.plain import FRAGMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    import milo_schema.annotations.forms
    import milo_schema.annotations.generics
    import milo_schema.schemas.rules
    from milo_schema.annotations.hints import Scope
    from milo_schema.profiles import Profile
    from milo_schema.schemas.definitions import Definitions

    Fragment = dict[str, Any]


MAX_NESTING = 12
"""How deep the arguments of a generic record or alias may be nested."""
MAX_ARGUMENTS = 1_000
"""How many of them there may be, all told."""
MAX_FORMS = 1_000
"""In how many forms one generic record or alias may be met."""


class Walk:
    """A place in an annotation, and how its schema is to be written.

    Attributes:
        profile: What the schema should say.
        strict: Whether what cannot be said is an error.
        output: Whether the schema is of what comes out: no ``InitVar``.
        path: The place, such as ``deploy(params).filters[]``.
        scope: What the names and type parameters met here stand for.
        definitions: The named types met so far.
    """

    __slots__ = ("definitions", "depth", "output", "path", "profile", "scope", "strict")

    def __init__(  # noqa: PLR0913, PLR0917 - the one place where all of it comes together
        self,
        profile: Profile,
        strict: bool,  # noqa: FBT001
        output: bool,  # noqa: FBT001
        path: str,
        scope: Scope,
        definitions: Definitions,
        depth: int = 0,
    ) -> None:
        self.profile: Profile = profile
        self.strict: bool = strict
        self.output: bool = output
        self.path: str = path
        self.scope: Scope = scope
        self.definitions: Definitions = definitions
        self.depth: int = depth

    def schema(self, annotation: Any, step: str = "") -> Fragment:
        """The fragment for *annotation*; *step* leads from here to its place."""
        return self.plain(annotation) or self.at(step).by_rule(annotation)

    def plain(self, annotation: Any) -> Fragment | None:
        """The fragment for one of the types that most annotations are; else a rule is asked.

        The annotation is counted here, so ``by_rule()`` does not.
        """
        self.definitions.size += 1
        fragment = FRAGMENTS.get(id(annotation))
        return None if fragment is None or self.profile.types else fragment.copy()

    def by_rule(self, annotation: Any) -> Fragment:
        """The fragment for *annotation* here, by the rule that is found for it."""
        self.keep_to_limits(annotation)
        try:
            rule, args = milo_schema.rules.find(annotation, self)
            return rule(annotation, args, self)
        except UnresolvedError as problem:
            return self.unsupported(annotation, str(problem), problem)
        except RecursionError:  # the caller is deep down itself
            self.refuse("nested too deeply for what is left of Python's stack", annotation)

    def keep_to_limits(self, annotation: Any) -> None:
        """Refuse what is larger or deeper than the profile lets a schema be."""
        limits = self.profile
        if self.depth > limits.max_depth:
            limit = f"nested deeper than {limits.max_depth} levels, the profile's max_depth"
            self.refuse(limit, annotation)
        if self.definitions.size > limits.max_subschemas:
            limit = f"more than {limits.max_subschemas:,} subschemas, the profile's max_subschemas"
            self.refuse(limit, annotation)

    def at(self, step: str) -> Walk:
        """The walk one step further."""
        return self._moved(self.path + step, self.scope, self.depth + 1)

    def within(self, scope: Scope) -> Walk:
        """The walk where other names and type parameters hold: inside a record or an alias."""
        return self._moved(self.path, scope, self.depth)

    def _moved(self, path: str, scope: Scope, depth: int) -> Walk:
        return Walk(self.profile, self.strict, self.output, path, scope, self.definitions, depth)

    def named(self, annotation: Any) -> Any:
        """A generic record or alias as it is known everywhere: with its arguments closed."""
        self._check_arguments(annotation)
        return milo_schema.generics.named(annotation, self.scope)

    def define(self, annotation: Any, build: Callable[[Walk], Fragment]) -> Fragment:
        """A reference to a named type whose fragment *build* makes, once, now."""
        self._check_arguments(annotation)
        return self.definitions.refer(annotation, lambda: build(self))

    def define_later(
        self, annotation: Any, build: Callable[[Walk], Fragment], kind: str
    ) -> Fragment:
        """A reference to a named type of this JSON type; *build* makes it, once, in its turn."""
        self._check_arguments(annotation)
        fresh = self._moved(self.path, self.scope, 0)
        return self.definitions.refer_later(annotation, lambda: build(fresh), kind)

    @staticmethod
    def is_small(annotation: Any) -> bool:
        """Whether the arguments of an annotation can all be looked at."""
        return milo_schema.generics.fits(annotation, MAX_NESTING, MAX_ARGUMENTS)

    def _check_arguments(self, annotation: Any) -> None:
        """``class Node[T]: next: Node[list[T]]`` is another type each time, without end."""
        why = "a type that contains ever larger forms of itself"
        if not self.is_small(annotation):
            limit = f"type arguments nested deeper than {MAX_NESTING} levels"
            more = f"or more than {MAX_ARGUMENTS:,} of them"
            self.refuse(f"{limit}, {more}: {why}", annotation)
        origin, _ = milo_schema.forms.split(annotation)
        if origin is not None and self.definitions.forms.get(id(origin), 0) > MAX_FORMS:
            self.refuse(f"more than {MAX_FORMS:,} forms of one generic type: {why}", annotation)

    def unsupported(
        self, annotation: Any, reason: str = "", cause: BaseException | None = None
    ) -> Fragment:
        """What becomes of an annotation that has no schema: an error, or a warning and a guess."""
        if not reason:
            from milo_schema.annotations.forms import display

            reason = f"no JSON Schema for {display(annotation)}"
        self.complain(reason, annotation, cause)
        return self.keywords("unknown")

    def keywords(self, name: str) -> Fragment:
        """The keywords that the profile has for a case, such as ``unknown``: fresh, and right."""
        from milo_schema.json_schema.metaschema import checked
        from milo_schema.json_schema.values import NotJSONError, to_json

        try:
            return checked(to_json(dict(getattr(self.profile, name))), references=())
        except NotJSONError as problem:
            why = f"it has {problem}, which is not JSON"
            self.refuse(f"the profile's {name!r} is no schema: {why}", cause=problem)
        except ValueError as problem:
            self.refuse(f"the profile's {name!r} is no schema: it {problem}", cause=problem)

    def complain(
        self, reason: str, annotation: Any = None, cause: BaseException | None = None
    ) -> None:
        """Say what is not as the annotation has it: an error in strict mode, else a warning."""
        if self.strict or self.profile.failure != "warn":
            raise errors.SchemaError(reason, self.path, annotation) from cause
        errors.warn(reason, self.path, annotation)

    def refuse(
        self, reason: str, annotation: Any = None, cause: BaseException | None = None
    ) -> NoReturn:
        """Say what no mode can put up with."""
        raise errors.SchemaError(reason, self.path, annotation) from cause
