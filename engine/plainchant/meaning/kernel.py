"""The kernel: the one small set of forms into which every rule is brought, and the program that is made of them.

A program is a graph of blocks over bounded integer variables. A block carries out its assignments in order and then leaves by its exit.
Four exits wait for somebody: `Choose` and `Range` (who waits is said by the chooser), `Cases` (only if two printed cases apply), `Stop`.
What these forms mean is defined in `evaluate.py`, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from plainchant.records import Frozen, PartlyCompared, field, values_of
from plainchant.text.place import NOWHERE, Cite, Span

# ---------------------------------------------------------------- expressions


class Const(Frozen):
    """A number."""

    value: int


class Read(Frozen):
    """The value of the variable with this number."""

    variable: int


class Plus(Frozen):
    """A sum."""

    left: Num
    right: Num


class Minus(Frozen):
    """A difference."""

    left: Num
    right: Num


class Either(Frozen):
    """`then` if the condition holds, `otherwise` if not."""

    condition: Cond
    then: Num
    otherwise: Num


Num = Const | Read | Plus | Minus | Either


class Truth(Frozen):
    """What holds always, or never."""

    value: bool


class Equal(Frozen):
    """Two numbers are the same."""

    left: Num
    right: Num


class Less(Frozen):
    """The left number is smaller than the right one."""

    left: Num
    right: Num


class All(Frozen):
    """Every one of the conditions holds."""

    items: tuple[Cond, ...]


class Some(Frozen):
    """At least one of the conditions holds."""

    items: tuple[Cond, ...]


class Opposite(Frozen):
    """The condition does not hold."""

    item: Cond


Cond = Truth | Equal | Less | All | Some | Opposite


def all_of(*items: Cond) -> Cond:
    """The conjunction, without what is true anyway."""
    kept = tuple(i for i in items if i != Truth(True))
    if Truth(False) in kept:
        return Truth(False)
    return kept[0] if len(kept) == 1 else All(kept) if kept else Truth(True)


def some_of(*items: Cond) -> Cond:
    """The disjunction, without what is false anyway."""
    kept = tuple(i for i in items if i != Truth(False))
    if Truth(True) in kept:
        return Truth(True)
    return kept[0] if len(kept) == 1 else Some(kept) if kept else Truth(False)


def opposite(item: Cond) -> Cond:
    match item:
        case Truth(value):
            return Truth(not value)
        case Opposite(inner):
            return inner
    return Opposite(item)


def at_most(left: Num, right: Num) -> Cond:
    return opposite(Less(right, left))


def number_of(conditions: tuple[Cond, ...]) -> Num:
    """How many of the conditions hold."""
    return sum_of(tuple(Const(int(c.value)) if isinstance(c, Truth) else Either(c, Const(1), Const(0)) for c in conditions))


def sum_of(numbers: Iterable[Num]) -> Num:
    """The sum, as a tree of little depth: there may be a hundred cards, and nothing that walks it should have to go so deep."""
    numbers = tuple(numbers)
    known = sum(number.value for number in numbers if isinstance(number, Const))
    terms: list[Num] = [number for number in numbers if not isinstance(number, Const)]
    terms += [Const(known)] if known or not terms else []
    while len(terms) > 1:
        terms = [Plus(*pair) if len(pair) == 2 else pair[0] for pair in _pairs(terms)]
    return terms[0]


def _pairs(terms: list[Num]) -> list[list[Num]]:
    """Neighbours in pairs, and the last alone if it has none."""
    return [terms[i : i + 2] for i in range(0, len(terms), 2)]


def settled(condition: Cond) -> Cond:
    """The condition with what no variable decides worked out (which sort a card has, what it prints)."""
    match condition:
        case Equal(Const(a), Const(b)):
            return Truth(a == b)
        case Less(Const(a), Const(b)):
            return Truth(a < b)
        case All(items):
            return all_of(*(settled(item) for item in items))
        case Some(items):
            return some_of(*(settled(item) for item in items))
        case Opposite(item):
            return opposite(settled(item))
    return condition


# ---------------------------------------------------------------- variables


class Variable(Frozen):
    """A bounded integer (high None: no bound, only for what accumulates).

    `role` says what it stands for: log, value (of an entry), bag, keep, fact, reading, seats, hidden. A log variable is 0 not recorded,
    1 recorded, 2 crossed off. A fact, reading or number of seats that was not asked yet is one below `low`.
    `words` are the printed words for people; `values` those of its values, from `low` on. `scope` is a part's name, or "" for the campaign.
    """

    name: str
    low: int
    high: int | None
    initial: int
    role: str
    words: str
    values: tuple[str, ...] = ()
    scope: str = ""

    @property
    def asked(self) -> bool:
        """Whether its value comes from a question."""
        return self.role in ("fact", "reading", "seats")

    @property
    def unknown(self) -> int:
        """The value that means: not asked yet."""
        return self.low - 1

    def shown(self, value: int) -> str:
        """A value in the words of people."""
        if self.asked and value == self.unknown:
            return "not asked"
        if self.values and 0 <= value - self.low < len(self.values):
            return self.values[value - self.low]
        return str(value)


# ---------------------------------------------------------------- blocks


class Set(Frozen):
    """Assign; numbers out of a variable's range never arrive here, a `Stop` stands before. `cites`: where the change is printed."""

    variable: int
    value: Num
    cites: tuple[Cite, ...] = ()


class Instruction(Frozen):
    """What people do at the table: a verb, the printed names of the things, and where (empty if that is not said)."""

    verb: str
    names: tuple[str, ...]
    place: str


class Note(PartlyCompared):
    """A statement that a block carries out: its text in the language, where it stands and where it is printed.

    `form` is set where it matters what sort of statement it is: way (leads to another section), printed order (a way that the text does not
    print), play (people play the scenario), card (only a card at the table does it). `instruction` is what people do.
    `after` is how many assignments of its block stand before it; those that follow, up to the next note, are its own.
    """

    APART = frozenset({"after"})

    text: str
    cites: tuple[Cite, ...]
    span: Span
    form: str = ""
    instruction: Instruction | None = None
    after: int = 0


class Goto(Frozen):
    """Goes on at a block."""

    target: int


class Branch(Frozen):
    """`words` are those of the printed condition, empty where the branch only serves the machine (a question, a seat, a check)."""

    condition: Cond
    then: int
    otherwise: int
    words: str = ""
    cites: tuple[Cite, ...] = ()


class Case(Frozen):
    """A printed case: when it applies, and where it leads."""

    condition: Cond
    target: int
    words: str
    cites: tuple[Cite, ...]


class Cases(Frozen):
    """Printed cases: the one that applies is followed; none: `hole`; several: the reader must say which (an overlap)."""

    prompt: str
    cites: tuple[Cite, ...]
    cases: tuple[Case, ...]
    hole: int


class Option(Frozen):
    """A choice: its printed words, when it may be taken, what taking it sets, and where it leads.

    Where chance chooses, it is as likely as its weight says, compared with those of the other open options.
    """

    words: str
    condition: Cond
    sets: tuple[Set, ...]
    target: int
    cites: tuple[Cite, ...]
    weight: Num = Const(1)


class Choose(Frozen):
    """chooser: players, table, chance or reading; decider: who exactly, in the book's words.

    `variable` is what an answer is stored in; `order` says that only the order is chosen in which all of the options are carried out.
    """

    chooser: str
    decider: str
    prompt: str
    cites: tuple[Cite, ...]
    options: tuple[Option, ...]
    variable: int | None = None
    order: bool = False


class Range(Frozen):
    """A number from low to high is named and stored."""

    chooser: str
    decider: str
    prompt: str
    cites: tuple[Cite, ...]
    variable: int
    low: int
    high: int
    target: int


class Stop(Frozen):
    """kind: end, hole, impossible, range or dead-end; `about` names what was being decided; `reads` the variables it depended on."""

    kind: str
    about: str
    cites: tuple[Cite, ...]
    span: Span = NOWHERE
    reads: tuple[int, ...] = ()


Exit = Goto | Branch | Cases | Choose | Range | Stop


class Block(Frozen):
    """Assignments that are carried out in order, and the exit by which the block is left; `notes` say what is carried out."""

    section: int
    sets: tuple[Set, ...]
    exit: Exit
    notes: tuple[Note, ...] = ()


# ---------------------------------------------------------------- the program


class SectionInfo(Frozen):
    """A section of the book: `key` is `part.section`, `start` its first block."""

    key: str
    part: str
    words: str
    part_words: str
    kind: str
    cites: tuple[Cite, ...]
    span: Span
    start: int
    by_a_card: bool = False


CAMPAIGN = "campaign"
"""The entrance where a book begins; every other one is a Standalone Mode."""


class Entrance(Frozen):
    """A way to begin: `campaign`, or the identifier of a scenario for its Standalone Mode."""

    name: str
    words: str
    sets: tuple[Set, ...]
    block: int


class StandingRule(Frozen):
    """A ruling that stands while a part is played."""

    part: str
    event: str
    ruling: str
    instead: str | None
    cites: tuple[Cite, ...]


class LogEntry(Frozen):
    """How an entry is shown: its title, and for each line of it the words, its state variable and its number variable (or None).

    A checklist has one line for each thing; another entry one line, or one for each member that it is declared `of`.
    """

    name: str
    title: str
    form: str
    lines: tuple[tuple[str, int, int | None], ...]


class BagShown(Frozen):
    """A bag: its printed name, and each token's printed name with the variable of its count."""

    name: str
    words: str
    tokens: tuple[tuple[str, int], ...]


class SeatsShown(Frozen):
    """A group: the variable of the number of seats, and for each seat its words and the labelled variables of its fields."""

    name: str
    count: int
    seats: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


class Answerable(Frozen):
    """A fact, reading or number of seats, as a position names it.

    `lines` are its variables with the identifier and words of the one that each is about (both empty if it is asked once); `answers` the
    identifier and words of each value, from the lowest on (none: it is a number).
    """

    name: str
    question: str
    role: str
    lines: tuple[tuple[str, str, int], ...]
    answers: tuple[tuple[str, str], ...]


class Claimed(Frozen):
    """A claim over the state at the end of a play, or on arrival at the section with number `at`.

    `rests_on` are the definitions that it names, each in the language and with its printed lines. `bare` says that it is no more than
    `yes` or `no`: then it is about whether play comes there at all.
    """

    name: str
    kind: str
    text: str
    condition: Cond
    at: int | None
    cites: tuple[Cite, ...]
    span: Span
    rests_on: tuple[tuple[str, tuple[Cite, ...]], ...] = ()
    bare: bool = False


class Demand(Frozen):
    """One requirement of one of a kind, over any state: whether it is asked for, whether it holds, and the numbers that it compares.

    `of` are the printed words of the one that asks, `member` its identifier, `kind` that of its kind; `cites` are the lines of the rule,
    `printed` those of the card. `operator` is empty, and `left` and `right` are None, where no two numbers are compared; `numbers` are
    then those that it names.
    """

    name: str
    words: str
    kind: str
    member: str
    of: str
    text: str
    cites: tuple[Cite, ...]
    printed: tuple[Cite, ...]
    applies: Cond
    holds: Cond
    operator: str = ""
    left: Num | None = None
    right: Num | None = None
    numbers: tuple[tuple[str, Num], ...] = ()

    @property
    def met(self) -> Cond:
        """That it holds, or is not asked for."""
        return some_of(opposite(self.applies), self.holds)


class Independence(Frozen):
    """A claim that what comes about until play arrives at the section `at` again does not depend on something.

    `of` is the variable of a reading, or None for the order in which things are done that the text leaves open. It is about those plays alone
    in which the condition holds when they come back.
    """

    name: str
    text: str
    of: int | None
    at: int
    cites: tuple[Cite, ...]
    span: Span
    condition: Cond = Truth(True)


class Acknowledged(Frozen):
    """A finding that is known: its kind, what it is about (a section's key, or a name), why it stays, and where that is printed."""

    kind: str
    subject: str
    reason: str
    cites: tuple[Cite, ...]
    span: Span


class Program(PartlyCompared):
    """A whole book, ready to be executed or compiled to terms."""

    APART = frozenset({"lookup"})

    book: str
    title: str
    variables: tuple[Variable, ...]
    blocks: tuple[Block, ...]
    sections: tuple[SectionInfo, ...]
    entrances: tuple[Entrance, ...]
    claims: tuple[Claimed, ...] = ()
    independences: tuple[Independence, ...] = ()
    demands: tuple[Demand, ...] = ()
    answerable: tuple[Answerable, ...] = ()
    measures: tuple[Num, ...] = ()
    acknowledged: tuple[Acknowledged, ...] = ()
    standing_rules: tuple[StandingRule, ...] = ()
    log: tuple[LogEntry, ...] = ()
    bags: tuple[BagShown, ...] = ()
    groups: tuple[SeatsShown, ...] = ()
    source: str | None = None
    digest: str = ""
    lookup: dict[str, int] = field(default_factory=dict)

    def variable(self, name: str) -> int:
        """The number of a variable; KeyError if there is none."""
        return self.lookup[name]

    def entrance(self, name: str) -> Entrance | None:
        """The way to begin that is called so."""
        return next((entrance for entrance in self.entrances if entrance.name == name), None)


def successors(exit_: Exit) -> tuple[int, ...]:
    """The blocks to which an exit may lead."""
    # Asked about each block a dozen times: a match would take three times as long.
    if type(exit_) is Goto or type(exit_) is Range:
        return (exit_.target,)
    if type(exit_) is Branch:
        return (exit_.then, exit_.otherwise)
    if type(exit_) is Cases:
        return (*[case.target for case in exit_.cases], exit_.hole)
    return tuple([option.target for option in exit_.options]) if type(exit_) is Choose else ()


def led_to(program: Program, starts: Iterable[int]) -> frozenset[int]:
    """The blocks to which the order of the text leads from these, themselves included."""
    seen: set[int] = set()
    waiting = list(starts)
    while waiting:
        block = waiting.pop()
        if block not in seen:
            seen.add(block)
            waiting += successors(program.blocks[block].exit)
    return frozenset(seen)


_PARTS: dict[type, Callable[[object], tuple[Num | Cond, ...]]] = {
    **{kind: values_of(kind.__struct_fields__) for kind in (Plus, Minus, Either, Equal, Less, Opposite)},
    All: attrgetter("items"),
    Some: attrgetter("items"),
}
"""What gives the expressions of which one is made, for each kind that is made of any."""


def reads(expression: Num | Cond) -> tuple[int, ...]:
    """The variables that an expression reads, in order, each once."""
    found: dict[int, None] = {}
    stack: list[Num | Cond] = [expression]
    while stack:
        one = stack.pop()
        parts = _PARTS.get(type(one))
        if parts is not None:
            stack += reversed(parts(one))
        elif type(one) is Read:
            found[one.variable] = None
    return tuple(found)
