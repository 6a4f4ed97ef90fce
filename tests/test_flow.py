"""Functions that let most kinds of node go at once let none go that they have a case for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from plainchant.meaning import expansion, flow
from plainchant.meaning.flow import bodies
from plainchant.text import tree as t

STATEMENTS = strategies.statements_by_class()


@pytest.mark.parametrize(
    ("function", "kinds", "parts"),
    [
        (flow.bodies, flow._WITH_BLOCKS, {"Statement", "Body"}),
        (expansion._named_by, expansion._NAMING, {"Node"}),
        (expansion._times, expansion._OFTEN, {"Node", "Name", "Number", "That"}),
    ],
)
def test_the_kinds_that_are_looked_at_are_those_of_the_cases(function: Callable[..., Any], kinds: frozenset[type], parts: set[str]) -> None:
    told = set(re.findall(r"\bt\.(\w+)", inspect.getsource(function)))
    assert told - parts == {kind.__name__ for kind in kinds}


def _blocks(value: object) -> Iterator[t.Body]:
    if isinstance(value, t.Body):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _blocks(part)
    elif isinstance(value, t.Node):
        yield from _blocks(t.children(value))


@pytest.mark.parametrize("kind", STATEMENTS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_every_block_below_a_statement_is_found(kind: type, data: st.DataObject) -> None:
    statement = data.draw(STATEMENTS[kind])
    assert list(bodies(statement)) == list(_blocks(statement))
