"""Whatever is proven of a book that goes round, by induction or of two plays at once, is what an explicit search finds that tries all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books import compiled_text
from enumeration import Everything, Node, holds
from explored import Book, patient, replays
from plainchant.faces.findings import ClaimVerdict
from plainchant.meaning.kernel import Choose, Independence, Range
from plainchant.play.machine import Machine
from plainchant_proofs.checking import Proof, prove
from plainchant_proofs.prover import Limits

FEW = Limits(plays=2, width=1)
Play = tuple[Node, bool]
"""Where a play waits, and whether it has just come to the section."""
SEEN = ("log", "value", "bag", "keep")

HEAD = """\
book small "A small book"
    begins with tale

kinds colour "colour"
    red    "red"
    green  "green"

bag pot of colour "the pot"
bag box of colour "the box"
every colour is in exactly one of pot, box

keep x: 0 to 4
keep y: 0 to 3
keep f: flag
keep last: colour

reading doubtful "Is it doubtful?"
    surely  "surely"
    hardly  "hardly"

event it_rains(on: colour) "it rains on a colour"

ability cover "A cover"
    each time it_rains, if f, instead: set y to 0

rule pay "something is paid"
    only if f
    as a cost, decrease y by 1
    set x to 0

situation tale "A tale"
"""

ACTIONS = (
    "if x < 4: increase x by 1",
    "if x < 3: increase x by 2",
    "if y >= 1: decrease y by 1",
    "increase y by 1",
    "set x to y",
    "set y to 2",
    "set f to yes",
    "if x = 2: set f to no",
    "if f and x >= 1: decrease x by 1",
    "do pay",
    "move 1 red from pot to box as far as possible",
    "move each colour from box to pot",
    "draw a colour from pot\n    set last to that colour",
    "draw a colour from pot\n    move 1 that colour from pot to box",
    "it happens that it_rains(green)\n    set y to 1",
    "by doubtful\n    surely: set x to 1\n    hardly: nothing happens",
    "by doubtful\n    surely: set last to red\n    hardly: set last to red",
    "if doubtful is surely and f: set y to 3",
    "for each colour, in any order\n    set last to that colour",
    "for each colour, if f, in any order\n    set x to 2",
    "for each colour, in any order\n    if that colour is green: set x to y",
)
ATOMS = (
    "x <= 3", "x != 3", "y <= 2", "y >= 1", "f", "not f", "x <= y", "x = 0", "last is green", "count(red, box) = 0",
    "count(red) + count(red, box) = 2", "size(box) <= 2", "size(pot) = 3", "x = 4", "y = 3",
)  # fmt: skip


@st.composite
def rounds(draw: st.DrawFn) -> str:
    """A situation that comes back to one section, with claims about it."""
    options = draw(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=4, unique=True))
    conditions = st.one_of(
        st.sampled_from(ATOMS),
        st.builds("{} {} {}".format, st.sampled_from(ATOMS), st.sampled_from(["or", "and", "implies"]), st.sampled_from(ATOMS)),
    )
    claims = draw(st.lists(st.tuples(st.sampled_from(["always", "never", "possible"]), conditions), min_size=1, max_size=4))
    claimed = [f'claim c{i}: {kind} {condition} at "Round"' for i, (kind, condition) in enumerate(claims)]
    claimed += ['claim the_order: independent of order at "Round"', 'claim the_reading: independent of doubtful at "Round"']
    decided = [f'"option {i}"\n' + indent(action, " " * 4) for i, action in enumerate(options)]
    lines = ['section "Setup"', "    the pot holds red, red, green", '    go to "Round"', 'section "Round"', "    the players decide"]
    lines += [indent(one, " " * 8) for one in decided]
    lines += ['        "no more": the situation ends: "left"', '    go to "Round"']
    return HEAD + "".join(indent(line, " " * 4) + "\n" for line in (*claimed, *lines))


# ---------------------------------------------------------------- two plays, tried in all ways


class Pairs:
    """All pairs of plays that decide alike but for what is in question: whether some pair is unlike when it comes to the section."""

    def __init__(self, book: Book, claim: Independence) -> None:
        self.book, self.claim = book, claim
        self.machine = book.machine
        self.compared = [v for v, variable in enumerate(book.program.variables) if variable.role in SEEN]
        self.at = book.program.sections[claim.at].start

    def rest(self, node: Node, *, leave: bool = False) -> Play:
        """Where a play waits next: at a decision, at the section, or where it stops."""
        following = self.book.campaign.following
        while (leave or node[0] != self.at) and not self.waits(node) and following[node]:
            [(_, node)] = following[node]
            leave = False
        return node, node[0] == self.at and not leave

    def waits(self, node: Node) -> bool:
        return isinstance(self.machine.program.blocks[node[0]].exit, Choose | Range)

    def in_question(self, node: Node) -> bool:
        exit_ = self.machine.program.blocks[node[0]].exit
        if self.claim.of is None:
            return isinstance(exit_, Choose) and exit_.order
        return isinstance(exit_, Choose | Range) and exit_.variable == self.claim.of

    def differ(self) -> bool:
        first = self.rest(self.book.campaign.first)
        waiting, seen = [(first, first)], {(first, first)}
        while waiting:
            pair = waiting.pop()
            following = self.following(*pair)
            if following is None:
                return True
            for one in following:
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return False

    def following(self, one: Play, other: Play) -> list[tuple[Play, Play]] | None:
        """The pairs that come after a pair; None if these two differ."""
        (first, arrived), (second, other_arrived) = one, other
        if arrived and other_arrived:
            if any(first[1][v] != second[1][v] for v in self.compared):
                return None
            return [(self.rest(first, leave=True), self.rest(second, leave=True))]
        ways = self.book.campaign.following
        if not arrived and self.waits(first) and self.in_question(first):
            return [(self.rest(after), other) for _, after in ways[first]]
        if not other_arrived and self.waits(second) and self.in_question(second):
            return [(one, self.rest(after)) for _, after in ways[second]]
        if arrived != other_arrived or first[0] != second[0]:
            return None
        if [way for way, _ in ways[first]] != [way for way, _ in ways[second]]:
            return None
        return [(self.rest(a), self.rest(b)) for (_, a), (_, b) in zip(ways[first], ways[second], strict=True)]


# ---------------------------------------------------------------- what is told, and what there is


def _claims_agree(book: Book, proof: Proof) -> Iterator[ClaimVerdict]:
    """Each verdict about a claim of states is what the states say; those that were not decided are handed on."""
    told = {verdict.name: verdict for verdict in proof.claims}
    for claim in book.program.claims:
        verdict, states = told[claim.name], book.states(claim)
        fulfilled = [holds(claim.condition, values) for values in states]
        expected = {"never": not any(fulfilled), "always": all(fulfilled), "possible": any(fulfilled)}[claim.kind]
        if verdict.verdict == "not decided":
            yield verdict
            continue
        assert verdict.verdict == ("holds" if expected else "fails"), claim.text
        assert verdict.witness is None or replays(book.machine, verdict.witness)


@given(text=rounds())
@settings(patient, max_examples=150)
def test_every_verdict_about_rounds_is_what_all_plays_show(tmp_path: Path, text: str) -> None:
    book = Book(tmp_path, text)
    proof = prove(book.program, FEW, cache=False)
    list(_claims_agree(book, proof))
    told = {verdict.name: verdict for verdict in proof.claims}
    for claim in book.program.independences:
        verdict = told[claim.name]
        if verdict.verdict != "not decided":
            assert (verdict.verdict == "fails") == Pairs(book, claim).differ(), claim.text
            for shown in (verdict.witness, verdict.other):
                assert shown is None or replays(book.machine, shown)


def _told(folder: Path, text: str) -> tuple[ClaimVerdict, Machine]:
    program = compiled_text(folder, text)
    [verdict] = prove(program, FEW, cache=False).claims
    return verdict, Machine(program)


BY_TWO = """\
book small "A small book"
    begins with tale

keep x: 0 to 6

situation tale "A tale"
    claim never_five: always x != 5 at "Round"
    section "Setup"
        go to "Round"
    section "Round"
        the players decide
            "go on"
                if x = 4: set x to 0
                otherwise if x <= 4: increase x by 2
{more}            "no more": the situation ends: "left"
        go to "Round"
"""


def test_what_three_rounds_in_a_row_keep_is_proven(tmp_path: Path) -> None:
    """No round leads to 1, so that three rounds in a row never come to 5, though one that begins at 3 does."""
    verdict, _ = _told(tmp_path, BY_TWO.format(more=""))
    assert verdict.verdict == "holds"


def test_what_is_true_and_kept_by_no_number_of_rounds_is_not_decided(tmp_path: Path) -> None:
    """Whoever may stay at 3 as long as they like comes to 5 after any number of rounds; but nobody comes to 3."""
    verdict, machine = _told(tmp_path, BY_TWO.format(more='            "stay": nothing happens\n'))
    everything = Everything(machine, machine.program.entrances[0])
    assert {values[0] for _, values in everything.arrivals(machine.program.sections[-1].start)} == {0, 2, 4}
    assert verdict.verdict == "not decided"
    assert verdict.broken is not None
    assert verdict.broken["from"] == {"x": "3"}
    assert verdict.broken["steps"][-1] == "go on"


@pytest.mark.parametrize("start", [1, 3, 5])
def test_what_fails_is_shown(tmp_path: Path, start: int) -> None:
    text = BY_TWO.format(more="").replace(
        '        go to "Round"\n    section "Round"', f'        set x to {start}\n        go to "Round"\n    section "Round"'
    )
    verdict, machine = _told(tmp_path, text)
    assert verdict.verdict == "fails"
    assert verdict.witness is not None
    assert replays(machine, verdict.witness)
