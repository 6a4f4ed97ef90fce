"""What is proven of The Circle Undone: its known faults with plays that show them, its claims, and reasons that none can be left out of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from books import lines_of, machine
from plainchant.faces.command_line import main
from plainchant.faces.findings import REACHABLE, UNREACHABLE, Because, ClaimVerdict, Finding
from plainchant.meaning.lower import compile_book
from plainchant.play.documents import replay, write_json
from plainchant_proofs.checking import Proof, prove
from plainchant_proofs.claims import claim_term
from plainchant_proofs.explain import Explainer
from plainchant_proofs.goals import goals_of
from plainchant_proofs.prover import Limits, Prover
from plainchant_proofs.smt import Answer, Solver
from plainchant_proofs.topology import unrolled


@cache
def proof() -> Proof:
    return prove(machine("tcu").program, cache=False)


def found(code: str, subject: str = "") -> list[Finding]:
    """The findings with a code, about one thing or about anything."""
    return [finding for finding in proof().findings if finding.code == code and subject in ("", finding.subject)]


def lines(findings: Iterable[Finding | ClaimVerdict | Because]) -> set[int]:
    """The printed lines that are cited."""
    return {line for finding in findings for line in lines_of(finding.cites)}


# ---------------------------------------------------------------- the known faults

HOLES = {
    "the_witching_hour.do_not_read": {113, 114, 115},
    "the_wages_of_sin.do_not_read": {337, 338},
    "union_and_disillusion.resolution_5": {519, 520},
    "before_the_black_throne.investigator_defeat": {677},
}


def test_the_holes_are_those_of_the_departures_and_of_the_tie() -> None:
    assert {hole.subject: lines([hole]) for hole in found("PC711")} == HOLES
    for hole in found("PC711"):
        assert hole.witness is not None
        assert hole.witness["ending"]["kind"] == "hole"
        told = {line for cite in hole.witness["ending"]["cites"] for line in range(cite["from"], cite["to"] + 1)}
        assert told == lines([hole])


def test_the_tie_comes_after_the_two_columns_were_counted() -> None:
    """Resolution 5 of Scenario VI: as many statements of the left column are true as of the right one."""
    (hole,) = found("PC711", "union_and_disillusion.resolution_5")
    assert hole.witness is not None
    session, departure, _ = replay(machine("tcu"), hole.witness)
    assert session is not None and departure is None
    assert session.ending is not None
    values = dict(session.ending.values)
    assert values, "the values of the columns are told"
    assert session.section.words == "Resolution 5"


def test_no_printed_cases_overlap() -> None:
    assert found("PC712") == []


def test_boxes_and_intros_that_nothing_leads_to() -> None:
    untriggered = {finding.subject: lines([finding]) for finding in found("PC721")}
    assert untriggered == {
        "the_price_of_progress.do_not_read_unless_you_are_being_hunted_page_17": {245},
        "for_the_greater_good.check_campaign_log_scenario_v": {354},
        "epilogue.do_not_read_unless_you_are_being_hunted_page_56": {716},
    }
    intros = {finding.subject: lines([finding]) for finding in found("PC701")}
    assert intros == {f"for_the_greater_good.intro_{number}": {line} for number, line in ((2, 359), (3, 364), (4, 366), (5, 368))}
    for intro in found("PC701"):
        assert {353, 354} <= lines(intro.because), "Intro 1 jumps over the check that leads to it"


def test_only_these_resolutions_wait_for_a_card() -> None:
    by_card = {finding.subject.partition(".")[0] for finding in found("PC722")}
    assert by_card == {
        "the_witching_hour", "the_secret_name", "for_the_greater_good", "union_and_disillusion", "in_the_clutches_of_chaos",
        "before_the_black_throne",
    }  # fmt: skip
    assert len(found("PC722")) == 13


def test_no_campaign_has_all_four_keys() -> None:
    missing = found("PC716")
    assert {(finding.subject, *lines([finding])) for finding in missing} == {("for_the_greater_good.setup", 389)}
    assert {finding.message.rpartition(": ")[2] for finding in missing} == {
        "“cultist” is not there", "“tablet” is not there", "“elder thing” is not there",
    }  # fmt: skip
    for finding in missing:
        assert finding.witness is not None
        assert finding.witness["ending"]["kind"] == "impossible"
    assert found("PC713") == [] and found("PC714") == [] and found("PC715") == []


def test_secrets_of_the_universe_is_gathered_twice() -> None:
    (twice,) = found("PC741")
    assert (twice.subject, lines([twice])) == ("in_the_clutches_of_chaos.setup", {557, 561})
    assert "Secrets of the Universe" in twice.message
    assert twice.witness is not None
    carried_out = [rule for step in twice.witness["steps"] for rule in step["carried_out"]]
    gathered = {cite["from"] for rule in carried_out if "Secrets of the Universe" in rule["rule"] for cite in rule["cites"]}
    assert gathered == {557, 561}


PROFILES = ["Gavriella Mizrah", "Jerome Davids", "Penny White", "Valentino Rivas"]
CONFLICTS = {
    "at_deaths_doorstep.standalone_mode_scenario_ii": (PROFILES, {143}),
    "the_secret_name.standalone_mode_scenario_iii": (["elder thing"], {275}),
    "the_wages_of_sin.standalone_mode_scenario_iv": (["elder thing"], {320}),
    "for_the_greater_good.standalone_mode_scenario_v": (["elder thing"], {372}),
    "union_and_disillusion.standalone_mode_scenario_vi": (PROFILES, {480}),
    "in_the_clutches_of_chaos.standalone_mode_scenario_vii": (["tablet", "elder thing"], {565}),
    "before_the_black_throne.standalone_mode_scenario_viii": (["tablet", "elder thing"], {648}),
}


@pytest.mark.parametrize("subject", CONFLICTS)
def test_a_standalone_mode_lays_down_what_no_campaign_has(subject: str) -> None:
    names, cited = CONFLICTS[subject]
    (conflict,) = found("PC731", subject)
    assert lines(conflict.because) == cited
    assert len(conflict.because) == len(names)
    assert all(name in because.text for name, because in zip(names, conflict.because, strict=True))


def test_no_other_standalone_mode_conflicts_and_one_leaves_questions_open() -> None:
    assert {finding.subject for finding in found("PC731")} == set(CONFLICTS)
    (left_open,) = found("PC732")
    assert (left_open.subject, lines([left_open])) == ("union_and_disillusion.standalone_mode_scenario_vi", {477, 478})
    for entry in (
        "sided with the coven",
        "spell was cast",
        "spell was broken",
        "rescued Josef",
        "heretics were unleashed",
        "into the mist",
    ):
        assert entry in left_open.message


def test_who_is_alive_is_asked_and_never_recorded() -> None:
    (dangling,) = found("PC723")
    assert (dangling.subject, lines([dangling])) == ("alive", {472, 473, 474, 475})
    assert "alive" not in {finding.subject for finding in found("PC725")}
    assert {"rejected_fate", "sided_with_lodge", "spell_cast"} & {finding.subject for finding in found("PC725")} == {"rejected_fate"}


def test_which_readings_matter() -> None:
    matter = {finding.subject: lines([finding]) for finding in found("PC751")}
    assert matter == {"missing_key": {389}, "win_with_a_question_mark": {708}}
    (key,) = found("PC751", "missing_key")
    assert len(key.because) == 1 and "each of the four" in key.because[0].text, "only the letter of the text stops the campaign"
    (win,) = found("PC751", "win_with_a_question_mark")
    assert sorted("win" in because.text.rpartition("reaches")[2] for because in win.because) == [False, True]
    assert {"keys_afterwards", "josef_line", "each_investigator"} <= {finding.subject for finding in found("PC752")}


def test_every_fault_is_acknowledged_and_every_acknowledgement_fits() -> None:
    loud = [finding for finding in proof().findings if finding.severity != "note"]
    assert [(finding.code, finding.subject) for finding in loud] == []
    assert found("PC771") == found("PC772") == found("PC799") == []


# ---------------------------------------------------------------- claims and verdicts

FAILING = {"anette_is_met", "sanford_is_met", "members_hear_their_intro", "enemies_hear_their_intro"}


def test_all_claims_hold_but_those_that_the_faults_break() -> None:
    assert {claim.verdict for claim in proof().claims} == {"holds", "fails"}
    assert {claim.name for claim in proof().claims if claim.verdict == "fails"} == FAILING
    assert {finding.subject for finding in found("PC761")} == FAILING
    for claim in proof().claims:
        possible = claim.expression.startswith("possible ")
        shown = (claim.verdict == "holds") == possible
        assert (claim.witness is not None) == shown, claim.name
        assert bool(claim.because) == (claim.verdict == "holds" and not possible), claim.name


def test_each_goal_is_decided_without_a_bound() -> None:
    verdicts = proof().verdicts
    assert set(verdicts) == set(goals_of(machine("tcu").program))
    assert {(verdict.verdict, verdict.bound) for verdict in verdicts.values()} == {(REACHABLE, None), (UNREACHABLE, None)}


def _witnesses() -> list[tuple[str, object]]:
    told = [(f"{finding.code} {finding.subject} {finding.message}", finding.witness) for finding in proof().findings]
    return [one for one in [*told, *((claim.name, claim.witness) for claim in proof().claims)] if one[1] is not None]


def test_every_witness_is_accepted_by_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(_witnesses()) > 10
    for name, witness in _witnesses():
        assert write_json(tmp_path / "trace.json", witness) == ()  # type: ignore[arg-type]
        assert main(["replay", str(tmp_path / "trace.json")]) == 0, (name, capsys.readouterr())


def test_a_witness_that_was_tampered_with_departs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (hole,) = found("PC711", "union_and_disillusion.resolution_5")
    assert hole.witness is not None
    write_json(tmp_path / "trace.json", {**hole.witness, "ending": {"kind": "end"}})
    assert main(["replay", str(tmp_path / "trace.json")]) == 1
    assert "play stops (hole)" in capsys.readouterr().out


def test_a_second_run_finds_the_same() -> None:
    again = prove(machine("tcu").program, cache=False)
    assert again.findings == proof().findings
    assert again.claims == tuple(proof().claims)
    assert again.verdicts == proof().verdicts


def test_several_processes_find_the_same() -> None:
    again = prove(machine("tcu").program, cache=False, jobs=2)
    assert [(f.code, f.kind, f.subject, f.cites, f.because) for f in again.findings] == [
        (f.code, f.kind, f.subject, f.cites, f.because) for f in proof().findings
    ]
    assert [(claim.name, claim.verdict, claim.because) for claim in again.claims] == [
        (claim.name, claim.verdict, claim.because) for claim in proof().claims
    ]


# ---------------------------------------------------------------- reasons


@cache
def explained() -> tuple[Explainer, dict[str, int]]:
    """The claims that hold because their contrary cannot be, and the number of each question."""
    program = machine("tcu").program
    prover = Prover(program, machine("tcu"), Limits(), [claim.condition for claim in program.claims], goals_of(program))
    explainer = Explainer(unrolled(program, 6), prover.slice)
    holding = {claim.name for claim in proof().claims if claim.because}
    return explainer, {claim.name: claim_term(explainer, claim, "campaign") for claim in program.claims if claim.name in holding}


def test_the_true_work_needs_loyalty_because_of_line_501() -> None:
    explainer, numbers = explained()
    reasons = explainer.why_not(numbers["the_true_work_is_done_by_the_loyal"])
    assert lines(reasons) == {501, 505}
    (restriction,) = [because for because in reasons if lines([because]) == {501}]
    assert restriction.text == "“Yes.” may be chosen only on its printed condition"


@pytest.mark.parametrize("name", ["one_fate", "one_end_of_the_spell", "one_josef", "liars_are_members", "the_signed_book_lulls", "one_end"])
def test_no_line_of_a_reason_can_be_left_out(name: str) -> None:
    """With all of them it is impossible, without any one of them the model has a play that shows it."""
    explainer, numbers = explained()
    places = _literals(explainer, explainer.why_not(numbers[name]))
    assert places
    solver, fixed = explainer._ready(), [f"goal_{numbers[name]}", explainer.encoding.entrances["campaign"].name]
    assert solver.check([*fixed, *places]).verdict == "unsat"
    for place in places:
        assert solver.check([*fixed, *(other for other in places if other != place)]).verdict == "sat"


def _literals(explainer: Explainer, reasons: Sequence[Because]) -> list[str]:
    return [literal for place, literal in explainer._tracker.literals.items() if Because(place.cites, place.text) in reasons]


@pytest.mark.parametrize("seed", range(3))
def test_reasons_do_not_depend_on_the_order_in_which_the_solver_is_told(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    explainer, numbers = explained()
    straight = {name: explainer.why_not(number) for name, number in numbers.items()}
    shuffle, check = Random(seed), Solver.check

    def shuffled(self: Solver, assumptions: Sequence[str]) -> Answer:
        mixed = list(assumptions)
        shuffle.shuffle(mixed)
        return check(self, mixed)

    monkeypatch.setattr(Solver, "check", shuffled)
    assert {name: explainer.why_not(number) for name, number in numbers.items()} == straight


def test_nothing_is_decided_with_hardly_any_work() -> None:
    limits = Limits(plays=1, width=1, rlimit=1)
    tired = prove(machine("tcu").program, limits, cache=False)
    undecided = {claim.name for claim in tired.claims if claim.verdict == "not decided"}
    assert undecided == {claim.name for claim in proof().claims} - {"members_hear_their_intro", "enemies_hear_their_intro"}, (
        "no way leads there"
    )
    assert [finding for finding in tired.findings if finding.code == "PC799"]
    negative = ("PC701", "PC702", "PC703", "PC704", "PC716", "PC731", "PC752")
    told = {(finding.code, finding.subject) for finding in tired.findings if finding.code in negative}
    assert told <= {(finding.code, finding.subject) for finding in proof().findings}
    assert not {code for code, _ in told} & {"PC716", "PC731"}


# ---------------------------------------------------------------- small books, each of which was judged wrongly once


def _judged(folder: Path, text: str, **limits: int) -> Proof:
    path = folder / "small.rules"
    path.write_text(text, encoding="utf-8")
    program, diagnostics = compile_book(path)
    assert program is not None, [d.message for d in diagnostics]
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
    (never,) = [finding for finding in _judged(tmp_path, far, unroll=4, plays=1, width=1).findings if finding.code == "PC704"]
    assert "loops followed 4 times" in never.message


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
