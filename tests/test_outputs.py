"""Reports for machines that run checks: SARIF, JUnit XML, the GitHub Action and the pre-commit hooks."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest

from plainchant.faces.checking import CheckedBook
from plainchant.faces.command_line import main
from plainchant.faces.findings import Because, ClaimVerdict, Finding
from plainchant.faces.junit import junit_report
from plainchant.faces.sarif import FINGERPRINT, file_uri, sarif_report
from plainchant.text.codes import CODES
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.tree import Cite, Span
from reports import checked_junit, checked_sarif
from samples import BAD, run, samples

ROOT = Path(__file__).parents[1]
SOUND = 'scenario woods "The Woods"\n    section "Intro"\n        the campaign is over: "end"\n'
UNFRIENDLY = "<b>&amp; ]]> [a](https://example.org) {0} 🐉"
CALLS = [sample for sample in samples() if sample.suffix == ".rules"]


def _report(words: list[str], form: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status, and all that stands on standard output; nothing may stand on the other one."""
    status = main(["check", *words, "--format", form])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out


def _of_all_formats(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], dict[str, Any], ET.Element]:
    """The exit status, which all formats share, and the reports as JSON, SARIF and JUnit XML."""
    texts = {form: _report(words, form, capsys) for form in ("text", "json", "sarif", "junit")}
    (status,) = {status for status, _ in texts.values()}
    return status, json.loads(texts["json"][1]), checked_sarif(texts["sarif"][1]), checked_junit(texts["junit"][1])


# ---------------------------------------------------------------- the same content as in JSON


@pytest.mark.parametrize("sample", CALLS, ids=[sample.stem for sample in CALLS])
def test_broken_books_tell_the_same_in_all_formats(
    sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    monkeypatch.chdir(BAD)
    status, report, sarif, junit = _of_all_formats([sample.name, "--no-prove"], capsys)
    told = Counter((finding["code"], finding["severity"], finding["at"] and finding["at"]["line"]) for finding in report["findings"])
    results = [result for result in sarif["results"] if result["kind"] == "fail"]
    places = [(r["ruleId"], r["level"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in results]
    notified = sarif["invocations"][0]["toolConfigurationNotifications"]
    assert Counter(places) + Counter((n["associatedRule"]["id"], n["level"], None) for n in notified) == told
    failures = [failure.get("type") for failure in junit.iter("failure")]
    assert Counter(failures) == Counter(finding["code"] for finding in report["findings"] if finding["severity"] != "note")
    assert sarif["invocations"][0]["exitCode"] == status
    assert sarif["invocations"][0]["executionSuccessful"] is (status != 2)
    assert sarif["properties"]["summary"].items() <= report["summary"].items()


def test_the_shipped_books_tell_the_same_in_all_formats(capsys: pytest.CaptureFixture[str]) -> None:
    status, report, sarif, junit = _of_all_formats([], capsys)
    assert sarif["invocations"][0]["exitCode"] == status
    told = Counter((f["code"], f["severity"], f["message"], f.get("known")) for f in report["findings"])
    failing = [result for result in sarif["results"] if result["kind"] == "fail"]
    known = [result["suppressions"][0]["justification"] if result["suppressions"] else None for result in failing]
    messages = [result["message"]["text"].partition("\n")[0].replace("{{", "{").replace("}}", "}") for result in failing]
    assert Counter((r["ruleId"], r["level"], m, k) for r, m, k in zip(failing, messages, known, strict=True)) == told
    assert [r.get("properties", {}).get("witness") for r in failing] == [f["witness"] for f in report["findings"]]

    holding = {result["properties"]["about"] for result in sarif["results"] if result["kind"] == "pass"}
    assert holding == {claim["name"] for claim in report["claims"] if claim["verdict"] == "holds"} != set()

    loud = [f for f in report["findings"] if f["severity"] != "note"]
    assert Counter(failure.get("type") for failure in junit.iter("failure")) == Counter(f["code"] for f in loud)
    # A claim that a book and the rules that it uses share is one test case.
    claims = [result["ruleId"] == "PC761" and result["properties"]["about"] for result in failing]
    cases = [k for i, k in enumerate(known) if k and (not claims[i] or claims[i] not in claims[:i])]
    assert Counter(skipped.get("message") for skipped in junit.iter("skipped")) == Counter(f"known: {k}" for k in cases)
    claims = {case.get("name"): case for case in junit.iter("testcase") if case.get("name", "").startswith("claim ")}
    assert claims.keys() == {f"claim {claim['name']}" for claim in report["claims"]}
    for claim in report["claims"]:
        assert (claims[f"claim {claim['name']}"].find("skipped") is None) is (claim["verdict"] == "holds")
    plays = [case for case in junit.iter("testcase") if "a play that comes to it:" in case.findtext("system-out", "")]
    witnessed = [f for f in report["findings"] if f["witness"]] + [c for c in report["claims"] if c["witness"] and c["verdict"] != "fails"]
    assert len(plays) == len(witnessed) > 0


def test_every_code_is_a_rule_that_readers_can_show() -> None:
    rules = sarif_report([], status=0, understood=True)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for rule, code in zip(rules, CODES.values(), strict=True):
        assert rule["fullDescription"]["text"].replace("{{", "{").replace("}}", "}") == code.cause
        assert rule["defaultConfiguration"]["level"] == code.severity
        assert any(sign.isalpha() for sign in rule["help"]["text"]) and "{" not in rule["help"]["text"]


# ---------------------------------------------------------------- findings and claims as data


AT = Span("books/my book.rules", 3, 5, 3, 9)
WITNESS = {
    "steps": [{"section": "The Woods / Intro", "rule": "Is it raining?", "choice": "yes <now>", "cites": []}],
    "ending": {"kind": "hole", "about": "check “the weather”"},
}
CITES = (Cite(None, ((7, 8),)),)


def _book(*findings: Finding, claims: tuple[ClaimVerdict, ...] = (), diagnostics: tuple[Diagnostic, ...] = ()) -> CheckedBook:
    return CheckedBook("woods", 1, 1, 1, 3, diagnostics, findings, claims, True, "guide")


def _results(*books: CheckedBook) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = checked_sarif(json.dumps(sarif_report(books, status=1, understood=True)))["results"]
    return results


def _cases(*books: CheckedBook) -> list[ET.Element]:
    return list(checked_junit(junit_report(books, 0.5)).iter("testcase"))


HOLE = Finding("PC711", "hole", "woods.intro", "nothing covers it", AT, CITES, WITNESS, (Because(CITES, "because it rains"),))
CLAIM = ClaimVerdict("dry", "never wet", "holds", 2, AT, CITES, None, (Because(CITES, "because of the roof"),), 0.25)


def test_an_open_finding_is_a_result_with_reason_place_and_witness() -> None:
    (result,) = _results(_book(HOLE))
    assert result["message"]["text"] == "nothing covers it\nguide 7-8: because it rains"
    assert (result["kind"], result["level"], result["suppressions"]) == ("fail", "error", [])
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "books/my%20book.rules"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9},
    }
    assert result["properties"]["witness"] == WITNESS
    assert result["properties"]["cites"] == [{"source": "guide", "from": 7, "to": 8}]


def test_an_open_finding_is_a_failure_with_reason_place_and_witness() -> None:
    (case,) = _cases(_book(HOLE))
    assert case.attrib == {
        "classname": "woods.my book", "name": "PC711 nothing covers it", "time": "0.000", "file": "books/my book.rules", "line": "3",
    }  # fmt: skip
    failure = case.find("failure")
    assert failure is not None and failure.text is not None
    assert failure.attrib == {"message": "No case covers it: nothing covers it", "type": "PC711"}
    assert failure.text.splitlines() == [
        "nothing covers it", "books/my book.rules, line 3, column 5", "printed: guide 7-8", f"why: {CODES['PC711'].cause}",
        f"cure: {CODES['PC711'].cure}",
    ]  # fmt: skip
    assert case.findtext("system-out", "").splitlines() == [
        "guide 7-8: because it rains", "a play that comes to it:", "The Woods / Intro", "  Is it raining? → yes <now>",
        "then: no printed case applies: check “the weather”",
    ]  # fmt: skip


def test_a_known_finding_is_suppressed_and_skipped() -> None:
    known = Finding("PC711", "hole", "woods.intro", "nothing covers it", AT, CITES, acknowledged="the publisher knows")
    (result,) = _results(_book(known))
    assert result["suppressions"] == [{"kind": "inSource", "status": "accepted", "justification": "the publisher knows"}]
    assert result["level"] == "note"
    (case,) = _cases(_book(known))
    skipped = case.find("skipped")
    assert skipped is not None and skipped.get("message") == "known: the publisher knows"
    assert case.find("failure") is None


def test_a_note_is_a_result_of_level_note_and_a_case_that_passes() -> None:
    note = Finding("PC725", "never-read", "arrived", "nobody asks", AT)
    assert [(result["kind"], result["level"]) for result in _results(_book(note))] == [("fail", "note")]
    assert [list(case) for case in _cases(_book(note))] == [[]]


@pytest.mark.parametrize(("verdict", "kind", "skipped"), [("holds", "pass", False), ("not decided", "open", True)])
def test_claims_that_do_not_fail(verdict: str, kind: str, skipped: bool) -> None:
    claim = ClaimVerdict("dry", "never wet", verdict, 2, AT, CITES, None, CLAIM.because, 0.25)
    (result,) = _results(_book(claims=(claim,)))
    assert (result["kind"], result["level"], result["ruleId"]) == (kind, "none", "PC761")
    assert "never wet (loops followed 2 times)\nguide 7-8: because of the roof" in result["message"]["text"]
    (case,) = _cases(_book(claims=(claim,)))
    assert (case.get("name"), case.get("time"), case.find("failure")) == ("claim dry", "0.250", None)
    assert (case.find("skipped") is not None) is skipped
    assert case.findtext("system-out", "").splitlines() == [
        f"{verdict}: never wet", "loops followed 2 times", "guide 7-8: because of the roof"
    ]  # fmt: skip


@pytest.mark.parametrize("reason", ["", "the publisher knows"])
def test_a_claim_that_fails_is_told_once(reason: str) -> None:
    claim = ClaimVerdict("dry", "never wet", "fails", None, AT, CITES, WITNESS)
    finding = Finding("PC761", "claim", "dry", "the claim “dry” fails: never wet", AT, CITES, WITNESS, acknowledged=reason)
    book = _book(finding, claims=(claim,))
    (result,) = _results(book)
    assert (result["ruleId"], result["kind"], result["level"]) == ("PC761", "fail", "note" if reason else "error")
    (case,) = _cases(book)
    assert case.get("name") == "claim dry"
    assert (case.find("skipped") is None, case.find("failure") is None) == (not reason, bool(reason))
    assert "Is it raining? → yes <now>" in case.findtext("system-out", "")


def test_what_books_share_is_told_once() -> None:
    shared = Diagnostic("PC101", "not understood", AT)
    books = [_book(claims=(CLAIM,), diagnostics=(shared,)), _book(claims=(CLAIM,), diagnostics=(shared,))]
    assert [result["ruleId"] for result in _results(*books)] == ["PC101", "PC761"]
    assert [case.get("name") for case in _cases(*books)] == ["PC101 not understood", "claim dry", "nothing found"]


def test_cases_with_the_same_words_have_names_of_their_own() -> None:
    twice = tuple(Diagnostic("PC004", "a tab stands", Span("a.rules", line, 1, line, 2)) for line in (1, 2, 5))
    names = [case.get("name") for case in _cases(_book(diagnostics=twice))]
    assert names == ["PC004 a tab stands", "PC004 a tab stands (2)", "PC004 a tab stands (3)"]


def test_fingerprints_stay_when_lines_move_and_differ_by_kind_and_subject() -> None:
    moved = Finding("PC711", "hole", "woods.intro", "nothing covers it now", Span("a.rules", 90, 1, 90, 4))
    others = [Finding("PC711", "hole", "woods.end", "m", AT), Finding("PC712", "overlap", "woods.intro", "m", AT)]
    prints = [result["partialFingerprints"][FINGERPRINT] for result in _results(_book(HOLE, moved, *others))]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


def test_related_places_are_related_locations() -> None:
    first = Span("b.rules", 2, 1, 2, 4)
    (result,) = _results(_book(diagnostics=(Diagnostic("PC202", "twice", AT, "rename it", related=(("the first", first),)),)))
    assert result["message"]["text"] == "twice\ncure: rename it"
    (related,) = result["relatedLocations"]
    assert related["message"]["text"] == "the first"
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "b.rules"


# ---------------------------------------------------------------- unfriendly input


def test_what_is_recorded_of_one_member_alone_has_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    text = """\
book small "A Small Book"
    begins with tale

kinds person "person"
    ann "Ann"
    bob "Bob"

campaign log
    dead of person "{person} is dead"

scenario tale "A Tale"
    section "Intro"
        record dead of bob
        the campaign is over: "end"
"""
    Path("book.rules").write_text(text, encoding="utf-8")
    _, _, sarif, _ = _of_all_formats(["."], capsys)
    (location,) = next(result["locations"] for result in sarif["results"] if result["ruleId"] == "PC725")
    assert location["physicalLocation"]["region"]["startLine"] == 13


def test_markup_braces_and_signs_beyond_the_first_plane_in_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    jump = f'skip "🐉🐉" and proceed directly to "{UNFRIENDLY}"'
    text = f'scenario woods "The Woods"\n    section "Intro"\n        {jump}\n'
    Path("woods.rules").write_text(text, encoding="utf-8")
    _, report, sarif, junit = _of_all_formats(["woods.rules", "--no-prove"], capsys)
    messages = [finding["message"] for finding in report["findings"]]
    assert any(UNFRIENDLY in message for message in messages)
    told = [result["message"]["text"] for result in sarif["results"]]
    assert any(UNFRIENDLY.replace("{0}", "{{0}}").replace("](", "\\](") in message for message in told)
    assert any(UNFRIENDLY in failure.get("message", "") for failure in junit.iter("failure"))
    lines = text.splitlines()
    for finding, result in zip(report["findings"], sarif["results"], strict=True):
        region = result["locations"][0]["physicalLocation"]["region"]  # columns count characters, also those beyond the first plane
        assert (region["startLine"], region["startColumn"]) == (finding["at"]["line"], finding["at"]["column"])
        assert region["endColumn"] <= len(lines[region["endLine"] - 1]) + 1
    assert sarif["columnKind"] == "unicodeCodePoints"


def test_control_characters_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    name = "\x1b[31m\x07\udcff.rules"
    try:
        Path(name).write_text("nonsense\x1b\n", encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    assert main(["check", name, "--format", "sarif"]) == 1
    sarif = checked_sarif(capsys.readouterr().out)
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in sarif["results"]}
    assert uris == {"%1B%5B31m%07%FF.rules"}
    assert main(["check", name, "--format", "junit"]) == 1
    junit = checked_junit(capsys.readouterr().out)
    assert {case.get("file") for case in junit.iter("testcase")} == {"\ufffd[31m\ufffd\ufffd.rules"}
    assert main(["check", f"missing{name}", "--format", "junit"]) == 2
    (failure,) = checked_junit(capsys.readouterr().out).iter("failure")
    assert "missing\ufffd[31m\ufffd\ufffd.rules" in failure.get("message", "")


@pytest.mark.parametrize("content", ["", "# nothing\n"])
def test_an_empty_file_is_a_note(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.rules").write_text(content, encoding="utf-8")
    status, _, sarif, junit = _of_all_formats(["empty.rules"], capsys)
    assert status == 0
    assert [(result["ruleId"], result["level"]) for result in sarif["results"]] == [("PC008", "note")]
    assert junit.attrib["tests"] == "1" and junit.attrib["failures"] == "0"


def test_a_sound_book_has_no_results_and_one_case_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("woods.rules").write_text(SOUND, encoding="utf-8")
    status, _, sarif, junit = _of_all_formats(["woods.rules"], capsys)
    assert (status, sarif["results"]) == (0, [])
    assert [(case.get("name"), len(case)) for case in junit.iter("testcase")] == [("nothing found", 0)]


def test_a_path_that_leads_nowhere_is_a_notification_and_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, sarif, junit = _of_all_formats(["nowhere"], capsys)
    assert (status, sarif["results"]) == (2, [])
    (invocation,) = sarif["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    assert [n["associatedRule"]["id"] for n in invocation["toolConfigurationNotifications"]] == ["PC001"]
    assert [failure.get("type") for failure in junit.iter("failure")] == ["PC001"]


def test_a_wrong_call_leaves_standard_output_empty(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("sarif", "junit"):
        assert main(["check", "--book", "no such book", "--format", form]) == 2
        out, err = capsys.readouterr()
        assert out == "" and "PC501" in err
    assert main(["check", "--format", "xml"]) == 2
    assert "text, json, sarif, junit" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_no_encoding_of_the_output_loses_signs(encoding: str, tmp_path: Path) -> None:
    text = SOUND.replace("the campaign is over:", f'go to "{UNFRIENDLY}" # ')
    (tmp_path / "woods.rules").write_text(text, encoding="utf-8")
    reports = {}
    for form in ("json", "sarif", "junit"):
        done = run(["check", "woods.rules", "--no-prove", "--format", form], tmp_path, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert (done.returncode, done.stderr) == (1, "")
        reports[form] = done.stdout
    (finding,) = json.loads(reports["json"])["findings"]
    (result,) = checked_sarif(reports["sarif"])["results"]
    (failure,) = checked_junit(reports["junit"]).iter("failure")
    assert UNFRIENDLY in finding["message"]
    assert "🐉" in result["message"]["text"]
    assert UNFRIENDLY in failure.get("message", "")


def test_uris_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_uri("rules/tcu/book.rules") == "rules/tcu/book.rules"
    for name in ("a b/c:d#e?f%g.rules", "c:d.rules", "äö🐉.rules"):
        uri = file_uri(name)
        assert unquote(uri) == name
        assert uri.isascii() and urlsplit(uri)[:2] == ("", "") and urlsplit(uri)[3:] == ("", "")
    for outside in ("../beside.rules", str(tmp_path.parent / "beside.rules")):
        assert file_uri(outside) == (tmp_path.parent / "beside.rules").as_uri()
