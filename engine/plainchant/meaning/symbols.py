"""What names mean: one frozen record for each thing that a book declares."""

from __future__ import annotations

from plainchant.records import Frozen, PartlyCompared
from plainchant.text import tree as t


class Symbol(PartlyCompared):
    """Anything that has a name; `part` is the name of the part it belongs to, or None. What the text says of it makes no other of it."""

    APART = frozenset({"span", "cites", "meaning", "applies", "condition", "values", "body", "ranking"})

    name: str
    span: t.Span
    cites: tuple[t.Cite, ...]
    part: str | None


class Member(PartlyCompared):
    """One of a kind: its identifier, printed name, short printed name, (of an alternative) what bars it, and where it is printed."""

    APART = frozenset({"condition", "cites"})

    name: str
    words: str
    short: str
    condition: t.Expr | None = None
    cites: tuple[t.Cite, ...] = ()


class Kind(Symbol):
    """A closed list of members; a group's members are seats, of which `low` to `high` are taken."""

    words: str
    members: tuple[Member, ...]
    low: int | None = None
    high: int | None = None
    question: str = ""

    @property
    def is_group(self) -> bool:
        return self.low is not None

    def position(self, name: str) -> int | None:
        return next((i for i, member in enumerate(self.members) if member.name == name), None)


class Entry(Symbol):
    """A campaign log entry; form is line, number, tally, list or printed."""

    words: str
    form: str
    index: Kind | None
    low: int = 0
    high: int | None = None
    listed: Kind | None = None


class Bag(Symbol):
    """Things of a kind, so many of each; with an index there is one bag for each member of that."""

    words: str
    kind: Kind
    index: Kind | None = None


class Zones(Symbol):
    """The bags in one of which each thing of the kind is; `totals` are how many there are of each member (None: set-up does not say)."""

    kind: Kind
    bags: tuple[Bag, ...]
    totals: tuple[int, ...] | None


class Keep(Symbol):
    """A `keep` variable or a group's field."""

    type: Type
    index: Kind | None
    initial: int


class Fact(Symbol):
    """Asked of the table (chooser `table`) or of the reader (`reading`)."""

    question: str
    type: Type
    index: Kind | None
    chooser: str


class Definition(Symbol):
    """A name for a condition or number, perhaps one for each member of a kind."""

    meaning: t.Expr
    index: Kind | None


class Requirement(Definition):
    """What each of a kind asks for: it is met where `applies` (None: always) does not hold, or `body` does; `meaning` says both."""

    words: str
    applies: t.Expr | None
    body: t.Expr


class Attribute(Symbol):
    """What the members of a kind carry, by their position: a number (of a list: the positions in it), or None for one without it."""

    type: Type
    index: Kind
    values: tuple[int | tuple[int, ...] | None, ...]


class Parameter(Symbol):
    """What a rule or verb is given, by the name under which its body speaks of it."""

    type: Type


class BuiltIn(Symbol):
    """`a_resolution_was_reached`."""


class Rule(Symbol):
    """`within`: how many times it may be under way at once, if it may lead to itself; `ranking` gets smaller each time."""

    parameters: tuple[Parameter, ...]
    body: t.Body
    words: str
    within: int | None = None
    ranking: t.Expr | None = None


class Event(Symbol):
    parameters: tuple[Parameter, ...]
    words: str


class Trigger(Symbol):
    """What a keyword or ability does each time that an event occurs; the name is the event's, the words the keyword's."""

    words: str
    condition: t.Expr | None
    timing: str
    body: t.Body


class Verb(Symbol):
    """pattern holds the words of the sentence; a blank is `{name}`."""

    kind: Kind
    pattern: tuple[str, ...]
    body: t.Body

    @property
    def blanks(self) -> tuple[str, ...]:
        return tuple(word[1:-1] for word in self.pattern if word.startswith("{"))

    @property
    def words(self) -> str:
        return " ".join(self.pattern)


class Section(Symbol):
    """A section of the book, with its text."""

    words: str
    kind: str
    by_a_card: bool
    body: t.Body

    @property
    def key(self) -> str:
        """The identifier of the section in its book: `part.section`."""
        return f"{self.part}.{self.name}"


class Part(Symbol):
    """A part of the book: its sections, and the rulings that stand while it is played."""

    words: str
    kind: str
    sections: tuple[Section, ...]
    standing_rules: tuple[t.StandingRule, ...]


Value = Entry | Bag | Keep | Fact | Definition | Attribute | Parameter | BuiltIn


class Type(Frozen):
    """What a value may be: form is flag, number, member, list, section or entry; bounds for numbers, kind for member and list."""

    form: str
    low: int | None = None
    high: int | None = None
    kind: Kind | None = None

    def __str__(self) -> str:
        match self.form:
            case "flag":
                return "true or false"
            case "number":
                return "a number" if self.high is None else f"a number from {self.low} to {self.high}"
            case "member":
                return f"a {self.kind.name}" if self.kind else "one of a kind"
            case "list":
                return f"a list of {self.kind.name}" if self.kind else "a list"
        return f"a {self.form}"


FLAG = Type("flag", 0, 1)
NUMBER = Type("number", 0, None)
