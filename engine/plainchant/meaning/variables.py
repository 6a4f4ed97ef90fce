"""The variables of a program: one for each entry, token count, fact, field …, by symbol and member."""

from __future__ import annotations

from copy import copy

from plainchant.meaning.kernel import Variable
from plainchant.meaning.names import Names, printed_forms
from plainchant.meaning.symbols import Bag, Entry, Fact, Keep, Kind, Type, Value
from plainchant.meaning.words import filled
from plainchant.records import Frozen

LOG_STATES = ("not recorded", "recorded", "crossed off")


class Question(Frozen):
    """Why a variable is asked for: the fact (or the group whose seats are counted), and whose fact it is."""

    fact: Fact | Kind
    position: int | None


class Variables:
    """Numbers the variables of a book. A key is the part and name of its symbol, the positions of member and item, and what of it."""

    def __init__(self, names: Names) -> None:
        self.all: list[Variable] = []
        self.questions: dict[int, Question] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._zones = names.zones
        self.traced: list[tuple[str, dict[int, None]]] = []
        """The rules that may lead to themselves, of those that are being lowered, each with the passing variables of its own."""
        for kind in names.kinds.values():
            if kind.is_group:
                self._seats(kind)
        for symbol in names.values.values():
            self._declare(symbol)

    def copy(self) -> Variables:
        """The same variables, to which others may be added."""
        other = copy(self)
        other.all, other._numbers = list(self.all), dict(self._numbers)
        return other

    def number(self, symbol: Value | Kind, position: int | None = None, item: int | None = None, what: str = "") -> int:
        """The variable of a symbol; `what` is `number` for the number of an entry."""
        return self._numbers[(symbol.part, symbol.name, position, item, what)]

    def hidden(self, name: str, low: int, high: int | None, initial: int = 0, scope: str = "", role: str = "hidden") -> int:
        """A variable that the language does not show and that is one in the whole book. One name, one variable."""
        key = ("hidden", name)
        if key not in self._numbers:
            self._add(key, Variable(name, low, high, initial, role, name, (), scope))
        return self._numbers[key]

    def passing(self, name: str, low: int, high: int | None, scope: str = "") -> int:
        """One that holds something only while a statement is carried out: an argument, a mark of what was chosen already.

        A rule that may lead to itself has its own ones, so that it takes none from who begins it.
        """
        rule, own = self.traced[-1] if self.traced else ("", {})
        number = self.hidden(f"{rule}: {name}" if rule else name, low, high, 0, scope)
        own[number] = None
        return number

    def of_part(self, part: str) -> list[int]:
        """The variables that are forgotten when a part is entered anew."""
        return [i for i, v in enumerate(self.all) if v.scope == part and v.role in ("fact", "keep", "hidden")]

    # ------------------------------------------------------------ declaring

    def _add(self, key: tuple[object, ...], variable: Variable) -> int:
        self._numbers[key] = len(self.all)
        self.all.append(variable)
        return self._numbers[key]

    def _seats(self, kind: Kind) -> None:
        low, high = kind.low or 0, kind.high or 0
        variable = Variable(f"seats.{kind.name}", low, high, low - 1, "seats", kind.question)
        number = self._add((kind.part, kind.name, None, None, ""), variable)
        self.questions[number] = Question(kind, None)

    def _declare(self, symbol: Value) -> None:
        match symbol:
            case Entry():
                self._entry(symbol)
            case Bag():
                self._bag(symbol)
            case Keep():
                self._keep(symbol)
            case Fact():
                self._fact(symbol)

    def _bag(self, bag: Bag) -> None:
        totals = next((zones.totals for zones in self._zones if bag in zones.bags), None)
        owners: list[int | None] = [None] if bag.index is None else list(range(len(bag.index.members)))
        for position in owners:
            owner = "" if position is None or bag.index is None else f".{bag.index.members[position].name}"
            for i, member in enumerate(bag.kind.members):
                # Where things are only moved, no bag ever holds more of them than there are.
                most = None if totals is None else totals[i]
                variable = Variable(f"bag.{bag.name}{owner}.{member.name}", 0, most, 0, "bag", member.words)
                self._add((bag.part, bag.name, position, i, ""), variable)

    def _entry(self, entry: Entry) -> None:
        initial = 1 if entry.form == "printed" else 0
        if entry.listed is not None:
            for i, member in enumerate(entry.listed.members):
                name = f"log.{entry.name}.{member.name}"
                self._add((None, entry.name, None, i, ""), Variable(name, 0, 2, 0, "log", member.words, LOG_STATES))
            return
        for position, words in printed_forms(entry):
            name = f"log.{entry.name}" + (f".{entry.index.members[position].name}" if entry.index and position is not None else "")
            self._add((None, entry.name, position, None, ""), Variable(name, 0, 2, initial, "log", words, LOG_STATES))
            if entry.form in ("number", "tally"):
                number = Variable(f"{name}.number", entry.low, entry.high, entry.low, "value", words)
                self._add((None, entry.name, position, None, "number"), number)

    def _keep(self, keep: Keep) -> None:
        for position, name, words in self._instances(keep, keep.name.replace("_", " ")):
            if keep.type.form == "list" and keep.type.kind:
                for i, member in enumerate(keep.type.kind.members):
                    variable = Variable(
                        f"{name}.{member.name}", 0, 1, 0, "keep", f"{member.words} in {words}", ("no", "yes"), keep.part or ""
                    )  # fmt: skip
                    self._add((keep.part, keep.name, position, i, ""), variable)
            else:
                low, high = keep.type.low or 0, keep.type.high
                variable = Variable(name, low, high, keep.initial, "keep", words, value_words(keep.type), keep.part or "")
                self._add((keep.part, keep.name, position, None, ""), variable)

    def _fact(self, fact: Fact) -> None:
        role = "reading" if fact.chooser == "reading" else "fact"
        for position, name, _ in self._instances(fact, fact.question):
            low, high = fact.type.low or 0, fact.type.high
            scope = "" if role == "reading" else fact.part or ""
            question = filled_question(fact, position)
            variable = Variable(name, low, high, low - 1, role, question, value_words(fact.type), scope)
            number = self._add((fact.part, fact.name, position, None, ""), variable)
            self.questions[number] = Question(fact, position)

    def _instances(self, symbol: Keep | Fact, words: str) -> list[tuple[int | None, str, str]]:
        """Position, name and words of each variable that a symbol needs."""
        prefix = f"{symbol.part}." if symbol.part else ""
        if symbol.index is None:
            return [(None, f"{prefix}{symbol.name}", words)]
        return [
            (i, f"{prefix}{symbol.name}.{member.name}", f"{words} of {member.words}") for i, member in enumerate(symbol.index.members)
        ]  # fmt: skip


def filled_question(fact: Fact, position: int | None) -> str:
    """The question of a fact, with the member's words in its blanks."""
    if fact.index is None or position is None:
        return fact.question
    member = fact.index.members[position]
    return filled(fact.question, {fact.index.name: member.words, "short": member.short})


def value_words(type_: Type) -> tuple[str, ...]:
    """The words for each value of a type, from its lowest on."""
    if type_.form == "flag":
        return ("no", "yes")
    if type_.form == "member" and type_.kind:
        return tuple(member.words for member in type_.kind.members)
    return ()
