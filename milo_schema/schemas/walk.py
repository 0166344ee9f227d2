"""Walk through an annotation: places, the state of a derivation, and objects with their fields.

A ``Walk`` is a place in an annotation. It never changes: going deeper makes a new one, so there
is nothing to restore. It has its parent and the step from there, and the path is formatted only
when it is read, which is when something is wrong.

Most annotations are plain classes such as ``str``. Their schemas are in ``PLAIN``, here and not
with the other rules, so that a function of such types loads no rule at all. For any other
annotation, ``Derivation.by_rule`` finds the rule.
"""

from __future__ import annotations

from milo_schema import errors
from milo_schema.annotations import Any, Callable, Fragment, NoReturn
from milo_schema.annotations.classes import MISSING, is_any, loaded_when_used
from milo_schema.annotations.evaluation import Scope
from milo_schema.callables.signatures import Field, Record
from milo_schema.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from milo_schema.schemas import defaults
    from milo_schema.schemas.definitions import Definitions
else:
    Definitions = Any
    defaults = loaded_when_used("schemas.defaults")

Step = str | Field
Cause = BaseException | None
ByRule = Callable[..., Fragment]

PLAIN: dict[Any, Fragment] = {
    # types that JSON has
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    # bytes: base64 in a string (RFC 4648)
    bytes: {"type": "string", "contentEncoding": "base64"},
    bytearray: {"type": "string", "contentEncoding": "base64"},
    memoryview: {"type": "string", "contentEncoding": "base64"},
}
"""The schemas of the most common types."""

FRAGMENTS: dict[int, Fragment] = {id(tp): fragment for tp, fragment in PLAIN.items()}
"""The same by ``id()``, because ``==`` and ``hash`` of an annotation may be user code."""


class Derivation:
    """The state that all places of one derivation share.

    Attributes:
        strict: Whether an annotation without an exact schema is an error.
        output: Whether the schema describes values that a function returns, not arguments.
        by_rule: Finds the rule for an annotation and applies it.
        size: The number of annotations so far, and of subschemas that were copied.
        definitions: The named types so far; ``None`` before the first.
        rules: The module ``schemas.rules``, which is loaded when it is first used.
        respelled: The schema before the profile's transforms, if it has any.
        unsaid: The placeholders for annotations without a schema.
    """

    size: int = 0
    definitions: Definitions | None = None
    respelled: Fragment | None = None
    unsaid: tuple[Fragment, ...] = ()

    def __init__(self, strict: bool, output: bool, by_rule: ByRule, rules: Any) -> None:  # noqa: FBT001
        self.strict: bool = strict
        self.output: bool = output
        self.by_rule: ByRule = by_rule
        self.rules: Any = rules


class Walk:
    """A place in an annotation, with the options for its schema.

    Attributes:
        profile: How the schema is written.
        scope: The scope of the names and type parameters here.
        depth: The number of annotations around this one.
        derivation: The state that all places share.
        step: The step from the parent to here, as text or as a field.
        parent: The place around this one.
    """

    __slots__ = ("depth", "derivation", "parent", "profile", "scope", "step")

    def __init__(  # noqa: PLR0913, PLR0917 - one per annotation: keywords would cost time
        self,
        profile: Profile,
        derivation: Derivation,
        scope: Scope,
        step: Step = "",
        parent: Walk | None = None,
        depth: int = 0,
    ) -> None:
        self.profile: Profile = profile
        self.derivation: Derivation = derivation
        self.scope: Scope = scope
        self.step: Step = step
        self.parent: Walk | None = parent
        self.depth: int = depth

    @property
    def path(self) -> str:
        """The path to this place, such as ``deploy(params).filters[]``."""
        walk: Walk | None = self
        steps = []
        while walk is not None:
            steps.append(str(walk.step))
            walk = walk.parent
        return "".join(reversed(steps))

    @property
    def strict(self) -> bool:
        """Whether an annotation without an exact schema is an error."""
        return self.derivation.strict

    @property
    def output(self) -> bool:
        """Whether the schema describes values that a function returns."""
        return self.derivation.output

    def schema(self, annotation: Any, step: Step = "") -> Fragment:
        """Derive the schema of *annotation*; *step* leads from here to its place."""
        derivation = self.derivation
        derivation.size += 1
        fragment = FRAGMENTS.get(id(annotation))
        if fragment is not None and not self.profile.types:
            return fragment.copy()
        return derivation.by_rule(annotation, self, step)

    def inside(self, step: Step, annotation: Any, inner: str = "") -> Fragment:
        """``at(step).schema(annotation, inner)``, without a new place for a plain class."""
        derivation = self.derivation
        derivation.size += 1
        fragment = FRAGMENTS.get(id(annotation))
        if fragment is not None and not self.profile.types:
            return fragment.copy()
        return derivation.by_rule(annotation, self.at(step), inner)

    def record(self, cls: Any) -> Fragment | None:
        """The schema of an annotated class as a record; ``None`` if it has no annotations."""
        found: Fragment | None = self.derivation.rules.fields_of_class(cls, self)
        return found

    def import_schema(self, schema: Fragment) -> Fragment:
        """A finished schema as a part of this one, including its ``$defs``."""
        found: Fragment = self.derivation.rules.import_schema(schema, self)
        return found

    def at(self, step: Step, scope: Scope | None = None) -> Walk:
        """The walk one step further; in another *scope*, inside a record or an alias."""
        return Walk(self.profile, self.derivation, scope or self.scope, step, self, self.depth + 1)

    def deferred(self, step: Step) -> Walk:
        """``at(step)`` for a schema that is built later and starts at depth zero."""
        return Walk(self.profile, self.derivation, self.scope, step, self)

    def within(self, scope: Scope) -> Walk:
        """The walk with another scope for names and type parameters."""
        return Walk(self.profile, self.derivation, scope, "", self, self.depth)

    def keep_to_limits(self, annotation: Any) -> None:
        """Refuse a schema that is larger or deeper than the profile allows."""
        profile = self.profile
        if self.depth > profile.max_depth:
            limit = f"nested deeper than {profile.max_depth} levels, the profile's max_depth"
            endless = self.derivation.rules.endless(annotation, self)
            self.refuse(endless or limit, annotation, code="limit")
        if self.derivation.size > profile.max_subschemas:
            limit = f"more than {profile.max_subschemas:,} subschemas"
            self.refuse(f"{limit}, the profile's max_subschemas", annotation, code="limit")

    # -- what is not supported ----------------------------------------------------------------

    def unsupported(self, annotation: Any, reason: str, cause: Cause = None) -> Fragment:
        """Complain that an annotation has no schema, and return the profile's placeholder."""
        self.miss(reason, annotation, cause)
        fragment = self.keywords("unknown")
        self.derivation.unsaid += (fragment,)
        return fragment

    def miss(self, reason: str, annotation: Any, cause: Cause) -> None:
        """Complain about an annotation without a schema, unless its union can omit it."""
        walk: Walk | None = self
        while walk is not None and (type(walk) is not UnionWalk or walk.missed is None):
            walk = None if walk.step else walk.parent
        is_fatal = self.derivation.strict or self.profile.failure == "error"
        if walk is None or (is_fatal and not walk.has_default_of(annotation)):
            self.complain(reason, annotation, cause, code=errors.code_of(cause))
        else:
            assert walk.missed is not None  # noqa: S101 - the loop ends there
            walk.missed.append((self, reason, annotation, cause))

    def keywords(self, name: str) -> Fragment:
        """The keywords of a field of the profile, such as ``unknown``: a fresh, checked copy."""
        return defaults.profile_keywords(name, self)

    def complain(
        self, reason: str, annotation: Any = None, cause: Cause = None, code: str = "other"
    ) -> None:
        """Report what the schema cannot express: an error in strict mode, otherwise a warning."""
        if self.derivation.strict or self.profile.failure != "warn":
            raise errors.SchemaError(reason, self.path, annotation, code=code) from cause
        self.warn(reason, annotation, code)

    def warn(self, reason: str, annotation: Any, code: str) -> None:
        """Report what the schema cannot express, as a warning at the line of the function."""
        root = self
        while root.parent is not None:
            root = root.parent
        errors.warn(reason, self.path, annotation, root.scope.source, code=code)

    def refuse(
        self, reason: str, annotation: Any = None, cause: Cause = None, code: str = "other"
    ) -> NoReturn:
        """Raise an error, in every mode."""
        raise errors.SchemaError(reason, self.path, annotation, code=code) from cause


class FieldWalk(Walk):
    """The walk of a field with a default that may be a sentinel: ``x: str | Unset = UNSET``.

    Attributes:
        default: The default.
    """

    __slots__ = ("default",)

    def __init__(self, walk: Walk, default: Any) -> None:
        super().__init__(walk.profile, walk.derivation, walk.scope, "", walk, walk.depth)
        self.default: Any = default


class UnionWalk(Walk):
    """The place of a union, which leaves out members that have no schema.

    Attributes:
        missed: The problems of these members; ``None`` once they are reported.
    """

    __slots__ = ("missed",)

    def __init__(self, walk: Walk, step: Step) -> None:
        super().__init__(walk.profile, walk.derivation, walk.scope, step, walk, walk.depth + 1)
        self.missed: list[tuple[Walk, str, Any, BaseException | None]] | None = []

    def said(self, branches: list[Fragment]) -> list[Fragment]:
        """The branches that have a schema; only the first placeholder if none has."""
        missed, self.missed = self.missed, None
        said = [branch for branch in branches if not self._is_unsaid(branch)]
        for walk, reason, annotation, cause in missed or ():
            if not said:
                walk.miss(reason, annotation, cause)
            elif not self.has_default_of(annotation):
                walk.warn(reason, annotation, errors.code_of(cause))
        return said or branches[:1]

    def has_default_of(self, annotation: Any) -> bool:
        """Whether the union belongs to a field with a default that is an instance of a member."""
        walk: Walk = self
        while not walk.step and walk.parent is not None:
            walk = walk.parent
        field = walk.parent
        return type(field) is FieldWalk and defaults.is_instance(field.default, annotation)

    def _is_unsaid(self, branch: Fragment) -> bool:
        """Whether a branch is a placeholder, or an alias of only a placeholder."""
        derivation = self.derivation
        while "$ref" in branch and derivation.definitions is not None:
            key = branch["$ref"].key
            if key not in derivation.definitions.bodies:
                return False
            branch = derivation.definitions.bodies[key]
        return is_any(branch, derivation.unsaid)


# -- objects -----------------------------------------------------------------------------------


def object_schema(record: Record, walk: Walk) -> Fragment:
    """An object with a property for each field: a record, or the parameters of a function."""
    profile = walk.profile
    drops_none = not walk.derivation.output and profile.unwrap_none
    found, required = properties(record.fields, walk, drops_none)
    fragment: Fragment = {"type": "object", "properties": found}
    if required:
        fragment["required"] = required
    extra = record.extra
    if extra is False or (extra is MISSING and profile.closed == "everything"):
        fragment["additionalProperties"] = False
    elif extra is not MISSING:
        others = walk.schema(extra, record.extra_step)
        fragment["additionalProperties"] = others_or_any(others, walk)
    return fragment


def others_or_any(fragment: Fragment, walk: Walk) -> Fragment | bool:
    """The value of ``additionalProperties``: a schema, or ``true`` if any value is accepted."""
    definitions = walk.derivation.definitions
    says = fragment if definitions is None else definitions.said_by(fragment)
    return fragment if says else True


def properties(
    fields: list[Field],
    walk: Walk,
    drops_none: bool | str,  # noqa: FBT001
) -> tuple[Fragment, list[str]]:
    """The schema of each field, with its description and default, and the required names.

    *drops_none*: whether ``T | None`` becomes ``T``, as in ``Profile.unwrap_none``.
    """
    found: Fragment = {}
    required: list[str] = []
    derivation = walk.derivation
    plain = {} if walk.profile.types else FRAGMENTS
    derivation.size += len(fields)
    for field in fields:
        annotation, text, default = field.annotation, field.description, field.default
        if id(annotation) in plain:
            fragment = plain[id(annotation)].copy()
            if text:
                fragment["description"] = text
        else:
            if field.scope is not walk.scope:
                walk = walk.within(field.scope)
            if annotation is MISSING:
                fragment = _untyped(field, walk)
            else:
                place = walk if id(type(default)) in _PLAIN_DEFAULTS else FieldWalk(walk, default)
                try:
                    fragment = derivation.by_rule(
                        annotation, place, field, drops_none, field.parts, default
                    )
                except errors.InjectedFieldError as left_out:
                    _leave_out(field, walk, left_out)
                    continue
            if text and not ("$ref" in fragment and is_described(fragment, derivation)):
                fragment.setdefault("description", text)
        if default is not MISSING:
            _add_default(fragment, default, field, walk)
        found[field.name] = fragment
        if field.required:
            required.append(field.name)
    return found, required


def _leave_out(field: Field, walk: Walk, left_out: errors.InjectedFieldError) -> None:
    """Leave out a field that callers may not pass, and report one without a default."""
    if field.required:
        walk.at(field).complain(left_out.reason, field.written)


def _add_default(fragment: Fragment, default: Any, field: Field, walk: Walk) -> None:
    """Write the default of a field; most are plain JSON values."""
    kind = type(default)
    if kind is str or kind is bool or (kind in _NUMBERS and -_LARGE < default < _LARGE):
        fragment["default"] = default
    elif default is not None:
        defaults.add_default(fragment, field, walk)
    elif walk.profile.null_defaults:
        fragment["default"] = None


_PLAIN_DEFAULTS = set(map(id, (type(MISSING), type(None), str, int, float, bool)))
"""The ids of the classes of most defaults: a class may not be hashable."""
_NUMBERS = (int, float)
_LARGE = 1 << 64
"""Larger numbers need a check: JSON may not be able to represent them."""


def is_described(fragment: Fragment, derivation: Derivation) -> bool:
    """Whether a schema, or the alias that it refers to, has a description."""
    if "$ref" not in fragment or derivation.definitions is None:
        return "description" in fragment
    return derivation.definitions.is_described(fragment)


def _untyped(field: Field, walk: Walk) -> Fragment:
    if walk.profile.untyped is None:
        rule = "has no type hint - every tool parameter must be typed"
        walk.at(field).refuse(f"{walk.path}.{field.name} {rule}")
    if walk.strict:
        walk.at(field).refuse("no annotation; add one")
    return walk.at(field).keywords("untyped")
