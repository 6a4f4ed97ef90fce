"""Records: nobody changes them, and what is kept apart makes no difference to which are equal."""

from __future__ import annotations

import pickle
from functools import cached_property

import pytest

from plainchant.meaning import symbols
from plainchant.records import Frozen, PartlyCompared, compared, field, replace
from plainchant.text import tree as t


class Pair(Frozen, dict=True):
    left: int
    right: tuple[int, ...] = ()
    notes: dict[str, int] = field(default_factory=dict)

    @cached_property
    def total(self) -> int:
        return self.left + sum(self.right)


class Same(Frozen):
    left: int
    right: tuple[int, ...] = ()


class Shown(PartlyCompared):
    APART = frozenset({"where"})

    text: str
    where: int = 0


class Other(PartlyCompared):
    text: str


@pytest.mark.parametrize("record", [Same(1), Shown("a"), t.Name("a")])
def test_a_record_is_not_changed(record: Frozen) -> None:
    for name in (record.__struct_fields__[0], "more"):
        with pytest.raises(AttributeError):
            setattr(record, name, 2)


def test_records_are_equal_if_class_and_fields_are() -> None:
    assert Same(1, (2,)) == Same(1, (2,))
    assert hash(Same(1, (2,))) == hash(Same(1, (2,)))
    assert Same(1, (2,)) not in (Same(2, (2,)), Same(1), Pair(1, (2,)))


def test_what_is_kept_apart_makes_no_difference() -> None:
    assert Shown("a", 1) == Shown("a", 2)
    assert hash(Shown("a", 1)) == hash(Shown("a", 2))
    assert Shown("a", 1) not in (Shown("b", 1), Other("a"), "a")
    assert repr(Shown("a", 1)) == "Shown(text='a')"
    assert compared(t.Book) == tuple(name for name in t.Book.__struct_fields__ if name not in ("span", "order_at"))


def test_what_was_worked_out_is_not_handed_on() -> None:
    pair = Pair(1, (2, 3))
    assert pair.total == 6
    assert replace(pair, left=2).total == 7
    read = pickle.loads(pickle.dumps(pair))
    assert read == pair
    assert vars(read) == {}


@pytest.mark.parametrize("record", [Shown("a", 1), t.Name("a", span=t.Span("f", 1, 1, 1, 2))])
def test_what_is_kept_apart_is_handed_on(record: PartlyCompared) -> None:
    read = pickle.loads(pickle.dumps(record))
    assert [getattr(read, name) for name in record.__struct_fields__] == [getattr(record, name) for name in record.__struct_fields__]


def test_defaults_are_not_shared() -> None:
    Pair(1).notes["a"] = 1
    assert Pair(1).notes == {}


def test_every_name_that_is_kept_apart_is_a_field() -> None:
    waiting, seen = [PartlyCompared], list[type[PartlyCompared]]()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        seen.append(kind)
    says = [kind for kind in seen if "APART" in vars(kind) and kind is not PartlyCompared]
    assert {symbols.Symbol, t.Node} <= set(says)
    fields = {kind: {name for below in seen if issubclass(below, kind) for name in below.__struct_fields__} for kind in says}
    assert [kind for kind in says if kind.APART - fields[kind]] == []
