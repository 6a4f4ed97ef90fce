"""The mutation check itself: its mutants are what they say, one of them is noticed, and the survivors that are explained still survive."""

from __future__ import annotations

import difflib

import pytest

from mutations.operators import OPERATORS, Mutant, mutants
from mutations.run import EACH, SURVIVORS, check, explained
from plainchant.data import data_folder

RULES = data_folder("rules") / "tcu"


def test_there_are_enough_mutants_of_every_operator() -> None:
    chosen = mutants(RULES, EACH)
    assert len(chosen) >= 60
    assert {mutant.operator for mutant in chosen} == set(OPERATORS)
    assert chosen == mutants(RULES, EACH)


def test_each_mutant_changes_one_place_and_no_citation() -> None:
    for mutant in mutants(RULES, EACH):
        shipped = (RULES / mutant.file).read_text(encoding="utf-8")
        # Spaces before a citation are not kept, so only the words are compared.
        old, new = ([line.split(" @")[0].rstrip() for line in text.split("\n")] for text in (shipped, mutant.text))
        changed = [line for line in difflib.unified_diff(old, new, lineterm="", n=0) if line.startswith("@@")]
        assert len(changed) == 1, mutant.name


def test_the_explained_survivors_are_among_the_mutants() -> None:
    assert SURVIVORS.is_file()
    names = {mutant.name for mutant in mutants(RULES, EACH)}
    assert set(explained()) <= names, "their lines have changed: run the mutation check again"


@pytest.mark.parametrize(
    ("before", "means"), [('"Yes." only if', "claims"), ("if it_is_act_1: record heretics as 4", "text")], ids=["restriction", "range"]
)
def test_a_mutant_is_noticed(before: str, means: str) -> None:
    wanted = {"claims": "restriction dropped", "text": "wrong entry recorded"}[means]
    (mutant, *_) = [one for one in mutants(RULES, 1_000) if one.before.startswith(before) and one.operator == wanted]
    assert isinstance(mutant, Mutant)
    assert means in check(mutant).means
