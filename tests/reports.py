"""Reports for programs, checked against what their standards say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import jsonschema

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def checked_sarif(text: str) -> dict[str, Any]:
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


def checked_junit(text: str) -> ET.Element:
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
