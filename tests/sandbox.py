"""Situations of the game, played by the words of their choices; and what is proven of each, once for all tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from books import Table, machine
from plainchant.faces.findings import Finding
from plainchant_proofs.checking import Proof, prove


class Sandbox(Table):
    """A situation at play. Keyword arguments settle readings beforehand by the alternative's number: `Sandbox("seal", printing=1)`."""

    def __init__(self, book: str, **readings: int) -> None:
        super().__init__(of=machine(f"situations/{book}.rules"), readings={name: str(number) for name, number in readings.items()})

    def do(self, *answers: str | int) -> Sandbox:
        """Give one answer after another; each must be legal."""
        for answer in answers:
            step, diagnostics = self.session.apply(answer)
            assert step is not None, f"{answer!r}: {[d.message for d in diagnostics]}"
        return self

    def holds(self, bag: str) -> dict[str, int]:
        """What a bag holds, by identifiers; `sealed.ward` is the bag on one card."""
        before = f"bag.{bag}."
        return {name.removeprefix(before): n for name, n in self.session.state().items() if name.startswith(before) and n}

    def is_(self, *names: str) -> list[int]:
        """The values of variables."""
        return [self.state(name) for name in names]

    def says(self, name: str) -> str:
        """The value of a variable in words."""
        variable = next(v for v in self.session.program.variables if v.name == name)
        return variable.shown(self.state(name))

    @property
    def weights(self) -> Mapping[str, int]:
        """How likely each open choice is, where chance decides."""
        asked = self.session.question
        assert asked is not None
        assert asked.chooser == "chance"
        return {choice.words: choice.weight for choice in asked.choices}

    @property
    def chooser(self) -> str:
        """Who is asked: players, table, chance or reading."""
        asked = self.session.question
        return asked.chooser if asked else ""


@cache
def proven(book: str) -> Proof:
    """What is proven of a situation."""
    return prove(machine(f"situations/{book}.rules").program)


def found(book: str, code: str, subject: str) -> list[Finding]:
    """The findings of a situation with a code, about one thing."""
    return [finding for finding in proven(book).findings if finding.code == code and finding.subject == subject]


def depends(book: str, reading: str) -> bool:
    """Whether the prover reports that what comes about depends on a reading, acknowledged or not."""
    return bool(found(book, "PC751", reading))


def verdicts(book: str) -> dict[str, str]:
    """What was proven of each claim."""
    return {claim.name: claim.verdict for claim in proven(book).claims}
