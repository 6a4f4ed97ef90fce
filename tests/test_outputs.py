"""Reports for machines that run checks: SARIF, JUnit XML, the GitHub Action and the pre-commit hooks."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

from plainchant.data import data_folder
from plainchant.faces.checking import CheckedBook
from plainchant.faces.command_line import main
from plainchant.faces.findings import Because, ClaimVerdict, Finding
from plainchant.faces.junit import junit_report
from plainchant.faces.sarif import FINGERPRINT, file_uri, sarif_report
from plainchant.text.codes import CODES
from plainchant.text.diagnostic import Diagnostic
from plainchant.text.tree import Cite, Span
from samples import BAD, run, samples

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
SOUND = 'scenario woods "The Woods"\n    section "Intro"\n        the campaign is over: "end"\n'
UNFRIENDLY = "<b>&amp; ]]> [a](https://example.org) {0} 🐉"
CALLS = [sample for sample in samples() if sample.suffix == ".rules"]


def _checked_sarif(text: str) -> dict[str, Any]:
    """The one run of a log, which is checked against the standard's schema, and for what the schema cannot say."""
    log = json.loads(text)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (one,) = log["runs"]
    rules = one["tool"]["driver"]["rules"]
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] == "fail" or result["level"] == "none"
        assert result["suppressions"] is not None  # of all results or of none
        for location in result["locations"] + result.get("relatedLocations", []):
            region = location["physicalLocation"]["region"]
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
            assert urlsplit(location["physicalLocation"]["artifactLocation"]["uri"]).scheme in ("", "file")
    for notification in one["invocations"][0]["toolConfigurationNotifications"]:
        assert rules[notification["associatedRule"]["index"]]["id"] == notification["associatedRule"]["id"]
    return dict(one)


def _checked_junit(text: str) -> ET.Element:
    """The root of a document, whose shape and sums are checked: that is all that the readers of JUnit XML agree on."""
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    assert all(sign in "\t\n" or sign.isprintable() for sign in "".join(root.itertext()))
    for counted in (root, *root):
        cases = list(counted.iter("testcase"))
        assert int(counted.get("tests", "")) == len(cases) > 0
        assert int(counted.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
        assert int(counted.get("skipped", "")) == sum(case.find("skipped") is not None for case in cases)
        assert int(counted.get("errors", "")) == sum(case.find("error") is not None for case in cases)
        assert float(counted.get("time", "")) >= 0
    for suite in root:
        assert suite.tag == "testsuite" and suite.get("name")
        names = [case.get("name") for case in suite]
        assert len(names) == len(set(names))
        for case in suite:
            assert case.tag == "testcase" and case.get("name") and case.get("classname") and float(case.get("time", "")) >= 0
            assert [part.tag for part in case] in (
                [], ["system-out"], ["skipped"], ["skipped", "system-out"], ["failure"], ["failure", "system-out"]
            )  # fmt: skip
            assert all(part.get("message") for part in case if part.tag != "system-out")
    return root


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
    return status, json.loads(texts["json"][1]), _checked_sarif(texts["sarif"][1]), _checked_junit(texts["junit"][1])


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
    told = Counter((f["code"], f["severity"], f["message"], f["known"]) for f in report["findings"])
    failing = [result for result in sarif["results"] if result["kind"] == "fail"]
    known = [result["suppressions"][0]["justification"] if result["suppressions"] else None for result in failing]
    messages = [result["message"]["text"].partition("\n")[0].replace("{{", "{").replace("}}", "}") for result in failing]
    assert Counter((r["ruleId"], r["level"], m, k) for r, m, k in zip(failing, messages, known, strict=True)) == told
    assert [r["properties"]["witness"] for r in failing] == [f["witness"] for f in report["findings"]]

    holding = {result["properties"]["about"] for result in sarif["results"] if result["kind"] == "pass"}
    assert holding == {claim["name"] for claim in report["claims"] if claim["verdict"] == "holds"} != set()

    loud = [f for f in report["findings"] if f["severity"] != "note"]
    assert Counter(failure.get("type") for failure in junit.iter("failure")) == Counter(f["code"] for f in loud)
    assert Counter(skipped.get("message") for skipped in junit.iter("skipped")) == Counter(f"known: {k}" for k in known if k)
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
    results: list[dict[str, Any]] = _checked_sarif(json.dumps(sarif_report(books, status=1, understood=True)))["results"]
    return results


def _cases(*books: CheckedBook) -> list[ET.Element]:
    return list(_checked_junit(junit_report(books, 0.5)).iter("testcase"))


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
    sarif = _checked_sarif(capsys.readouterr().out)
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in sarif["results"]}
    assert uris == {"%1B%5B31m%07%FF.rules"}
    assert main(["check", name, "--format", "junit"]) == 1
    junit = _checked_junit(capsys.readouterr().out)
    assert {case.get("file") for case in junit.iter("testcase")} == {"\ufffd[31m\ufffd\ufffd.rules"}
    assert main(["check", f"missing{name}", "--format", "junit"]) == 2
    (failure,) = _checked_junit(capsys.readouterr().out).iter("failure")
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
    (result,) = _checked_sarif(reports["sarif"])["results"]
    (failure,) = _checked_junit(reports["junit"]).iter("failure")
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


# ---------------------------------------------------------------- the action and the hooks


def _checkout(name: str) -> str:
    """A file at the top of the checkout; it is no part of an installed package."""
    path = ROOT / name
    if not path.is_file():
        pytest.skip(f"{name} is not shipped with this copy")
    return path.read_text(encoding="utf-8")


def _rules() -> list[Path]:
    return sorted(data_folder("rules").rglob("*.rules"))


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder with the commands that an installation puts on the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, words in (("plainchant", "-m plainchant"), ("python", "")):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder


def _run_action(commands: Path, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the checking step of the action as GitHub does, with these inputs and the defaults of the others."""
    bash = shutil.which("bash")
    if bash is None or os.name == "nt":
        pytest.skip("the steps of the action are scripts for bash")
    action = yaml.safe_load(_checkout("action.yml"))
    step = action["runs"]["steps"][-1]
    values = {name: entry["default"] for name, entry in action["inputs"].items()} | {k.replace("_", "-"): v for k, v in inputs.items()}
    variables: dict[str, str] = step["env"]
    assert all(value.startswith("${{ inputs.") for value in variables.values())
    filled = {name: values[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in variables.items()}
    environment = {**os.environ, **filled, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_action_is_put_together_as_github_reads_it() -> None:
    action = yaml.safe_load(_checkout("action.yml"))
    assert {"name", "description", "inputs", "runs"} == set(action)
    assert all(isinstance(entry["default"], str) and entry["description"] for entry in action["inputs"].values())
    assert action["runs"]["using"] == "composite"
    python, install, check = action["runs"]["steps"]
    assert python["uses"].startswith("actions/setup-python@")
    assert action["inputs"]["python-version"]["default"] >= "3.11"
    assert install["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
    assert shlex.split(install["run"])[:4] == ["python", "-m", "pip", "install"] and "$ACTION_PATH" in shlex.split(install["run"])
    for step in (install, check):
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # no input becomes part of a script


def test_the_action_checks_the_shipped_rules(commands: Path, tmp_path: Path) -> None:
    folder = data_folder("rules").parent
    file = tmp_path / "to mend.sarif"
    done = _run_action(commands, folder, paths="rules\n", sarif_file=str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing found" in done.stdout or "claims:" in done.stdout
    log = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (one,) = log["runs"]
    assert one["results"]
    assert all(result["kind"] == "fail" and not result["suppressions"] and result["locations"] for result in one["results"])


def test_the_action_fails_with_the_check_and_still_writes_its_files(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "my woods.rules").write_text("nonsense\n", encoding="utf-8")
    done = _run_action(
        commands, tmp_path, paths="my woods.rules\n", format="junit", report_file="report.xml", sarif_file="report.sarif"
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    (failure,) = _checked_junit((tmp_path / "report.xml").read_text(encoding="ascii")).iter("failure")
    (result,) = _checked_sarif((tmp_path / "report.sarif").read_text(encoding="utf-8"))["results"]
    assert failure.get("type") == result["ruleId"]


def test_the_action_keeps_words_of_its_inputs_out_of_the_shell(commands: Path, tmp_path: Path) -> None:
    done = _run_action(commands, tmp_path, paths="$(touch harm)\n--help\n`touch harm`; touch harm")
    assert done.returncode == 2
    assert "$(touch harm)" in done.stdout
    assert not (tmp_path / "harm").exists()


def test_the_hooks_run_commands_that_succeed_on_the_shipped_rules(tmp_path: Path) -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load(_checkout(".pre-commit-hooks.yaml"))}
    assert hooks.keys() == {"plainchant-check", "plainchant-fmt"}
    scripts = tomllib.loads(_checkout("pyproject.toml"))["project"]["scripts"]
    copy = tmp_path / "rules"
    shutil.copytree(data_folder("rules"), copy)
    files = [str(path.relative_to(tmp_path)) for path in sorted(copy.rglob("*.rules"))]
    assert files
    for hook in hooks.values():
        command, *words = shlex.split(hook["entry"])
        assert command in scripts
        assert (hook["language"], hook["files"]) == ("python", r"\.rules$")
        done = run([*words, *files], tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert hooks["plainchant-check"]["require_serial"] is True
    assert [path.read_text(encoding="utf-8") for path in _rules()] == [Path(tmp_path, file).read_text(encoding="utf-8") for file in files]
