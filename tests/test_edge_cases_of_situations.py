"""Each known edge case of the systems that situations cover has a test of its name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SYSTEMS = {
    "seal": ("SEAL-01", "SEAL-03", "SEAL-05", "SEAL-06", "SEAL-08", "SEAL-10", "SEAL-11"),
    "bless-curse": ("BC-01", "BC-03", "BC-05", "BC-06", "BC-08", "BC-10", "BC-11", "BC-13"),
    "flood": ("FL-01", "FL-03", "FL-05"),
    "keys": ("KEY-01", "KEY-03", "KEY-05", "KEY-06", "KEY-08"),
    "haunted": ("HA-01", "HA-03", "HA-05", "HA-06"),
    "alert": ("AL-01", "AL-03"),
    "vengeance": ("VE-01", "VE-03", "VE-05", "VE-06", "VE-08"),
    "explore": ("EX-01", "EX-03", "EX-05", "EX-06", "EX-08", "EX-10"),
    "swap-replace": ("SW-01", "SW-03", "SW-05", "SW-06", "SW-08"),
    "breach-incursion": ("BR-01", "BR-03", "BR-05", "BR-06", "BR-08", "BR-10"),
}
HERE = Path(__file__).parent
SHARED = HERE.parents[1] / "shared" / "cases" / "edge-cases.jsonl"
"""The list that the table was copied from, beside the project; it is not part of it."""


def _tested() -> set[str]:
    """The ids that a test is named after."""
    text = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_edge_cases_of_*.py"))
    return {f"{system.upper()}-{number}" for system, number in re.findall(r"^def test_([a-z]+)_(\d\d)_", text, re.MULTILINE)}


@pytest.mark.parametrize("case", [case for cases in SYSTEMS.values() for case in cases])
def test_each_edge_case_has_a_test(case: str) -> None:
    assert case in _tested()


def test_no_test_is_named_after_a_case_that_there_is_not() -> None:
    assert _tested() <= {case for cases in SYSTEMS.values() for case in cases}


def test_the_table_is_complete() -> None:
    if not SHARED.is_file():
        pytest.skip("the list of edge cases is not part of the project, and is not there")
    listed: dict[str, list[str]] = {system: [] for system in SYSTEMS}
    for line in SHARED.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["system"] in listed:
            listed[case["system"]].append(case["id"])
    assert {system: tuple(sorted(cases)) for system, cases in listed.items()} == SYSTEMS
