"""What is proven of The Circle Undone: its known faults with plays that show them, its claims, and reasons that none can be left out of."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from books import machine
from plainchant.faces.command_line import main
from plainchant.faces.findings import REACHABLE, UNREACHABLE
from plainchant.play.documents import replay, write_json
from plainchant_proofs.checking import prove
from plainchant_proofs.goals import goals_of
from proven import found, lines, proof

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


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes where Linux lists them")
def test_processes_that_share_the_goals_live_no_longer_than_the_one_that_asks(tmp_path: Path) -> None:
    script = tmp_path / "asks.py"
    script.write_text(
        "import multiprocessing, os, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from plainchant_proofs.pool import _end_with_the_parent\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    with ProcessPoolExecutor(1, mp_context=context, initializer=_end_with_the_parent) as executor:\n"
        "        print(executor.submit(os.getpid).result(), flush=True)\n"
        "        executor.submit(time.sleep, 600).result()\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment) as asking:
        assert asking.stdout is not None
        worker = Path("/proc") / asking.stdout.readline().strip()
        assert worker.exists()
        asking.kill()
        asking.wait()
    for _ in range(500):
        if not worker.exists():
            return
        time.sleep(0.02)
    pytest.fail("it goes on alone")
