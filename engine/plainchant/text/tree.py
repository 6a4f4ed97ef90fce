"""The tree of a rules file: frozen nodes, each with the place where it stands; equality ignores places."""

from __future__ import annotations

from plainchant.text.place import NOWHERE as NOWHERE
from plainchant.text.place import Cite as Cite
from plainchant.text.place import Node as Node
from plainchant.text.place import Span as Span
from plainchant.text.place import children as children


class Name(Node):
    """An identifier, or printed words that serve as a name."""

    text: str
    printed: bool = False


class Ref(Node):
    """A name that stands for something declared elsewhere; two names are a part and its section."""

    names: tuple[Name, ...]


class Index(Node):
    """Whose: `of that person` (kind given, name None) or `of gavriella`, `of the lead`."""

    kind: Name | None
    name: Name | None


# ---------------------------------------------------------------- expressions


class Number(Node):
    """A number, as written."""

    value: int


class Truth(Node):
    """`yes` or `no`."""

    value: bool


class Value(Node):
    """A name read: an entry, fact, field, reading, definition, member, parameter."""

    name: Name
    index: Index | None = None


class Path(Node):
    """`"Part" / "Section"` inside an expression."""

    ref: Ref


class That(Node):
    """`that investigator`: the member that the nearest enclosing block is about."""

    kind: Name


class Call(Node):
    """`function(arguments)`."""

    function: Name
    arguments: tuple[Expr, ...]


class Quantified(Node):
    """`every investigator has …`; quantifier is every, any or no."""

    quantifier: str
    kind: Name
    body: Expr


class HowManyOf(Node):
    """`how many of (…)`: the number of conditions that hold."""

    items: tuple[Expr, ...]


class HowMany(Node):
    """`how many kind has …`: the number of members of which it holds."""

    kind: Name
    body: Expr


class Total(Node):
    """`the total of invocation of every card that has …`; condition None counts all."""

    value: Expr
    kind: Name
    condition: Expr | None


class SomeOf(Node):
    """`exactly 1 of (…)`; limit is exactly, at most or at least."""

    limit: str
    number: int
    items: tuple[Expr, ...]


class Compare(Node):
    """operator is one of = != < <= > >= in."""

    operator: str
    left: Expr
    right: Expr


class Sum(Node):
    """operator is + or -."""

    operator: str
    left: Expr
    right: Expr


class And(Node):
    """`… and …`."""

    items: tuple[Expr, ...]


class Or(Node):
    """`… or …`."""

    items: tuple[Expr, ...]


class Not(Node):
    """`not …`."""

    item: Expr


class Implies(Node):
    """`… implies …`."""

    left: Expr
    right: Expr


Expr = (
    Number | Truth | Value | Path | That | Call | Quantified | HowManyOf | HowMany | Total | SomeOf
    | Compare | Sum | And | Or | Not | Implies
)  # fmt: skip


# ---------------------------------------------------------------- statements


class Statement(Node, kw_only=True):
    """A statement on a line of its own, with the printed lines it transcribes."""

    cites: tuple[Cite, ...] = ()


class Body(Node):
    """What a header governs: one statement behind a colon (inline), or an indented block."""

    statements: tuple[Statement, ...]
    inline: bool = False


class EntryRef(Node):
    """A log entry that a statement names, perhaps that of one member."""

    name: Name
    index: Index | None = None


class Target(Node):
    """A thing that can be changed or moved to: words joined to one name, and whose it is."""

    name: Name
    index: Index | None = None


class Thing(Node):
    """So many of an item, by its name or as `that token`; count None is one."""

    count: Expr | None
    item: Name | That


class Phrase(Node):
    """The words and numbers behind a subject: `earns 2 bonus experience`."""

    items: tuple[Name | Expr, ...]


class Jump(Statement):
    """`proceed to …` and its like, in the verb of the page."""

    verb: str
    target: Ref


class SkipPart(Statement):
    """`skip … and proceed directly to …`."""

    skipped: Ref
    target: Ref


class ContinuePrinted(Statement):
    """`continue in printed order`."""


class PlayScenario(Statement):
    """`play the scenario`."""


class GoOn(Statement):
    """`go on to the resolution reached`."""


class GoBack(Statement):
    """`go back to the scenario`."""


class Over(Statement):
    """The end, with its label: of the campaign, or of a situation."""

    label: str
    situation: bool = False


class Nothing(Statement):
    """`nothing happens`."""


class Record(Statement):
    """`record …`, with the number that is put into the words, or under a checklist."""

    entries: tuple[EntryRef, ...]
    value: Expr | None
    under: Ref | None


class Tally(Statement):
    """`record … tally marks next to …`."""

    count: Expr
    entry: Ref


class CrossOff(Statement):
    """`cross off …`."""

    entries: tuple[EntryRef, ...]


class CrossOffEach(Statement):
    """`cross off each of …`, a checklist."""

    list: Ref


class LeaveOut(Statement):
    """`no record of …`: the text says that these do not stand in the log."""

    entries: tuple[EntryRef, ...]


class CardMayRecord(Statement):
    """An entry that the book asks about and only a card records: the table says whether it did."""

    entry: EntryRef


class ListSome(Statement):
    """`list … of any …`: as many things of a checklist as are named."""

    count: Expr
    list: Ref


class Transfer(Statement):
    """Add (source None), remove (destination None) or move things; partial is `as far as possible`."""

    things: tuple[Thing, ...]
    source: Target | None
    destination: Target | None
    partial: bool


class RemoveEach(Statement):
    """`remove each of …`: a bag or list is emptied."""

    place: Target


class MoveEach(Statement):
    """All that a bag holds goes to another."""

    kind: Name
    source: Target
    destination: Target


class Cost(Statement):
    """A cost of what the rule does: it is paid in full, or the rule ends here."""

    payment: Transfer | Change


class OnlyIf(Statement):
    """The rule goes on only if the condition holds."""

    condition: Expr


class Holds(Statement):
    """`the bag holds …`: these things and no others."""

    bag: Name
    items: tuple[Name, ...]


class Change(Statement):
    """operator is set, increase or decrease."""

    operator: str
    target: Target
    amount: Expr


class Deal(Statement):
    """`deal … in player order to …`."""

    count: Expr
    field: Name


class Evenly(Statement):
    """`as evenly as possible, remove … of each …`."""

    count: Expr
    field: Name
    kind: Name


class VerbUse(Statement):
    """subject is the, that or each; for `the` the phrase begins with the words that name who."""

    subject: str
    kind: Name | None
    condition: Expr | None
    phrase: Phrase


class Do(Statement):
    """`do rule(arguments)`."""

    rule: Name
    arguments: tuple[Expr, ...]


class Instruct(Statement):
    """What people do at the table: a verb, printed names with how many copies, and where."""

    verb: str
    items: tuple[tuple[int | None, str], ...]
    at: str | None


class If(Statement):
    """`if …`, `otherwise if …`, `otherwise`: the first arm whose condition holds."""

    arms: tuple[tuple[Expr, Body], ...]
    otherwise: Body | None
    arm_cites: tuple[tuple[Cite, ...], ...] = ()


class Case(Node):
    """condition None is a plain `otherwise`; after says `otherwise when`."""

    condition: Expr | None
    after: bool
    body: Body
    cites: tuple[Cite, ...] = ()


class Check(Statement):
    """`check "…"`: printed cases of which one is to be followed."""

    title: str
    cases: tuple[Case, ...]


class Arm(Node):
    """What is done for one member."""

    member: Name
    body: Body
    cites: tuple[Cite, ...] = ()


class By(Statement):
    """`by …`: an arm for every member of a kind."""

    subject: Expr
    arms: tuple[Arm, ...]


class ForEach(Statement):
    """Once for each member; with `any_order` the players say who is next."""

    kind: Name
    condition: Expr | None
    body: Body
    any_order: bool = False


class Option(Node):
    """A printed choice: when it may be chosen, and what is done then."""

    words: str
    condition: Expr | None
    body: Body | None
    cites: tuple[Cite, ...] = ()


class Decide(Statement):
    """who holds the deciders' words (`lead investigator`); limit is `up to N`; who None is chance."""

    who: Phrase | None
    limit: int | None
    options: tuple[Option, ...]


class Choose(Statement):
    """One member is chosen by who (a phrase, or `that kind`); optional with `may`."""

    who: Phrase | That
    optional: bool
    kind: Name
    condition: Expr | None
    body: Body


class AnyOneMay(Statement):
    """`any one kind may …`."""

    kind: Name
    body: Body


class Draw(Statement):
    """One thing is drawn from a bag at random, each as likely as it is often there; it stays there until the body moves it."""

    kind: Name
    place: Target
    body: Body


class Happens(Statement):
    """An event occurs: what reacts to it is carried out around the results, which the body tells."""

    event: Name
    arguments: tuple[Expr, ...]
    body: Body | None


class CardMay(Statement):
    """`a card may send the investigators to …`."""

    target: Ref


# ---------------------------------------------------------------- declarations


class Declaration(Node, kw_only=True):
    """What stands at the margin of a file or of a part."""

    cites: tuple[Cite, ...] = ()


class Type(Node):
    """form is flag, number, range, list or named; low/high for a range, kind for list and named."""

    form: str
    kind: Name | None = None
    low: int | None = None
    high: int | None = None


class Use(Declaration):
    """`use …`: the names of another module."""

    module: str


class PartInOrder(Node):
    """A line of the order of play."""

    ref: Ref
    cites: tuple[Cite, ...] = ()


class Book(Declaration):
    """order_at is the place of the `order of play` line with its block."""

    APART = frozenset({"span", "order_at"})

    name: Name
    title: str
    sources: tuple[tuple[Name, int], ...]
    begins: Ref | None
    order: tuple[PartInOrder, ...]
    order_cites: tuple[Cite, ...] = ()
    begins_cites: tuple[Cite, ...] = ()
    order_at: Span = NOWHERE


class Attribute(Node):
    """`with home: city or none`: what each member of a kind carries; optional says that it may be missing."""

    name: Name
    type: Type
    optional: bool = False
    cites: tuple[Cite, ...] = ()


class Carried(Node):
    """`home arkham`, `cities (arkham, kingsport)`: what one member carries; the literals are names, numbers too."""

    name: Name
    values: tuple[Name, ...]
    listed: bool = False


class Member(Node):
    """A member of a kind, by its identifier and its printed words."""

    name: Name
    words: str
    short: str | None = None
    cites: tuple[Cite, ...] = ()
    carried: tuple[Carried, ...] = ()


class Kinds(Declaration):
    """A kind: a closed list of members."""

    name: Name
    words: str | None
    members: tuple[Member, ...]
    attributes: tuple[Attribute, ...] = ()


class Members(Declaration):
    """`members of card`: further members of a kind that is declared elsewhere."""

    kind: Name
    members: tuple[Member, ...]


class Keep(Declaration):
    """A variable that is not in the printed log; index is the kind it is declared `of`."""

    name: Name
    index: Name | None
    type: Type
    initial: Name | None


class Group(Declaration):
    """The people at the table: from how many to how many, and what is kept of each."""

    name: Name
    low: int
    high: int
    question: str
    fields: tuple[Keep, ...]


class Bag(Declaration):
    """index is the kind on each member of which there is such a bag."""

    name: Name
    kind: Name
    words: str
    index: Name | None = None


class Zones(Declaration):
    """Every thing of a kind is in exactly one of these bags: rules move it, and neither make nor destroy it."""

    kind: Name
    bags: tuple[Name, ...]


class Entry(Declaration):
    """form is line, number, tally, list or printed; high None is a number without a bound."""

    name: Name
    index: Name | None
    words: str
    form: str
    low: int | None = None
    high: int | None = None
    kind: Name | None = None


class Log(Declaration):
    """`campaign log`: its entries."""

    entries: tuple[Entry, ...]


class Alternative(Node):
    """A printed answer to a question, and when it is open."""

    name: Name
    words: str
    condition: Expr | None = None
    cites: tuple[Cite, ...] = ()


class Fact(Declaration):
    """Of the table; either a type or a list of alternatives."""

    name: Name
    index: Name | None
    type: Type | None
    question: str
    alternatives: tuple[Alternative, ...]


class Reading(Declaration):
    """An ambiguity of the text, and the ways to read it."""

    name: Name
    question: str
    alternatives: tuple[Alternative, ...]


class Define(Declaration):
    """`define … means …`."""

    name: Name
    index: Name | None
    meaning: Expr


class Verb(Declaration):
    """A sentence about one of a kind, and what it means."""

    kind: Name
    pattern: str
    body: Body


class Parameter(Node):
    """What a rule is given."""

    name: Name
    type: Type


class Rule(Declaration):
    """A rule with `within` may lead to itself again, so many times within each other; `ranking` is a number that is smaller each time."""

    name: Name
    parameters: tuple[Parameter, ...]
    words: str | None
    body: Body
    within: int | None = None
    ranking: Expr | None = None


class Event(Declaration):
    """Something that can happen, and what it is about."""

    name: Name
    parameters: tuple[Parameter, ...]
    words: str


class Trigger(Node):
    """`each time …`: timing is instead, before it, after applying all results, or as a reaction (which the players may leave)."""

    event: Name
    condition: Expr | None
    timing: str
    body: Body
    cites: tuple[Cite, ...] = ()


class Keyword(Declaration):
    """A keyword or an ability (sort): what it does each time that something happens."""

    sort: str
    name: Name
    words: str
    triggers: tuple[Trigger, ...]


class Requirement(Declaration):
    """What each of a kind asks for, if its condition says that it does."""

    name: Name
    kind: Name
    words: str
    condition: Expr | None
    meaning: Expr


class Claim(Declaration):
    """kind is never, always, possible, or independent (of a reading, or of `order`); at None is the end of the campaign.

    A claim of independence may be about those plays alone in which its condition holds.
    """

    name: Name
    kind: str
    expression: Expr
    at: Ref | None
    condition: Expr | None = None


class Acknowledge(Declaration):
    """A finding that is known, and why it stays: kind of the finding, what it is about, the reason; the printed lines are cited."""

    kind: str
    subject: Ref
    reason: str


class Waive(Declaration):
    """Printed lines that carry no rule: of which class they are, and why nothing is transcribed; the lines are cited."""

    line_class: str
    reason: str


class NotTranscribed(Declaration):
    """Printed lines with rules that nobody has transcribed yet, and why; they count as missing."""

    reason: str


class StandingRule(Node):
    """While the part is played, event is ignored, is forbidden, or becomes another event."""

    event: str
    ruling: str
    instead: str | None = None
    cites: tuple[Cite, ...] = ()


class Throughout(Declaration):
    """Rulings that stand while the part is played."""

    rules: tuple[StandingRule, ...]


class Section(Declaration):
    """A section: its text under its printed title."""

    kind: str
    words: str
    by_a_card: bool
    body: Body


PartItem = Fact | Keep | Reading | Define | Claim | Section | Throughout


class Part(Declaration):
    """A scenario, interlude or other part of the book."""

    kind: str
    name: Name
    words: str
    items: tuple[PartItem, ...]


Item = (
    Use | Book | Kinds | Members | Group | Bag | Zones | Log | Fact | Keep | Reading | Define | Verb | Rule | Event | Keyword | Part
    | Requirement | Claim | Acknowledge | Waive | NotTranscribed
)  # fmt: skip


class Comment(Node):
    """own_line says that nothing else stands on its line."""

    text: str
    own_line: bool


class File(Node):
    """What a file holds: declarations, and the comments beside them."""

    items: tuple[Item, ...]
    comments: tuple[Comment, ...] = ()
