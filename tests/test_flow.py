"""Where statements lead: every block below one is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from plainchant.meaning.flow import bodies
from plainchant.text import tree as t

STATEMENTS = strategies.statements_by_class()


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
