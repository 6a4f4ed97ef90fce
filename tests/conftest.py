"""Options and settings for all tests."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# No test may depend on how fast the machine is.
settings.register_profile("plainchant", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plainchant")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reset-golden", action="store_true", help="write the golden files anew instead of comparing with them")


@pytest.fixture
def reset_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--reset-golden"))
