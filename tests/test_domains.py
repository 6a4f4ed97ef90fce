"""The one evaluator over its domains: plain values, functions, Python text and sets of possible values say the same about one program."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books import Table, compiled_text, machine
from plainchant.meaning.domains import Functions, PythonText, Values
from plainchant.meaning.evaluate import carry_out, number, truth
from plainchant.meaning.kernel import (
    All,
    Branch,
    Cases,
    Cond,
    Const,
    Either,
    Equal,
    Goto,
    Less,
    Minus,
    Num,
    Opposite,
    Plus,
    Program,
    Range,
    Read,
    Set,
    Some,
    Stop,
    Truth,
    all_of,
    at_most,
    number_of,
    opposite,
    reads,
    some_of,
)
from plainchant.play.machine import Machine
from plainchant.play.moment import Moment, taken
from plainchant.play.session import Session
from possible_values import ANY, Possible, PossibleValues, State, admitted, joined

VARIABLES = 4
VALUES = Values()
POSSIBLE = PossibleValues()

small = st.integers(-3, 6)
states = st.lists(small, min_size=VARIABLES, max_size=VARIABLES)
plain_numbers: st.SearchStrategy[Num] = st.one_of(st.builds(Const, small), st.builds(Read, st.integers(0, VARIABLES - 1)))


def _numbers(depth: int) -> st.SearchStrategy[Num]:
    """Number expressions that are nested at most so deep."""
    if depth == 0:
        return plain_numbers
    inner = _numbers(depth - 1)
    either = st.builds(Either, _conditions(depth - 1), inner, inner)
    return st.one_of(plain_numbers, st.builds(Plus, inner, inner), st.builds(Minus, inner, inner), either)


def _conditions(depth: int) -> st.SearchStrategy[Cond]:
    """Conditions that are nested at most so deep."""
    if depth == 0:
        return st.builds(Truth, st.booleans())
    sides, inner = _numbers(depth - 1), _conditions(depth - 1)
    several = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Equal, sides, sides),
        st.builds(Less, sides, sides),
        st.builds(All, several),
        st.builds(Some, several),
        st.builds(Opposite, inner),
    )


numbers, conditions = _numbers(3), _conditions(3)
assignments = st.lists(st.builds(Set, st.integers(0, VARIABLES - 1), numbers), max_size=4).map(tuple)


def _computed(text: str, state: list[int]) -> object:
    return eval(text, {"__builtins__": {}}, {"s": state})


# ---------------------------------------------------------------- values, functions and Python text


@given(numbers, conditions, states)
def test_functions_compute_what_values_are(expression: Num, condition: Cond, state: list[int]) -> None:
    domain = Functions()
    assert number(expression, domain.read, domain)(state) == number(expression, state.__getitem__, VALUES)
    assert truth(condition, domain.read, domain)(state) == truth(condition, state.__getitem__, VALUES)


@given(assignments, states)
def test_assignments_as_functions_do_what_values_say(sets: tuple[Set, ...], state: list[int]) -> None:
    expected = list(state)
    for variable, value in carry_out(sets, state.__getitem__, VALUES).items():
        expected[variable] = value
    domain = Functions()
    carry_out(sets, domain.read, domain)
    for variable, function in domain.made:
        state[variable] = function(state)
    assert state == expected


@given(numbers, conditions, states)
def test_python_text_computes_what_values_are(expression: Num, condition: Cond, state: list[int]) -> None:
    domain = PythonText()
    assert _computed(number(expression, domain.read, domain), state) == number(expression, state.__getitem__, VALUES)
    assert _computed(truth(condition, domain.read, domain), state) == truth(condition, state.__getitem__, VALUES)


@given(assignments, states)
def test_assignments_as_text_do_what_values_say(sets: tuple[Set, ...], state: list[int]) -> None:
    expected = list(state)
    for variable, value in carry_out(sets, state.__getitem__, VALUES).items():
        expected[variable] = value
    domain = PythonText()
    carry_out(sets, domain.read, domain)
    exec("\n".join(domain.lines), {"__builtins__": {}}, {"s": state})
    assert state == expected


@given(st.lists(conditions, max_size=3), numbers, numbers, states)
def test_shortened_conditions_mean_the_same(items: list[Cond], left: Num, right: Num, state: list[int]) -> None:
    def holds(condition: Cond) -> bool:
        return truth(condition, state.__getitem__, VALUES)

    assert holds(all_of(*items)) == all(holds(item) for item in items)
    assert holds(some_of(*items)) == any(holds(item) for item in items)
    assert all(holds(opposite(item)) != holds(item) for item in items)
    assert number(number_of(tuple(items)), state.__getitem__, VALUES) == sum(holds(item) for item in items)
    first, second = (number(side, state.__getitem__, VALUES) for side in (left, right))
    assert holds(at_most(left, right)) == (first <= second)


@given(numbers, states, states)
def test_only_what_is_read_matters(expression: Num, state: list[int], other: list[int]) -> None:
    read = set(reads(expression))
    mixed = [old if i in read else new for i, (old, new) in enumerate(zip(state, other, strict=True))]
    assert number(expression, mixed.__getitem__, VALUES) == number(expression, state.__getitem__, VALUES)


def test_what_is_no_expression_is_refused() -> None:
    with pytest.raises(TypeError, match="not a number expression"):
        number(Truth(True), [0].__getitem__, VALUES)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a condition"):
        truth(Const(1), [0].__getitem__, VALUES)  # type: ignore[arg-type]


# ---------------------------------------------------------------- sets of possible values

possible_numbers = st.one_of(st.just(ANY), st.frozensets(small, min_size=1, max_size=4))
possible_states = st.lists(possible_numbers, min_size=VARIABLES, max_size=VARIABLES).map(tuple)


def _one_of(data: st.DataObject, state: State) -> list[int]:
    """Values that a state admits."""
    return [data.draw(small if values is None else st.sampled_from(sorted(values))) for values in state]


@given(st.data(), possible_states, numbers, conditions)
def test_a_value_is_among_the_possible_ones(data: st.DataObject, state: State, expression: Num, condition: Cond) -> None:
    one = _one_of(data, state)
    values = number(expression, state.__getitem__, POSSIBLE)
    assert values is ANY or number(expression, one.__getitem__, VALUES) in values
    assert truth(condition, one.__getitem__, VALUES) in truth(condition, state.__getitem__, POSSIBLE)


@given(st.data(), possible_states, conditions, st.booleans())
def test_what_a_condition_admits_keeps_every_value_that_meets_it(data: st.DataObject, state: State, condition: Cond, wanted: bool) -> None:
    one = _one_of(data, state)
    if truth(condition, one.__getitem__, VALUES) == wanted:
        kept = admitted(state, condition, wanted)
        assert kept is not None
        assert all(values is None or value in values for value, values in zip(one, kept, strict=True))
        assert all(joined(old, new) == old for old, new in zip(state, kept, strict=True))


def test_a_condition_narrows_what_is_possible() -> None:
    state: State = (frozenset({0, 1, 2}), frozenset({1, 2}), ANY, frozenset({5}))
    assert admitted(state, Less(Read(0), Read(1))) == (frozenset({0, 1}), frozenset({1, 2}), ANY, frozenset({5}))
    assert admitted(state, Equal(Read(0), Read(3))) is None
    both = All((Equal(Read(2), Const(1)), Equal(Read(0), Const(2))))
    assert admitted(state, both) == (frozenset({2}), frozenset({1, 2}), ANY, frozenset({5}))


# ---------------------------------------------------------------- the whole campaign

SPELL = ("log.spell_broken", "log.spell_cast")


@cache
def possible(entrance: str) -> Possible:
    return Possible(machine("tcu").program, entrance, SPELL)


def _block(words: str) -> int:
    return next(section.start for section in machine("tcu").program.sections if f"{section.part_words} / {section.words}" == words)


def _ends(program: Program, kind: str = "end") -> list[int]:
    return [i for i, block in enumerate(program.blocks) if isinstance(block.exit, Stop) and block.exit.kind == kind]


def _admits(found: Possible, moment: Moment) -> bool:
    """Whether some possible state at the moment's block holds all its values."""
    return any(
        all(values is None or value in values for value, values in zip(moment.values, state, strict=True))
        for state in found.resting(moment.block)
    )


@given(st.data(), st.sampled_from(["campaign"] * 8 + ["the_wages_of_sin", "for_the_greater_good", "before_the_black_throne"]))
@settings(max_examples=100)
def test_every_play_lies_within_what_is_possible(data: st.DataObject, entrance: str) -> None:
    session, _ = Session.start(machine("tcu"), entrance)
    assert session is not None
    while (asked := session.question) is not None:
        assert _admits(possible(entrance), session.moment)
        choice = data.draw(st.integers(asked.low, asked.high) if asked.wants_number else st.sampled_from(asked.choices))
        session.apply(choice)
    assert _admits(possible(entrance), session.moment)


def test_the_intros_of_scenario_5_are_never_read_in_the_campaign() -> None:
    """Intro 1 leads past the check: none of those that it would choose among can be reached, alone or not."""
    for number_ in (2, 3, 4, 5):
        block = _block(f"Scenario V: For the Greater Good / Intro {number_}")
        assert not possible("campaign").reached(block)
        assert not possible("for_the_greater_good").reached(block)
    assert possible("campaign").reached(_block("Scenario V: For the Greater Good / Intro 1"))


def test_the_spell_is_never_both_broken_and_cast() -> None:
    program = machine("tcu").program
    both = all_of(*(Equal(Read(program.variable(name)), Const(1)) for name in SPELL))
    found = possible("campaign")
    ends = [block for block in _ends(program) if found.reached(block)]
    assert len(ends) >= 5
    assert not any(found.may_hold(block, both) for block in ends)
    # Without keeping the two apart the domain is too coarse for it: the proof comes from following both.
    each = [found.values(block, name) for block in ends for name in SPELL]
    assert frozenset({0, 1}) in each


def test_only_the_lodge_wins_with_its_true_work_begun() -> None:
    program = machine("tcu").program
    found = possible("campaign")
    begun = {program.blocks[i].exit.about for i in _ends(program) if 1 in (found.values(i, "log.true_work_begun") or ())}  # type: ignore[union-attr]
    assert begun == {"the Silver Twilight Lodge wins the campaign"}


def test_a_campaign_never_ends_as_a_scenario_alone() -> None:
    program = machine("tcu").program
    alone = [i for i in _ends(program) if "played alone" in program.blocks[i].exit.about]  # type: ignore[union-attr]
    assert len(alone) > 10
    assert not any(possible("campaign").reached(block) for block in alone)
    assert any(possible("before_the_black_throne").reached(block) for block in alone)


def test_checks_of_the_act_leave_no_hole_and_those_of_departures_do() -> None:
    """Every act has its arm; a mix of departures, or a tie, has none (and the plays of `plays/` reach those holes)."""
    program = machine("tcu").program
    found = possible("campaign")
    reached: dict[bool, set[str]] = {True: set(), False: set()}
    for block in _ends(program, "hole"):
        section = program.sections[program.blocks[block].section]
        reached[found.reached(block)].add(f"{section.part_words} / {section.words}")
    no_hole = {
        "Scenario I: The Witching Hour / Resolution 3",
        "Scenario II: At Death's Doorstep / DO NOT READ",
        "Interlude II: The Price of Progress / The Price of Progress 3",
        "Scenario III: The Secret Name / Resolution 1",
    }
    holes = {"Scenario IV: The Wages of Sin / DO NOT READ", "Scenario VI: Union and Disillusion / Resolution 5"}
    assert no_hole <= reached[False]
    assert holes <= reached[True]


# ---------------------------------------------------------------- the machine


def _run_by_values(program: Program, state: list[int], block: int) -> int:
    """The run of a machine, by the evaluator over plain values: where it rests."""

    def holds(condition: Cond) -> bool:
        return truth(condition, state.__getitem__, VALUES)

    while True:
        for variable, value in carry_out(program.blocks[block].sets, state.__getitem__, VALUES).items():
            state[variable] = value
        match program.blocks[block].exit:
            case Goto(target):
                block = target
            case Branch(condition=condition, then=then, otherwise=otherwise):
                block = then if holds(condition) else otherwise
            case Cases(cases=cases, hole=hole) if len(open_ := [case for case in cases if holds(case.condition)]) < 2:
                block = open_[0].target if open_ else hole
            case _:
                return block


@pytest.mark.parametrize("seats", [1, 4])
def test_the_compiled_machine_does_what_the_evaluator_says(seats: int) -> None:
    """Block by block over a whole campaign, with the state after each decision compared."""
    table = Table().play({"How many investigators": seats, "Scenario VII:*” end": "Resolution 2 was reached"})
    program = machine("tcu").program
    history = table.session.history
    assert len(history) > 30
    for step, before, after in zip(history, table.session.moments, table.session.moments[1:], strict=False):
        state, target = taken(machine("tcu"), before, step.choice)
        assert _run_by_values(program, state, target) == after.block
        assert tuple(state) == after.values


NESTED = 40


def test_deeply_nested_conditions_run_alike(tmp_path: Path) -> None:
    """Conditions inside each other, which the fast run cuts into several functions: both runs do as many as apply."""
    lines = ['book deep "Deep"', "    begins with tale", "", "keep depth: 0 to 99", 'fact wanted: 0 to 99 "How deep?"', ""]
    lines += ['scenario tale "A Tale"', '    section "Down"']
    for level in range(NESTED):
        lines += ["    " * (level + 2) + f"if wanted > {level}", "    " * (level + 3) + "increase depth by 1"]
    lines += ['        the campaign is over: "the bottom"', ""]
    program = compiled_text(tmp_path, "\n".join(lines), "deep.rules")
    deep = Machine(program)
    entrance = program.entrances[0]
    for wanted in (0, 1, 30, NESTED, 99):
        asked = deep.initial(entrance)
        rest = deep.run(asked, entrance.block).block
        exit_ = program.blocks[rest].exit
        assert isinstance(exit_, Range)
        asked[exit_.variable] = wanted
        fast = list(asked)
        end = deep.run(asked, exit_.target).block
        assert (deep.run_fast(fast, exit_.target), fast) == (end, asked)
        assert asked[program.variable("depth")] == min(wanted, NESTED)


MANY = 1_500


def test_a_check_with_very_many_cases_runs_alike(tmp_path: Path) -> None:
    """Exactly one applies, none does (the hole), or several do (the reader must say which): whether few cases are printed or very many."""
    lines = ['book many "Many"', "    begins with tale", "", f'fact wanted: 0 to {MANY} "Which?"', ""]
    lines += ['scenario tale "A Tale"', '    section "The fork"', '        check "which"']
    lines += [f'            when wanted = {number}: the campaign is over: "end {number}"' for number in range(MANY)]
    lines += ['            when wanted = 3: the campaign is over: "the other end"', ""]
    program = compiled_text(tmp_path, "\n".join(lines), "many.rules")
    many = Machine(program)
    entrance = program.entrances[0]
    for wanted, end in ((0, "end 0"), (MANY - 1, f"end {MANY - 1}"), (MANY, "hole"), (3, "several")):
        asked = many.initial(entrance)
        exit_ = program.blocks[many.run(asked, entrance.block).block].exit
        assert isinstance(exit_, Range)
        asked[exit_.variable] = wanted
        rest = many.run(asked, exit_.target).block
        assert many.run_fast(list(asked), exit_.target) == rest
        match program.blocks[rest].exit:
            case Stop(kind="end", about=about):
                assert about == end
            case Stop(kind=kind):
                assert kind == end == "hole"
            case Cases():
                assert end == "several"
                assert many.options(asked, rest) == (3, MANY)
