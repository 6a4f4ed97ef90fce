"""The mutation check itself: its mutants are what they say, one of them is noticed, and the survivors that are explained still survive."""

from __future__ import annotations

import difflib
import re

import pytest

from mutations.operators import OPERATORS, mutants
from mutations.run import EACH, SURVIVORS, check, explained
from plainchant.data import data_folder
from plainchant.records import replace

RULES = data_folder("rules") / "tcu"


def test_there_are_enough_mutants_of_every_operator() -> None:
    chosen = mutants(RULES, EACH)
    assert len(chosen) >= 60
    assert {mutant.operator for mutant in chosen} == set(OPERATORS)
    assert chosen == mutants(RULES, EACH)


def test_each_mutant_changes_one_place_and_no_citation() -> None:
    for mutant in mutants(RULES, EACH):
        shipped = (RULES / mutant.file).read_text(encoding="utf-8")
        difference = list(difflib.unified_diff(shipped.split("\n"), mutant.text.split("\n"), lineterm="", n=0))
        assert len([line for line in difference if line.startswith("@@")]) == 1, mutant.name
        removed, added = ([line[1:] for line in difference[2:] if line.startswith(sign)] for sign in ("-", "+"))
        cited = [re.findall(r" @[\w:,\-]+", line) for line in added]
        assert all(cites in [re.findall(r" @[\w:,\-]+", line) for line in shipped.split("\n")] for cites in cited)
        assert removed or mutant.operator == "statement doubled"


def test_the_explained_survivors_are_among_the_mutants() -> None:
    assert SURVIVORS.is_file()
    names = {mutant.name for mutant in mutants(RULES, EACH)}
    assert set(explained()) <= names, "their lines have changed: run the mutation check again"


def test_what_is_not_changed_is_not_noticed() -> None:
    mutant = mutants(RULES, 1)[0]
    shipped = (RULES / mutant.file).read_text(encoding="utf-8")
    assert check(replace(mutant, text=shipped)).means == ()


@pytest.mark.parametrize(
    ("operator", "before", "means"),
    [
        ("restriction dropped", '"Yes." only if', "claims"),
        ("count off by one", "if it_is_act_1: record heretics as 4", "text"),
        ("token swapped", "add 2 elder_thing tokens", "plays"),
    ],
)
def test_a_mutant_is_noticed(operator: str, before: str, means: str) -> None:
    found = [one for one in mutants(RULES, 1_000) if one.before.startswith(before) and one.operator == operator]
    assert found
    assert means in check(found[0]).means
