"""Every row of the table: the text of its schema, and its meaning."""

import contextlib
import functools
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from milo_schema import (
    Profile,
    SchemaError,
    SchemaWarning,
    libraries,
    profiles,
    type_to_schema,
)
from milo_schema.annotations.classes import is_class, loaded
from milo_schema.annotations.forms import split
from milo_schema.callables import records
from milo_schema.nodes import metadata, reader, table
from tests.cases import CASES, Case, Json
from tests.every import every
from tests.needs import lacking

pytestmark = pytest.mark.core

PROFILES = [profiles.MCP, profiles.MILO]
SAID = [case for case in CASES if case.mcp is not None]
REFUSED = [case for case in CASES if case.refused is not None]


def rows(cases: list[Case]) -> pytest.MarkDecorator:
    params = []
    for case in cases:
        reason = lacking(case.needs)
        marks = [pytest.mark.skip(reason=reason)] if reason else []
        params.append(pytest.param(case, id=str(case), marks=marks))
    return pytest.mark.parametrize("case", params)


every_profile = every("profile", PROFILES, ids=lambda profile: profile.name)


def derive(case: Case, profile: Profile, annotation: Any = None, *, strict: bool = False) -> Json:
    """The schema of a row; it warns if strict mode refuses the row."""
    annotation = case.type if annotation is None else annotation
    warns = case.refused and not strict
    with pytest.warns(SchemaWarning) if warns else contextlib.nullcontext():
        return type_to_schema(annotation, profile=case.profile(profile), strict=strict)


# -- formats that jsonschema knows only with further packages ----------------------------------

FORMATS = jsonschema.FormatChecker()
_TIME = r"\d\d:\d\d:\d\d(\.\d+)?(Z|z|[+-]\d\d:\d\d)"
_DAYS = r"(\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)"
_TIMES = r"T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S)"
for _name, _text in {
    "time": _TIME,
    "date-time": rf"\d{{4}}-\d\d-\d\d[Tt]{_TIME}",
    "duration": rf"P({_DAYS}({_TIMES})?|{_TIMES}|\d+W)",  # RFC 3339, appendix A
}.items():
    FORMATS.checks(_name)(
        lambda value, text=_text: not isinstance(value, str) or bool(re.fullmatch(text, value))
    )


def judges(schema: Json) -> Iterator[Any]:
    """Two validators that share no code."""
    yield jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
    yield jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


def subschemas(schema: Any) -> Iterator[Json]:
    """Every subschema of a schema, without the values of a default or an enum."""
    if isinstance(schema, dict):
        yield schema
        for keyword, value in schema.items():
            if keyword in {"properties", "$defs", "patternProperties", "dependentSchemas"}:
                for below in value.values():
                    yield from subschemas(below)
            elif keyword not in {"default", "enum", "const", "examples"}:
                for below in value if isinstance(value, list) else [value]:
                    yield from subschemas(below)


# -- the text of a schema ----------------------------------------------------------------------


def is_exactly_what_the_table_has(case: Case, profile: Profile, schema: Json) -> None:
    assert schema == case.says(profile)


def is_the_same_in_strict_mode_if_that_takes_it(case: Case, profile: Profile, _: Json) -> None:
    if case.refused is None:
        assert derive(case, profile, strict=True) == case.says(profile)


def is_valid_under_the_meta_schema(_case: Case, _profile: Profile, schema: Json) -> None:
    assert jsonschema_rs.meta.is_valid(schema)  # jsonschema needs 3 ms, and judges the dialects


def is_pure_json(_case: Case, _profile: Profile, schema: Json) -> None:
    again = json.loads(json.dumps(schema, allow_nan=False))
    assert again == schema
    assert repr(again) == repr(schema)  # True is not 1, nor a subclass of str a str


def has_its_references_in_order(_case: Case, _profile: Profile, schema: Json) -> None:
    below = list(subschemas(schema))
    references = [each["$ref"] for each in below if "$ref" in each]
    names = schema.get("$defs", {})

    assert "$ref" not in schema
    assert [each for each in below if "$ref" in each and len(each) > 1] == []
    assert set(references) == {f"#/$defs/{name}" for name in names}
    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9._-]+", name)] == []
    assert [each for each in below[1:] if "$defs" in each] == []


def is_fresh(case: Case, profile: Profile, _: Json) -> None:
    annotation = case.type
    spoil(derive(case, profile, annotation))
    assert derive(case, profile, annotation) == case.says(profile)


def spoil(value: Any) -> None:
    """Change everything in *value* that can be changed."""
    below = value.values() if isinstance(value, dict) else value
    for each in list(below):
        if isinstance(each, (dict, list)):
            spoil(each)
    value.clear()


FACTS = (
    is_exactly_what_the_table_has,
    is_the_same_in_strict_mode_if_that_takes_it,
    is_valid_under_the_meta_schema,
    is_pure_json,
    has_its_references_in_order,
    is_fresh,
)


@every_profile
@rows(SAID)
def test_schema_of_a_row(case: Case, profile: Profile) -> None:
    schema = derive(case, profile)
    for fact in FACTS:
        fact(case, profile, schema)


# -- errors of strict mode ---------------------------------------------------------------------


@every_profile
@rows(REFUSED)
def test_strict_mode_refuses_with_place_and_reason(case: Case, profile: Profile) -> None:
    assert case.refused is not None
    with pytest.raises(SchemaError) as caught:
        derive(case, profile, strict=True)

    place, reason = case.refused
    assert caught.value.path == place
    assert caught.value.message.startswith(reason)


@every_profile
@rows([case for case in REFUSED if case.mcp is not None])
def test_warnings_equal_the_errors_of_strict_mode(case: Case, profile: Profile) -> None:
    assert case.refused is not None
    with pytest.warns(SchemaWarning) as caught:
        type_to_schema(case.type, profile=case.profile(profile))

    place, reason = case.refused
    assert caught[0].message.path == place
    assert caught[0].message.message.startswith(reason)


@every_profile
@rows([case for case in REFUSED if case.mcp is None])
def test_unsupported_annotations_are_an_error_in_every_mode(case: Case, profile: Profile) -> None:
    assert case.refused is not None
    with pytest.raises(SchemaError) as caught:
        type_to_schema(case.type, profile=case.profile(profile))

    assert caught.value.path == case.refused[0]
    assert caught.value.message.startswith(case.refused[1])


# -- the meaning of a schema -------------------------------------------------------------------


def accepts_what_the_table_accepts(case: Case, schema: Json) -> None:
    for judge in judges(schema):
        assert [value for value in case.accepts if not judge.is_valid(value)] == []


def rejects_what_the_table_rejects(case: Case, schema: Json) -> None:
    for judge in judges(schema):
        assert [value for value in case.rejects if judge.is_valid(value)] == []


def accepts_its_own_defaults(_: Case, schema: Json) -> None:
    for each in subschemas(schema):
        if "default" in each and "$defs" not in each:
            for judge in judges({**each, "$defs": schema.get("$defs", {})}):
                assert judge.is_valid(each["default"]), each


MEANINGS = (
    accepts_what_the_table_accepts,
    rejects_what_the_table_rejects,
    accepts_its_own_defaults,
)


@every("case", SAID)
def test_meaning_of_a_row(case: Case) -> None:
    if reason := lacking(case.needs):
        pytest.skip(reason)
    schema = derive(case, profiles.MCP)
    for meaning in MEANINGS:
        meaning(case, schema)


# -- the table itself --------------------------------------------------------------------------


def test_every_row_has_a_unique_name() -> None:
    names = [str(case) for case in CASES]

    assert [name for name, times in Counter(names).items() if times > 1 or not name] == []
    assert len(names) >= 560


def test_every_row_has_an_expectation() -> None:
    assert [str(case) for case in CASES if case.mcp is None and case.refused is None] == []
    silent = [case for case in SAID if not (case.accepts or case.rejects or case.refused)]
    assert [str(case) for case in silent] == []


@functools.cache
def _heads() -> list[Any]:
    """The outermost part of each row that can be expressed here."""
    annotations = [case.type for case in CASES if not lacking(case.needs)]
    return [head for tp in annotations for head in (tp, split(tp)[0])]


@every("key", table.RULES)
def test_every_key_of_the_rules_has_a_row(key: Any) -> None:
    assert any(head is key for head in _heads())


@every("key", table.NAMED)
def test_every_named_type_has_a_row(key: str) -> None:
    module, _, name = key.rpartition(".")
    importable = importlib.util.find_spec(module) is not None
    found = vars(importlib.import_module(module)) if importable else {}
    named = found.get(name)  # not by getattr(): 3.15 warns about ByteString
    if named is None:
        pytest.skip(f"no {key} here")

    assert any(head is named for head in _heads())


@pytest.mark.filterwarnings("ignore::milo_schema.SchemaWarning")
def test_every_family_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    used = []

    def find(*args: Any) -> Any:
        found = table.find_rule(*args)
        used.append(found[0])
        return found

    monkeypatch.setattr(reader, "find_rule", find)
    for case in SAID:
        if not lacking(case.needs):
            type_to_schema(case.type, profile=case.profile(profiles.MCP))
    assert type_to_schema(Hashable) == {}  # it has no row: codecs take values without JSON for it

    assert [rule for _, rule in (*table.CLASS_FAMILIES, *table.FAMILIES) if rule not in used] == []


RECORDS = (*records.READERS, *libraries.rows("RECORDS"))
METADATA = (*metadata.METADATA, *libraries.rows("METADATA"))


@every("reader", range(len(RECORDS)))
def test_every_kind_of_record_has_a_row(reader: int) -> None:
    belongs, read = RECORDS[reader]
    classes = [head for head in _heads() if isinstance(head, type)]

    assert any(
        belongs(head) and not any(earlier(head) for earlier, _ in RECORDS[:reader])
        for head in classes
        if is_class(head)
    ), read


@every("dotted", [dotted for dotted, _ in METADATA])
def test_every_kind_of_foreign_metadata_has_a_row(dotted: str) -> None:
    metadata = [getattr(case.type, "__metadata__", ()) for case in CASES if not lacking(case.needs)]
    classes = [cls for pieces in metadata for piece in pieces for cls in type(piece).__mro__]
    if loaded(dotted) is None:
        pytest.skip(f"no {dotted} here")

    assert any(cls is loaded(dotted) for cls in classes)
