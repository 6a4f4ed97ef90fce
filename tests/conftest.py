"""Options and settings for all tests."""

from __future__ import annotations

import io
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

from books import compiled_text
from calls import Call, Result
from dice import DICE
from plainchant.faces.command_line import main
from plainchant.play.machine import Machine

# No test may depend on how fast the machine is.
settings.register_profile("plainchant", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
# CI judges a change by examples that stay the same; new ones are looked for by everybody who runs the tests by hand.
settings.register_profile("ci", settings.get_profile("plainchant"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "plainchant")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reset-golden", action="store_true", help="write the golden files anew instead of comparing with them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked as slow is left out, unless it is asked for with `-m` or by its name."""
    if config.getoption("-m") or any("::" in given for given in config.args):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with `pytest -m slow`"))


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads what an earlier run left in the user's store; books are compiled once for all tests."""
    os.environ["PLAINCHANT_CACHE"] = str(tmp_path_factory.mktemp("store"))


@pytest.fixture
def reset_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--reset-golden"))


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Call with words, and lines for the prompt."""

    def do(*words: object, lines: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Result(status, captured.out, captured.err)

    return do


@pytest.fixture(scope="session")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    program = compiled_text(tmp_path_factory.mktemp("dice"), DICE, "dice.rules")
    return Machine(program)
