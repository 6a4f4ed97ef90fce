"""Small books that the prover judges: some that were judged wrongly once, and some that lie beside their reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from books import compiled_text
from plainchant.faces.command_line import main
from plainchant_proofs.checking import Proof, prove
from plainchant_proofs.prover import Limits
from proven import lines

# ---------------------------------------------------------------- small books, each of which was judged wrongly once


def _judged(folder: Path, text: str, **limits: int) -> Proof:
    program = compiled_text(folder, text)
    return prove(program, Limits(**limits), cache=False)


def _codes(judged: Proof) -> list[tuple[str, str]]:
    return sorted((finding.code, finding.subject) for finding in judged.findings if finding.severity != "note")


def test_an_overlap_is_shown_although_play_goes_on_behind_it(tmp_path: Path) -> None:
    judged = _judged(tmp_path, """\
campaign log
    found "the key was found"
scenario woods "The Woods"
    section "Gate"
        record found
        check "the key"
            when found: nothing happens
            when found: read "a passage"
        proceed to "Hall"
    section "Hall"
        the investigators decide
            "Sit down.": the campaign is over: "the end"
            "Stand up.": the campaign is over: "the end"
""")  # fmt: skip
    (overlap,) = judged.findings
    assert (overlap.code, overlap.subject) == ("PC712", "woods.gate")
    assert overlap.witness is not None and overlap.witness["steps"] == [], "it is shown on arrival"


def test_the_same_instruction_may_be_impossible_in_one_place_only(tmp_path: Path) -> None:
    judged = _judged(tmp_path, """\
kinds token "chaos token"
    skull "skull"
bag pot of token "the pot"
scenario woods "The Woods"
    section "Gate"
        the investigators decide
            "By day."
                remove 1 skull token from the pot
            "By night."
                the investigators decide
                    "Look up.": add 1 skull token to the pot
                    "Look down."
                remove 1 skull token from the pot
        the campaign is over: "the end"
""")  # fmt: skip
    assert [(f.code, f.at.line) for f in sorted(judged.findings, key=lambda f: f.at.line)] == [("PC716", 8), ("PC713", 13)]


def test_a_standalone_mode_may_ask_for_a_number(tmp_path: Path) -> None:
    """Whatever the number is, some state that is laid down is one of a campaign."""
    judged = _judged(tmp_path, """\
book road "The Road"
    begins with woods
campaign log
    found "the key was found"
    lost  "the key was lost"
scenario woods "The Woods"
    section "Gate"
        record lost
        proceed to "The Hills"
scenario hills "The Hills"
    fact guests: 0 to 3 "How many guests are there?"
    section "Top"
        if found or lost: read "a passage"
        the campaign is over: "the end"
    standalone "Alone"
        record found
        if guests = 0
            the investigators decide
                "A."
                "B."
            no record of found
        record lost
        proceed to "Top"
""")  # fmt: skip
    assert "PC731" not in {finding.code for finding in judged.findings}


ROUNDS = """\
campaign log
    marks "marks on the wall": tally
    tired "the guard fell asleep"
scenario walls "The Walls"
    section "Round"
        record 1 tally marks next to marks
        the investigators decide
            "Again.": proceed to "Gate"
            "Enough.": the campaign is over: "the end"
    section "Gate"
        if value(marks) = 2: record tired
        proceed to "Round"
claim first: never value(marks) >= 1 at "Round"
claim later: possible value(marks) = 2 and tired at "Round"
claim last: never value(marks) = 9
"""


def test_every_round_of_a_loop_counts_and_none_beyond_the_bound(tmp_path: Path) -> None:
    judged = _judged(tmp_path, ROUNDS, unroll=4)
    assert {claim.name: (claim.verdict, claim.bound) for claim in judged.claims} == {
        "first": ("fails", 4), "later": ("holds", 4), "last": ("not decided", 4),
    }  # fmt: skip
    far = ROUNDS.replace("value(marks) = 2:", "value(marks) = 40:")
    (open_,) = [
        f
        for f in _judged(tmp_path, far, unroll=4, plays=1, width=1).findings
        if f.code in ("PC704", "PC799") and "fell asleep" in f.message
    ]
    assert (open_.code, "loops followed 4 times" in open_.message) == ("PC799", True), "more rounds may record it, so it is not known"


def test_loops_that_lead_nowhere_do_not_hang(tmp_path: Path) -> None:
    judged = _judged(tmp_path, """\
scenario walls "The Walls"
    section "Round"
        the investigators decide
            "Left.": proceed to "Round"
            "Right.": proceed to "Gate"
    section "Gate"
        proceed to "Round"
claim it_ends: possible yes
""")  # fmt: skip
    assert [(claim.verdict, claim.bound) for claim in judged.claims] == [("not decided", 6)]


def test_each_of_several_goals_has_its_reason(tmp_path: Path) -> None:
    judged = _judged(tmp_path, """\
book road "The Road"
    printed in guide, 40 lines
    begins with woods
campaign log
    found "the key was found"
    lost  "the key was lost"
scenario woods "The Woods"
    section "Gate"
        record found                                                                    @1
        if lost: read "a passage"                                                       @2
        the investigators decide                                                        @3
            "A." only if not found: record lost                                         @4
            "B."                                                                        @5
        the campaign is over: "the end"
""")  # fmt: skip
    reasons = {(finding.code, finding.subject): lines(finding.because) for finding in judged.findings if finding.because}
    assert reasons == {("PC702", "woods.gate"): {1, 4}, ("PC703", "woods.gate"): {2}, ("PC704", "lost"): {1, 4}}


# ---------------------------------------------------------------- documents

GOOD = Path(__file__).parent / "good"


@pytest.mark.parametrize("book", sorted(GOOD.glob("*.rules")), ids=lambda book: book.stem)
def test_a_book_gives_its_report(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reset_golden: bool
) -> None:  # fmt: skip
    monkeypatch.chdir(GOOD)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    status = main(["check", "--no-cache", book.name])
    out, err = capsys.readouterr()
    report = f"$ plainchant check {book.name}\n{out}{err}[exit status {status}]\n"
    expected = book.with_suffix(".expected")
    if reset_golden:
        expected.write_text(report, encoding="utf-8")
    assert report == expected.read_text(encoding="utf-8")
    assert not re.findall(r"(?m)^(?:error|warning) ", report), "a good book"


def test_every_expected_report_has_its_book() -> None:
    assert {path.stem for path in GOOD.glob("*.expected")} == {path.stem for path in GOOD.glob("*.rules")}
