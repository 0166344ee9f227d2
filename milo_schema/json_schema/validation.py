"""A small validator: find where a JSON value does not match a schema.

This library needs it to check whether arguments, defaults and results match their schemas. It
supports all of JSON Schema 2020-12 except identifiers, which our schemas do not have; ``format`` is
an annotation, as in the specification. Whether a value is valid under a subschema is decided only
once, and the number of steps is limited, those of regular expressions included.

Each keyword has a validator, which returns steps: errors, the steps of subschemas, and questions
whether a value is valid under a subschema. ``_Location.errors()`` has a stack of these steps, so
that Python's stack does not limit how deep values and schemas are. Most values are valid, and most
subschemas only name a type: a validator without steps returns an empty tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from typing import Any, NamedTuple

from milo_schema.annotations import Json
from milo_schema.annotations.classes import shorten
from milo_schema.errors import Problem
from milo_schema.json_schema import TYPES
from milo_schema.json_schema.formats import has_format
from milo_schema.json_schema.keywords import (
    BOUNDS,
    KEYWORDS,
    SCHEMA_KEYWORDS,
    WITH_SUBSCHEMAS,
    bound_error,
    code_of,
)
from milo_schema.json_schema.matching import MAX_STEPS, TooManyStepsError, matches
from milo_schema.json_schema.sentences import (
    LABELS,
    REQUIRED,
    TOO_LARGE,
    array_of,
    describe,
    either,
    one_of,
    suggest,
    unformatted,
    unknown,
)
from milo_schema.json_schema.subschemas import resolve_reference, step_of, step_to, target_of
from milo_schema.json_schema.values import CLASSES, GREATEST, MAX_JSON_DEPTH, json_key


class Error(NamedTuple):
    """One mistake of a value.

    Attributes:
        path: Where it is, such as ``.items[1]``.
        message: The requirement that is not met.
        keyword: The keyword that requires it.
        expected: What is expected instead, as a noun; empty if no noun can say it.
        value: The part of the value that is wrong; for a missing property, the object without it.
        limit: The value of the keyword; ``None`` if it is made of schemas.
    """

    path: str
    message: str
    keyword: str = ""
    expected: str = ""
    value: object = None
    limit: object = None

    def as_problem(self) -> Problem:
        """The same mistake as a problem, with its code."""
        facts: Any = {"code": code_of(self.keyword), **self._asdict()}
        return Problem(**facts)


class _Question(tuple["_Location", Any]):
    """A subschema at its location, and a value: is the value valid?"""

    __slots__ = ()


Step = Error | _Question | Iterable[Any]
Validator = Callable[[Any, Any, "_Location"], Iterable[Step]]

MAX_STEPS_PER_PART = 1_000
"""The most steps for each property and item of a large value, and for each part of a long text."""

NO_VALUE = "no value is valid here"
"""The error of a value under the schema ``false``, such as a property of a closed object."""


def iter_errors(
    value: Any,
    schema: Any,
    root: Any = None,
    keywords: Collection[str] | None = None,
    *,
    formats: bool = False,
) -> Iterator[Error]:
    """Yield each error of a JSON value under a schema.

    Args:
        value: A value such as ``json.loads()`` returns.
        schema: A JSON Schema whose references are all local.
        root: The schema that contains *schema* and the targets of its references.
        keywords: The keywords of *schema* to check; without any, all of them.
        formats: Whether a string must have the format that the schema names, and a number must fit
            into a float.

    Example:
        >>> from milo_schema.json_schema.validation import iter_errors
        >>> [error] = iter_errors([1, "x"], {"type": "array", "items": {"type": "integer"}})
        >>> error.path, error.message, error.keyword
        ('[1]', 'expected an integer, got "x"', 'type')
    """
    run = _Run(value, schema if root is None else root, formats=formats)
    found: set[tuple[str, str]] = set()
    try:
        for error in _Location(None, None, schema, run, 0).errors(value, keywords):
            if error[:2] not in found:
                found.add(error[:2])
                yield error
    except RecursionError:
        yield Error("", "nested too deeply for the space left on Python's stack", value=value)
    except TooManyStepsError:
        reason = f"its schema takes more than {run.most:,} steps to check; simplify it"
        yield Error("", reason, value=value)


def is_valid(value: Any, schema: Any, root: Any = None, *, formats: bool = False) -> bool:
    """Whether a JSON value is valid under a schema; see ``iter_errors()``."""
    run = _Run(value, schema if root is None else root, formats=formats)
    try:
        return _Location(None, None, schema, run, 0).accepts(value)
    except (RecursionError, TooManyStepsError):
        return False


class Trials:
    """Validations that take a limited number of steps together.

    Args:
        most: How many.
    """

    def __init__(self, most: int) -> None:
        self.left: int = most

    def errors(
        self, value: Any, schema: Any, root: Any = None, *, formats: bool = False
    ) -> list[Error] | None:
        """The errors of a JSON value; ``None`` if these take too many steps, or depend on a circle.

        A reference in a circle has no meaning (JSON Schema Core, 9.4.1).
        """
        run = _Run(value, schema if root is None else root, formats=formats)
        try:
            here = _Location(None, None, schema, run, 0)
            errors = [*here.errors(value)] if self.left > 0 else None
        except (RecursionError, TooManyStepsError):
            return None
        else:
            return None if run.circles else errors
        finally:
            self.left -= run.steps + 1


class _Run:
    """The state of one validation.

    Attributes:
        value: The whole value.
        root: The schema that contains the targets of references.
        decided: Whether a value is valid under a subschema, by the ids of both. They stay alive
            as long as the value and the root.
        deciding: How many decisions are being made; their errors are never shown.
        formats: Whether a string must have the format that the schema names, and a number must fit
            into a float.
        evaluated: The parts of a value that a subschema evaluates, by the ids of both.
        told: The places of which all errors are known: the path, and the ids of both.
        circles: The number of references in a circle; a decision that met one may depend on where
            the circle began, so it is not kept. So may one that met a slow pattern.
        unsure: The number of patterns that take too long: what holds them may not fit after all.
        steps: The number of subschemas that were applied, and of steps of patterns.
        most: The highest number of steps.
    """

    deciding: int = 0
    circles: int = 0
    unsure: int = 0
    steps: int = 0

    def __init__(self, value: Any, root: Any, *, formats: bool) -> None:
        self.formats: bool = formats
        self.value: Any = value
        self.root: Any = root
        self.decided: dict[tuple[int, int], bool] = {}
        self.evaluated: dict[tuple[int, int], set[Any]] = {}
        self.told: set[tuple[str, int, int]] = set()
        self.most: int = MAX_STEPS

    def step(self, count: int) -> None:
        """Count steps; a large value may take more of them than a small one."""
        self.steps += count
        if self.steps > self.most:
            self.most = max(self.most, MAX_STEPS_PER_PART * _size(self.value))
            if self.steps > self.most:
                raise TooManyStepsError


class Decisions:
    """Decisions whether values are valid under subschemas; each is made only once.

    Args:
        value: The whole value.
        root: The schema that contains the subschemas.

    Attributes:
        step: Takes steps; the decisions have a limited number.
    """

    def __init__(self, value: Any, root: Any) -> None:
        self._run: _Run = _Run(value, root, formats=True)
        self.step: Callable[[int], None] = self._run.step
        self._kept: list[Any] = []  # a value that is freed would give its id to another one

    def accepts(self, value: Any, schema: Any) -> bool:
        """Whether a value is valid, and each string has its format.

        Raises:
            TooManyStepsError: The schema is too complex.
        """
        self._kept.append(value)
        return _Location(None, None, schema, self._run, 0).accepts(value)


_CHARACTERS = 50
"""How many characters of a long text are a part of it."""


def _size(value: Any) -> int:
    """The number of values in a value, itself included; a long text is as many."""
    if type(value) is str:
        return 1 + len(value) // _CHARACTERS
    parts = value.values() if type(value) is dict else value if type(value) is list else ()
    names = sum(map(len, value)) if type(value) is dict else 0
    return 1 + names // _CHARACTERS + sum(map(_size, parts))


class _Location:
    """A subschema, the path of the value to check, and the references followed for that value.

    Attributes:
        keyword: The keyword that is checked; at first, that of the schema around it.
    """

    followed: tuple[str, ...] = ()
    _path: str | None = None

    def __init__(
        self,
        around: _Location | None,
        key: str | int | None,
        schema: Any,
        run: _Run,
        depth: int,
        keyword: str = "",
    ) -> None:
        self.around: _Location | None = around
        self.key: str | int | None = key
        self.schema: Any = schema
        self.run: _Run = run
        self.depth: int = depth
        self.keyword: str = keyword

    @property
    def path(self) -> str:
        """The path, which only an error needs; each place makes its own once."""
        if self._path is None:
            key, around = self.key, self.around
            step = "" if key is None else step_of(key)
            self._path = step if around is None else around.path + step
        return self._path

    def error(
        self, value: Any, reason: str, step: str = "", expected: str = "", keyword: str = ""
    ) -> Error:
        """An error about a value, here or one step further; its path takes as long as it is deep.

        The keyword is that which is checked, unless another one beside it says more.
        """
        if self.run.deciding:
            return _UNSEEN
        keyword = keyword or self.keyword
        is_closed = self.schema is False and keyword in SCHEMA_KEYWORDS
        limit = False if is_closed else self.schema.get(keyword) if self.schema else None
        has_schemas = keyword in WITH_SUBSCHEMAS and limit is not False
        return Error(
            self.path + step, reason, keyword, expected, value, None if has_schemas else limit
        )

    def refuse(self, value: Any, expected: str) -> Error:
        """An error about a value for which something else is expected here."""
        return self.error(value, f"expected {expected}, got {describe(value)}", "", expected)

    def at(self, key: str | int | None, schema: Any) -> _Location:
        """The location one step further into the value, or only into the schema."""
        if key is not None:
            return _Location(self, key, schema, self.run, self.depth + 1, self.keyword)
        found = _Location(self.around, self.key, schema, self.run, self.depth, self.keyword)
        found.followed = self.followed
        return found

    def errors(self, value: Any, keywords: Collection[str] | None = None) -> Iterator[Error]:
        """The errors of a value here."""
        run, stack = self.run, [iter(self.steps(value, keywords))]
        questions: list[tuple[int, _Location, Any, int]] = []
        answer: bool | None = None
        step: Any
        while stack:
            if answer is None:
                step = next(stack[-1], None)
            else:
                step, answer = _answered(stack[-1], answer), None
            if step is None:
                stack.pop()
                if not questions or len(stack) > questions[-1][0]:
                    continue
            elif type(step) is _Question:
                here, part = step
                if (answer := here.known(part)) is None:
                    questions.append((len(stack), here, part, run.circles))
                    run.deciding += 1
                    stack.append(iter(here.steps(part)))
                continue
            elif type(step) is not Error:
                stack.append(iter(step))
                continue
            elif not questions:
                yield step
                continue
            height, here, part, circles = questions.pop()
            del stack[height:]
            run.deciding -= 1
            answer = step is None
            here.decide(part, answer, circles)

    def steps(self, value: Any, keywords: Collection[str] | None = None) -> Iterable[Step]:
        """The steps of the validators of the keywords, one after another."""
        schema, run = self.schema, self.run
        if schema is False or self.depth > MAX_JSON_DEPTH:
            return [self.error(value, NO_VALUE if schema is False else "nested too deeply")]
        if schema is True:
            return ()
        run.steps += 1
        if run.steps > run.most:
            run.step(0)
        rest = iter(keywords or schema)
        steps = self._next(rest, value)
        return self._and(steps, rest, value) if steps else ()

    def _next(self, keywords: Iterator[str], value: Any) -> Iterable[Step]:
        """The steps of the next keyword that has any."""
        schema, kind = self.schema, type(value)
        for keyword in keywords:
            validator, classes = _CHECKED.get(keyword, _UNCHECKED)
            if classes is None or kind in classes:
                self.keyword = keyword
                if steps := validator(value, schema[keyword], self):
                    return steps
        return ()

    def _and(
        self, steps: Iterable[Step], keywords: Iterator[str], value: Any
    ) -> Generator[Step, Any, None]:
        """Some steps, and then those of other keywords."""
        while steps:
            yield from steps
            steps = self._next(keywords, value)

    def referred(self, reference: str, target: Any) -> _Location:
        """The location of the *target* of a reference."""
        found = _Location(self.around, self.key, target, self.run, self.depth)
        found.followed = (*self.followed, reference)
        return found

    def accepts(self, value: Any) -> bool:
        """Whether a value is valid here."""
        if (known := self.known(value)) is None:
            circles = self.run.circles
            self.run.deciding += 1
            known = next(self.errors(value), None) is None
            self.run.deciding -= 1
            self.decide(value, known, circles)
        return known

    def known(self, value: Any) -> bool | None:
        """Whether a value is valid here, if that is decided."""
        return self.run.decided.get((id(value), id(self.schema)))

    def decide(self, value: Any, is_valid: bool, circles: int) -> None:
        """Remember whether a value is valid here, unless there was a circle since the beginning."""
        if circles == self.run.circles:
            self.run.decided[id(value), id(self.schema)] = is_valid

    def matches(self, pattern: str, text: str) -> bool | None:
        """Whether a pattern matches; ``None`` if that takes too long to find out."""
        found = matches(pattern, text, self.run.step)
        if found is None:
            self.run.circles += 1
            self.run.unsure += 1
        return found

    def fits(self, value: Any, schema: Any) -> _Question:
        """The question whether a value is valid under another schema at this location."""
        return _Question((self.at(None, schema), value))


def _answered(steps: Any, answer: bool) -> Any:
    """The next step after the answer to a question; ``None`` if there is none."""
    try:
        return steps.send(answer)
    except StopIteration:
        return None


_UNSEEN = Error("", "not valid")
"""The error of a value while it is only decided whether it is valid."""


# -- any value ---------------------------------------------------------------------------------


def _type(value: Any, types: Any, here: _Location) -> Iterable[Step]:
    if type(types) is str and type(value) in _CLASSES.get(types, ()):  # as most are
        if types == "number" and type(value) is int and here.run.formats and abs(value) > GREATEST:
            return [here.error(value, TOO_LARGE)]
        return ()
    is_of = has_type(value, here.schema)
    return () if is_of else [here.refuse(value, either(_labels(here.schema)))]


_CLASSES = {**CLASSES, "integer": frozenset({int})}
"""The classes of the values that are certainly of a type; a float may be an integer, too."""


def has_type(value: Any, schema: Json) -> bool:
    """Whether a value has one of the types that a schema names itself."""
    return any(_is_of(value, each) for each in _types(schema))


def _types(schema: Json) -> Iterable[str]:
    types = schema.get("type", ())
    return [types] if type(types) is str else types


def _labels(schema: Json) -> Iterable[str]:
    """The types that a schema names itself, as messages call them."""
    items = schema.get("items")
    item = LABELS.get(str(items.get("type")), "") if type(items) is dict else ""
    return (array_of(item) if each == "array" else LABELS[each] for each in _types(schema))


def _is_of(value: Any, json_type: str) -> bool:
    if json_type == "integer":  # 1.0 is an integer, too (JSON Schema 2020-12, 4.2.3)
        return type(value) is int or (type(value) is float and value.is_integer())
    return type(value) in CLASSES.get(json_type, ())


def _enum(value: Any, choices: Any, here: _Location) -> Iterable[Step]:
    is_one = json_key(value) in map(json_key, choices)
    return () if is_one else [here.refuse(value, one_of(choices))]


# -- subschemas for the same value -------------------------------------------------------------


def _reference(value: Any, reference: str, here: _Location) -> Generator[Step, Any, None]:
    """The errors under the target; each is found only once, by whatever route."""
    run, target = here.run, resolve_reference(reference, here.run.root)
    if target is None:
        yield here.error(value, f"its schema refers to {reference}, which does not exist")
    elif reference in here.followed:  # it would never end (Core, section 9.4.1)
        run.circles += 1
        yield here.error(value, f"the reference {reference} is circular")
    elif not (yield _Question((there := here.referred(reference, target), value))):
        if run.deciding:
            yield _UNSEEN
        elif (told := (here.path, id(value), id(target))) not in run.told:
            run.told.add(told)
            yield there.steps(value)


def _any_of(value: Any, branches: Any, here: _Location) -> Generator[Step, Any, None]:
    for branch in branches:
        if (yield here.fits(value, branch)):
            return
    yield from (_UNSEEN,) if here.run.deciding else _of_no_branch(value, branches, here)


def _of_no_branch(value: Any, branches: Any, here: _Location) -> Generator[Step, Any, None]:
    """The errors of a value that matches no alternative: those of the one that was meant."""
    root = here.run.root
    schemas = [each for branch in branches if type(each := target_of(branch, root)) is dict]
    able = [each for each in schemas if "type" not in each or has_type(value, each)]
    meant = _meant(value, able)
    if len(meant) == 1:  # not the target itself: a reference may lead back here
        branch = next(each for each in branches if target_of(each, root) is meant[0])
        yield here.at(None, branch).steps(value)
    elif not meant and able and (tag := _wrong_tag(value, able)):
        yield here.at(None, tag).steps(value)
    elif able or not schemas:
        reason = f"{describe(value)} matches none of the {len(branches)} alternatives"
        yield here.error(value, reason)
    else:
        yield here.refuse(value, either(label for each in schemas for label in _labels(each)))


def _meant(value: Any, able: list[Json]) -> list[Json]:
    """The alternatives that were probably meant: for an object, those with the nearest names."""
    if type(value) is not dict:
        return able
    tagged = [each for each in able if _has_tags(value, each)]
    far = [len(value.keys() ^ {*each.get("required", ())}) for each in tagged]
    return [each for each, distance in zip(tagged, far, strict=True) if distance == min(far)]


def _has_tags(value: Json, schema: Json) -> bool:
    """Whether an object has the properties that identify an alternative."""
    return all(_is_tag(value, name, [tag]) for name, tag in _tags(schema).items())


def _has_other_tags(value: Json, schema: Json) -> bool:
    """Whether an object has a property that identifies another alternative."""
    tags = _tags(schema).items()
    return any(name in value and not _is_tag(value, name, [tag]) for name, tag in tags)


def _is_tag(value: Json, name: str, tags: list[Any]) -> bool:
    """Whether a property has one of the values that identify alternatives."""
    return name in value and json_key(value[name]) in map(json_key, tags)


def _tags(schema: Json) -> Json:
    """The values that identify an alternative, by the names of the properties."""
    found = schema.get("properties", {}).items()
    return {name: each["const"] for name, each in found if type(each) is dict and "const" in each}


def _wrong_tag(value: Json, able: list[Json]) -> Json | None:
    """The schema of a property that identifies the alternatives, if an object has it wrong."""
    able = [each for each in able if not _has_other_tags(value, each)] or able
    tags = [*map(_tags, able)]
    for name in tags[0]:
        known = [each[name] for each in tags if name in each]
        is_given = name in value or all(name in each.get("required", ()) for each in able)
        if len(known) == len(able) and is_given and not _is_tag(value, name, known):
            return {"required": [name], "properties": {name: {"enum": known}}}
    return None


def _one_of(value: Any, branches: Any, here: _Location) -> Generator[Step, Any, None]:
    fitting, unsure = 0, here.run.unsure
    for branch in branches:
        fitting += yield here.fits(value, branch)
    if fitting < 1 or (fitting > 1 and here.run.unsure == unsure):
        reason = f"matches {fitting} of the {len(branches)} alternatives, not exactly one"
        yield here.error(value, f"{describe(value)} {reason}")


def _all_of(value: Any, branches: Any, here: _Location) -> Iterable[Step]:
    return (here.at(None, branch).steps(value) for branch in branches)


def _not(value: Any, schema: Any, here: _Location) -> Generator[Step, Any, None]:
    unsure = here.run.unsure
    if (yield here.fits(value, schema)) and here.run.unsure == unsure:
        yield here.error(value, f'{describe(value)} is excluded by "not"')


def _if(value: Any, condition: Any, here: _Location) -> Generator[Step, Any, None]:
    unsure = here.run.unsure
    branch = "then" if (yield here.fits(value, condition)) else "else"
    if branch in here.schema and (branch == "else" or here.run.unsure == unsure):
        yield here.at(None, here.schema[branch]).steps(value)


# -- properties and items ----------------------------------------------------------------------


def _parts(value: Any, keys: Iterable[Any], schema: Any, here: _Location) -> Iterable[Step]:
    """The errors of some properties or items, which one schema is for."""
    if schema is True and here.depth < MAX_JSON_DEPTH:
        return ()
    return (steps for key in keys if (steps := here.at(key, schema).steps(value[key])))


def _properties(value: Any, properties: Any, here: _Location) -> Generator[Step, Any, None]:
    for name, schema in properties.items():
        if name in value and (steps := here.at(name, schema).steps(value[name])):
            yield steps


def _required(value: Any, names: Any, here: _Location) -> Iterable[Step]:
    if value.keys() >= {*names}:
        return ()
    return _refuse_missing(value, [name for name in names if name not in value], here)


def _refuse_missing(value: Json, missing: list[str], here: _Location) -> Generator[Step, Any, None]:
    for name in missing:
        yield here.error(value, REQUIRED, step_to(name))
    if here.schema.get("additionalProperties", True) is True:
        yield from _misspelled(value, here)


def _misspelled(value: Json, here: _Location) -> Generator[Step, Any, None]:
    """Name the properties that an open object ignores, if they were to be those that it lacks."""
    declared = here.schema.get("properties", {})
    absent = [name for name in declared if name not in value]
    for name in value:
        if name not in declared and suggest(name, absent):
            said, step = unknown("property", name, absent), step_to(name)
            yield here.error(value[name], said, step, keyword="additionalProperties")


def _additional(value: Any, schema: Any, here: _Location) -> Iterable[Step]:
    patterns = here.schema.get("patternProperties", ())
    known = here.schema.get("properties", {})
    others = [name for name in value if name not in known]
    if patterns:
        others = [
            name
            for name in others
            if all(here.matches(pattern, name) is False for pattern in patterns)
        ]
    if not others:
        return ()
    if schema is False and not here.run.deciding:
        reasons = ((name, unknown("property", name, [*known])) for name in others)
        return (here.error(value[name], reason, step_to(name)) for name, reason in reasons)
    return _parts(value, others, schema, here)


def _pattern_properties(value: Any, patterns: Any, here: _Location) -> Iterable[Step]:
    return (
        here.at(name, schema).steps(value[name])
        for name in value
        for pattern, schema in patterns.items()
        if here.matches(pattern, name)
    )


def _property_names(value: Any, schema: Any, here: _Location) -> Iterable[Step]:
    return (here.at(name, schema).steps(name) for name in value)


def _dependent_required(value: Any, names: Any, here: _Location) -> Generator[Step, Any, None]:
    for name, others in names.items():
        if name in value:
            yield from _required(value, others, here)


def _dependent_schemas(value: Any, schemas: Any, here: _Location) -> Iterable[Step]:
    return (here.at(None, schemas[name]).steps(value) for name in schemas if name in value)


def _prefix_items(value: Any, schemas: Any, here: _Location) -> Iterable[Step]:
    pairs = enumerate(zip(value, schemas, strict=False))
    return (here.at(index, schema).steps(item) for index, (item, schema) in pairs)


def _items(value: Any, schema: Any, here: _Location) -> Iterable[Step]:
    first = len(here.schema.get("prefixItems", ()))
    return _parts(value, range(first, len(value)), schema, here)


def _unique(value: Any, is_unique: Any, here: _Location) -> Iterable[Step]:
    if not is_unique or len({json_key(item) for item in value}) == len(value):
        return ()
    seen: dict[Any, int] = {}
    pairs = ((seen.setdefault(json_key(item), at), at) for at, item in enumerate(value))
    first, second = next((first, at) for first, at in pairs if first != at)
    return [here.error(value, f"must be unique; items {first} and {second} are equal")]


def _contains(value: Any, schema: Any, here: _Location) -> Generator[Step, Any, None]:
    found = 0
    for index, item in enumerate(value):
        found += yield _Question((here.at(index, schema), item))
    least, most = here.schema.get("minContains", 1), here.schema.get("maxContains", found)
    if found < least:
        reason = f"at least {least} of its items must match 'contains', got {found}"
        keyword = "minContains" if "minContains" in here.schema else ""
        yield here.error(value, reason, keyword=keyword)
    elif found > most:
        reason = f"at most {most} of its items may match 'contains', got {found}"
        yield here.error(value, reason, keyword="maxContains")


# -- evaluated properties and items ------------------------------------------------------------
#
# "unevaluatedProperties" and "unevaluatedItems" apply to the parts that no other keyword has
# evaluated, beside them or in a subschema that accepts the same value (Core, section 11).


def _unevaluated(value: Any, schema: Any, here: _Location) -> Iterable[Step]:
    evaluated = _evaluated(value, here)
    return _parts(value, [key for key in _keys(value) if key not in evaluated], schema, here)


def _keys(value: Any) -> Iterable[Any]:
    return value if type(value) is dict else range(len(value))


def _evaluated(value: Any, here: _Location) -> set[Any]:
    """The names of the properties, or the indexes of the items, that a schema evaluates."""
    key = id(value), id(here.schema)
    if key in here.run.evaluated:
        return here.run.evaluated[key]
    evaluated = set(_evaluated_here(value, here.schema, here))
    for place in _in_place(value, here):
        if type(place.schema) is dict and place.accepts(value):
            rest = "unevaluatedProperties" if type(value) is dict else "unevaluatedItems"
            if rest in place.schema:
                evaluated.update(_keys(value))
            evaluated |= _evaluated(value, place)
    here.run.evaluated[key] = evaluated
    return evaluated


def _evaluated_here(value: Any, schema: Any, here: _Location) -> Iterator[Any]:
    """The properties and items that the keywords of one schema itself evaluate."""
    if type(value) is dict:
        if "additionalProperties" in schema:
            yield from value
        yield from schema.get("properties", ())
        for pattern in schema.get("patternProperties", ()):
            for name in value:
                if here.matches(pattern, name) is not False:
                    yield name
    else:
        yield from range(len(value if "items" in schema else schema.get("prefixItems", ())))
        if "contains" in schema:
            wanted = schema["contains"]
            for index, item in enumerate(value):
                if here.at(index, wanted).accepts(item):
                    yield index


def _in_place(value: Any, here: _Location) -> Iterator[_Location]:
    """The subschemas for the same value (Core, sections 10.2.1 and 10.2.2)."""
    schema = here.schema
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from (here.at(None, branch) for branch in schema.get(keyword, ()))
    reference = schema.get("$ref")
    if reference is not None and reference not in here.followed:
        yield here.referred(reference, resolve_reference(reference, here.run.root))
    if "if" in schema:
        yield here.at(None, schema["if"])
        chosen = "then" if here.at(None, schema["if"]).accepts(value) else "else"
        yield here.at(None, schema.get(chosen))
    for name, dependent in schema.get("dependentSchemas", {}).items():
        if type(value) is dict and name in value:
            yield here.at(None, dependent)


# -- bounds ------------------------------------------------------------------------------------


def _pattern(value: Any, pattern: str, here: _Location) -> Iterable[Step]:
    if here.matches(pattern, value) is False:
        return [here.error(value, f"must match {shorten(pattern, 200)}, got {describe(value)}")]
    return ()


def _format(value: Any, name: Any, here: _Location) -> Iterable[Step]:
    is_refused = here.run.formats and type(name) is str and not has_format(value, name)
    return [here.error(value, unformatted(value, name))] if is_refused else ()


def _multiple_of(value: Any, factor: Any, here: _Location) -> Iterable[Step]:
    if not _is_multiple(value, factor):
        return [here.error(value, f"must be a multiple of {factor}, got {describe(value)}")]
    return ()


def _is_multiple(value: Any, factor: Any) -> bool:
    """Whether a number is a multiple: exact for integers, as close as floats allow for others."""
    import math  # a shared library, which is loaded in 2 ms

    if _is_of(value, "integer") and _is_of(factor, "integer"):
        return int(value) % int(factor) == 0
    if type(value) is float and not math.isfinite(value):
        return False
    try:
        ratio = value / factor
        return math.isclose(ratio, round(ratio), rel_tol=1e-9, abs_tol=1e-9)
    except OverflowError:  # too large for a float
        from fractions import Fraction

        return Fraction(value) % Fraction(str(factor)) == 0


def _bound(name: str) -> Validator:
    """A validator for the size of a value: of a number its value, of others their length."""
    is_of_numbers = "number" in KEYWORDS[name].types

    def validator(value: Any, bound: Any, here: _Location) -> Iterable[Step]:
        error = bound_error(name, value if is_of_numbers else len(value), bound)
        return [here.error(value, error)] if error else ()

    return validator


VALIDATORS: dict[str, Validator] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value, choice, here: _enum(value, [choice], here),
    "$ref": _reference,
    "$dynamicRef": _reference,  # the same, without "$dynamicAnchor": Core, section 8.2.3.2
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "not": _not,
    "if": _if,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "unevaluatedProperties": _unevaluated,
    "prefixItems": _prefix_items,
    "items": _items,
    "uniqueItems": _unique,
    "contains": _contains,
    "unevaluatedItems": _unevaluated,
    "pattern": _pattern,
    "multipleOf": _multiple_of,
    **{name: _bound(name) for name in BOUNDS},
}
"""The keywords that are checked, each with a function that yields its errors.

The function is only called for values of the types that the keyword restricts.
"""

_ABOUT: dict[str, frozenset[type]] = {
    name: frozenset().union(*(CLASSES[each] for each in row.types))
    for name, row in KEYWORDS.items()
    if row.types != TYPES
}
"""The classes of the JSON values that a keyword restricts, unless it restricts all."""

_CHECKED: dict[str, tuple[Validator, frozenset[type] | None]] = {
    name: (validator, _ABOUT.get(name))
    for name, validator in {**VALIDATORS, "format": _format}.items()
}
"""Each validator with these classes; ``format`` is asserted only on request."""

_UNCHECKED: tuple[Validator, frozenset[type]] = _format, frozenset()
"""For any other keyword, which restricts nothing."""
