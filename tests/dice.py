"""A small book in which chance decides, and helpers that play it."""

from __future__ import annotations

from plainchant.play.machine import Machine
from plainchant.play.session import Session

DICE = """\
book dice "Dice"
    begins with game

campaign log
    sixes "X sixes were thrown": 0 to 9
    won "they won"

bag cup of die "the cup"
kinds die "die"
    white "white"
    black "black"

keep throws: 0 to 9
fact brave: flag "Are they brave?"

scenario game "A Game"

    section "First Throw"
        at random
            "one": increase throws by 1
            "six": record sixes as 1
        proceed to "The Table"

    section "The Table"
        the players decide
            "throw again": go to "Second Throw"
            "stop" only if brave: the campaign is over: "they stop"

    section "Second Throw"
        at random
            "white"
                add 1 white token to the cup
            "black"
                add 1 black token to the cup
            "nothing"
                nothing happens
        at random
            "heads": record "they won"
            "tails": nothing happens
        the players decide
            "throw again": go to "Third Throw"
            "stop": the campaign is over: "they stop"

    section "Third Throw"
        the campaign is over: "they have thrown enough"
"""


def begun(of: Machine, *, seed: int | None = 1) -> Session:
    session, diagnostics = Session.start(of, "campaign", seed=seed)
    assert session is not None, diagnostics
    return session


def choose(session: Session, *choices: str) -> None:
    """Take choices that must all be legal."""
    for choice in choices:
        _, refused = session.apply(choice)
        assert not refused, refused[0].message
