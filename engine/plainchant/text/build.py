"""From Lark's parse tree to ours: one method per rule of the grammar, nothing decided here."""

from __future__ import annotations

import re
from typing import Any

from lark import Token, Tree
from lark.tree import Meta

from plainchant.records import replace
from plainchant.text import tree as t

_ESCAPE = re.compile(r"\\(.)")
_SPACES = re.compile(r" +")


def cite_from_text(text: str, span: t.Span) -> t.Cite:
    """`@tcu:37-40,52` as a Cite."""
    source, _, numbers = text[1:].rpartition(":")
    ranges = []
    for piece in numbers.split(","):
        low, _, high = piece.partition("-")
        ranges.append((int(low), int(high or low)))
    return t.Cite(source or None, tuple(ranges), span=span)


class Builder:
    """Builds our nodes for one file; `file` goes into every span.

    What Lark's own transformers look up and wrap for every node would take as long again as building the nodes.
    """

    def __init__(self, file: str) -> None:
        self._file = file

    def build(self, tree: Tree[Any]) -> Any:
        """What the method for the tree's rule makes of its place and children, these built before."""
        children = [self.build(child) if isinstance(child, Tree) else child for child in tree.children]
        return getattr(self, tree.data)(tree.meta, children)

    # ------------------------------------------------------------ small pieces

    def _span(self, meta: Meta) -> t.Span:
        if getattr(meta, "empty", True):
            return t.Span(self._file, 1, 1, 1, 1)
        return t.Span(self._file, meta.line, meta.column, meta.end_line, meta.end_column)

    def _at(self, token: Token) -> t.Span:
        return t.Span(self._file, token.line or 1, token.column or 1, token.end_line or 1, token.end_column or 1)

    def _name(self, token: Token) -> t.Name:
        text = str(token)
        if token.type == "STRING":
            return t.Name(_ESCAPE.sub(r"\1", text[1:-1]), True, span=self._at(token))
        return t.Name(text, False, span=self._at(token))

    def _words(self, token: Token) -> str:
        return self._name(token).text

    def _joined(self, names: list[t.Name]) -> t.Name:
        span = t.Span(self._file, names[0].span.line, names[0].span.column, names[-1].span.end_line, names[-1].span.end_column)
        return t.Name("_".join(name.text for name in names), False, span=span)

    def cites(self, _meta: Meta, tokens: list[Token]) -> tuple[t.Cite, ...]:
        return tuple(cite_from_text(str(token), self._at(token)) for token in tokens)

    def ref(self, meta: Meta, tokens: list[Token]) -> t.Ref:
        return t.Ref(tuple(self._name(token) for token in tokens), span=self._span(meta))

    def words(self, _meta: Meta, tokens: list[Token]) -> t.Name:
        return self._joined([self._name(token) for token in tokens])

    def that_index(self, meta: Meta, c: list[Any]) -> t.Index:
        return t.Index(self._name(c[0]), None, span=self._span(meta))

    def the_index(self, meta: Meta, c: list[Any]) -> t.Index:
        return t.Index(None, c[0], span=self._span(meta))

    def named_index(self, meta: Meta, c: list[Any]) -> t.Index:
        return t.Index(None, self._name(c[0]), span=self._span(meta))

    def entry_ref(self, meta: Meta, c: list[Any]) -> t.EntryRef:
        return t.EntryRef(self._name(c[0]), c[1], span=self._span(meta))

    def place(self, meta: Meta, c: list[Any]) -> t.Target:
        return t.Target(c[0], c[1], span=self._span(meta))

    target = place

    def count(self, _meta: Meta, c: list[Any]) -> t.Expr:
        number: t.Expr = self._number(c[0])
        return number

    def _number(self, item: Any) -> Any:
        return t.Number(int(item), span=self._at(item)) if isinstance(item, Token) else item

    def item(self, _meta: Meta, c: list[Token]) -> t.Name:
        name = self._name(c[0])
        printed = name.printed or c[0].type in ("SIGNED", "NUMBER")
        return t.Name(name.text, printed, span=name.span)

    def that_item(self, meta: Meta, c: list[Token]) -> t.That:
        return t.That(self._name(c[0]), span=self._span(meta))

    def thing(self, meta: Meta, c: list[Any]) -> t.Thing:
        return t.Thing(c[0], c[1], span=self._span(meta))

    def things(self, _meta: Meta, c: list[Any]) -> tuple[t.Thing, ...]:
        return tuple(c)

    def phrase(self, meta: Meta, c: list[Any]) -> t.Phrase:
        items = []
        for item in c:
            if isinstance(item, Token):
                items.append(self._number(item) if item.type == "NUMBER" else self._name(item))
            else:
                items.append(item)
        return t.Phrase(tuple(items), span=self._span(meta))

    def printed_item(self, _meta: Meta, c: list[Token]) -> tuple[int | None, str]:
        return (int(c[0]), self._words(c[1])) if len(c) == 2 else (None, self._words(c[0]))

    def up_to(self, _meta: Meta, c: list[Token]) -> int:
        return int(c[0])

    # ------------------------------------------------------------ types

    def range(self, _meta: Meta, c: list[Token]) -> tuple[int, int]:
        return int(c[0]), int(c[1])

    def flag_type(self, meta: Meta, _c: list[Any]) -> t.Type:
        return t.Type("flag", span=self._span(meta))

    def number_type(self, meta: Meta, _c: list[Any]) -> t.Type:
        return t.Type("number", span=self._span(meta))

    def range_type(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.Type("range", None, *c[0], span=self._span(meta))

    def list_type(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.Type("list", self._name(c[0]), span=self._span(meta))

    def named_type(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.Type("named", self._name(c[0]), span=self._span(meta))

    def literal(self, _meta: Meta, c: list[Token]) -> t.Name:
        return self._name(c[0])

    # ------------------------------------------------------------ declarations

    def start(self, meta: Meta, items: list[Any]) -> t.File:
        return t.File(tuple(i for i in items if not isinstance(i, Token)), span=self._span(meta))

    def use(self, meta: Meta, c: list[Any]) -> t.Use:
        return t.Use(str(c[0]), cites=c[1], span=self._at(c[0]))

    def printed_in(self, _meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "source", (self._name(c[0]), int(c[1]))

    def begins_with(self, _meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "begins", (c[0], c[1])

    def order_line(self, meta: Meta, c: list[Any]) -> t.PartInOrder:
        return t.PartInOrder(c[0], c[1], span=self._span(meta))

    def order_of_play(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "order", (tuple(c[1:]), c[0], self._span(meta))

    def book(self, meta: Meta, c: list[Any]) -> t.Book:
        found: dict[str, list[Any]] = {"source": [], "begins": [], "order": []}
        for key, value in c[3:]:
            found[key].append(value)
        begins, begins_cites = found["begins"][0] if found["begins"] else (None, ())
        order, order_cites, order_at = found["order"][0] if found["order"] else ((), (), t.NOWHERE)
        return t.Book(
            self._name(c[0]), self._words(c[1]), tuple(found["source"]), begins, order, order_cites, begins_cites, order_at,
            cites=c[2], span=self._span(meta),
        )  # fmt: skip

    def member(self, meta: Meta, c: list[Any]) -> t.Member:
        short = self._words(c[2]) if c[2] is not None else None
        return t.Member(self._name(c[0]), self._words(c[1]), short, c[4], c[3] or (), span=self._span(meta))

    def attribute(self, meta: Meta, c: list[Any]) -> t.Attribute:
        return t.Attribute(self._name(c[0]), c[1], isinstance(c[2], Token), c[-1], span=self._span(meta))

    def carried(self, _meta: Meta, c: list[Any]) -> tuple[t.Carried, ...]:
        return tuple(c)

    def carries(self, meta: Meta, c: list[Any]) -> t.Carried:
        return t.Carried(self._name(c[0]), (c[1],), span=self._span(meta))

    def carries_list(self, meta: Meta, c: list[Any]) -> t.Carried:
        return t.Carried(self._name(c[0]), tuple(c[1:]), True, span=self._span(meta))

    def members(self, meta: Meta, c: list[Any]) -> t.Members:
        return t.Members(self._name(c[0]), tuple(c[2:]), cites=c[1], span=self._span(meta))

    def kinds(self, meta: Meta, c: list[Any]) -> t.Kinds:
        members = tuple(m for m in c if isinstance(m, t.Member))
        words = self._words(c[1]) if isinstance(c[1], Token) else None
        attributes = tuple(a for a in c if isinstance(a, t.Attribute))
        cites = next(x for x in c if isinstance(x, tuple))
        return t.Kinds(self._name(c[0]), words, members, attributes, cites=cites, span=self._span(meta))

    def field(self, meta: Meta, c: list[Any]) -> t.Keep:
        return t.Keep(self._name(c[0]), None, c[1], c[2], cites=c[3], span=self._span(meta))

    def group(self, meta: Meta, c: list[Any]) -> t.Group:
        low, high = c[1]
        return t.Group(
            self._name(c[0]), low, high, self._words(c[2]), tuple(c[4:]), cites=c[3], span=self._span(meta)
        )  # fmt: skip

    def bag(self, meta: Meta, c: list[Any]) -> t.Bag:
        index = self._optional_name(c[2])
        return t.Bag(self._name(c[0]), self._name(c[1]), self._words(c[3]), index, cites=c[4], span=self._span(meta))

    def zones(self, meta: Meta, c: list[Any]) -> t.Zones:
        kind, *bags, cites = c
        return t.Zones(self._name(kind), tuple(self._name(bag) for bag in bags), cites=cites, span=self._span(meta))

    def number_entry(self, _meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "number", c[0]

    def open_number_entry(self, _meta: Meta, _c: list[Any]) -> tuple[str, Any]:
        return "number", (0, None)

    def tally_entry(self, _meta: Meta, _c: list[Any]) -> tuple[str, Any]:
        return "tally", (0, None)

    def list_entry(self, _meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "list", self._name(c[0])

    def printed_entry(self, _meta: Meta, _c: list[Any]) -> tuple[str, Any]:
        return "printed", None

    def entry(self, meta: Meta, c: list[Any]) -> t.Entry:
        written: tuple[str, Any] = c[3] or ("line", None)
        form, detail = written
        low, high = detail if form in ("number", "tally") else (None, None)
        return t.Entry(
            self._name(c[0]), self._name(c[1]) if c[1] is not None else None, self._words(c[2]), form, low, high,
            detail if form == "list" else None, cites=c[4], span=self._span(meta),
        )  # fmt: skip

    def log(self, meta: Meta, c: list[Any]) -> t.Log:
        return t.Log(tuple(c[1:]), cites=c[0], span=self._span(meta))

    def alternative(self, meta: Meta, c: list[Any]) -> t.Alternative:
        return t.Alternative(self._name(c[0]), self._words(c[1]), c[2], c[3], span=self._span(meta))

    def _optional_name(self, token: Token | None) -> t.Name | None:
        return None if token is None else self._name(token)

    def typed_fact(self, meta: Meta, c: list[Any]) -> t.Fact:
        return t.Fact(
            self._name(c[0]), self._optional_name(c[1]), c[2], self._words(c[3]), (), cites=c[4], span=self._span(meta)
        )  # fmt: skip

    def listed_fact(self, meta: Meta, c: list[Any]) -> t.Fact:
        return t.Fact(
            self._name(c[0]), self._optional_name(c[1]), None, self._words(c[2]), tuple(c[4:]), cites=c[3], span=self._span(meta)
        )  # fmt: skip

    def reading(self, meta: Meta, c: list[Any]) -> t.Reading:
        return t.Reading(self._name(c[0]), self._words(c[1]), tuple(c[3:]), cites=c[2], span=self._span(meta))

    def keep(self, meta: Meta, c: list[Any]) -> t.Keep:
        return t.Keep(self._name(c[0]), self._optional_name(c[1]), c[2], c[3], cites=c[4], span=self._span(meta))

    def define(self, meta: Meta, c: list[Any]) -> t.Define:
        return t.Define(self._name(c[0]), self._optional_name(c[1]), c[2], cites=c[3], span=self._span(meta))

    def verb(self, meta: Meta, c: list[Any]) -> t.Verb:
        body, cites = _body(c[2:])
        return t.Verb(self._name(c[0]), self._words(c[1]), body, cites=cites, span=self._span(meta))

    def parameter(self, meta: Meta, c: list[Any]) -> t.Parameter:
        return t.Parameter(self._name(c[0]), c[1], span=self._span(meta))

    def rule(self, meta: Meta, c: list[Any]) -> t.Rule:
        parameters = tuple(p for p in c if isinstance(p, t.Parameter))
        strings = [x for x in c[1:] if isinstance(x, Token)]
        body, cites = _body([x for x in c if isinstance(x, Tree | _Inline | _Block)])
        words = self._words(strings[0]) if strings else None
        within, ranking = next((x.limit for x in c if isinstance(x, _Within)), (None, None))
        return t.Rule(self._name(c[0]), parameters, words, body, within, ranking, cites=cites, span=self._span(meta))

    def within(self, _meta: Meta, c: list[Any]) -> _Within:
        return _Within((int(c[0]), c[1]))

    def event(self, meta: Meta, c: list[Any]) -> t.Event:
        parameters = tuple(p for p in c if isinstance(p, t.Parameter))
        return t.Event(self._name(c[0]), parameters, self._words(c[-2]), cites=c[-1], span=self._span(meta))

    def keyword(self, meta: Meta, c: list[Any]) -> t.Keyword:
        return t.Keyword(str(c[0]), self._name(c[1]), self._words(c[2]), tuple(c[4:]), cites=c[3], span=self._span(meta))

    def each_time(self, meta: Meta, c: list[Any]) -> t.Trigger:
        body, cites = _body(c[3:])
        return t.Trigger(self._name(c[0]), c[1], _SPACES.sub(" ", str(c[2])), body, cites, span=self._span(meta))

    def requirement(self, meta: Meta, c: list[Any]) -> t.Requirement:
        return t.Requirement(self._name(c[0]), self._name(c[1]), self._words(c[2]), c[3], c[4], cites=c[5], span=self._span(meta))

    def claim(self, meta: Meta, c: list[Any]) -> t.Claim:
        return t.Claim(self._name(c[0]), str(c[1]), c[2], c[3], cites=c[4], span=self._span(meta))

    def independence(self, meta: Meta, c: list[Any]) -> t.Claim:
        what = t.Value(self._name(c[1]), None, span=self._at(c[1]))
        return t.Claim(self._name(c[0]), "independent", what, c[3], c[2], cites=c[4], span=self._span(meta))

    def acknowledge(self, meta: Meta, c: list[Any]) -> t.Acknowledge:
        return t.Acknowledge(str(c[0]), c[1], self._words(c[2]), cites=c[3], span=self._span(meta))

    def waive(self, meta: Meta, c: list[Any]) -> t.Waive:
        return t.Waive(str(c[0]), self._words(c[1]), cites=c[2], span=self._span(meta))

    def not_transcribed(self, meta: Meta, c: list[Any]) -> t.NotTranscribed:
        return t.NotTranscribed(self._words(c[0]), cites=c[1], span=self._span(meta))

    def _standing(self, meta: Meta, c: list[Any], ruling: str) -> t.StandingRule:
        instead = self._words(c[1]) if ruling == "becomes" else None
        return t.StandingRule(self._words(c[0]), ruling, instead, c[-1], span=self._span(meta))

    def ignored(self, meta: Meta, c: list[Any]) -> t.StandingRule:
        return self._standing(meta, c, "ignored")

    def forbidden(self, meta: Meta, c: list[Any]) -> t.StandingRule:
        return self._standing(meta, c, "forbidden")

    def becomes(self, meta: Meta, c: list[Any]) -> t.StandingRule:
        return self._standing(meta, c, "becomes")

    def throughout(self, meta: Meta, c: list[Any]) -> t.Throughout:
        return t.Throughout(tuple(c[1:]), cites=c[0], span=self._span(meta))

    def section(self, meta: Meta, c: list[Any]) -> t.Section:
        by_a_card = isinstance(c[2], Token)
        cites, *statements = c[3 if by_a_card else 2 :]
        body = t.Body(tuple(statements))
        kind = _SPACES.sub(" ", str(c[0]))
        return t.Section(kind, self._words(c[1]), by_a_card, body, cites=cites, span=self._span(meta))

    def part(self, meta: Meta, c: list[Any]) -> t.Part:
        kind = _SPACES.sub(" ", str(c[0]))
        return t.Part(kind, self._name(c[1]), self._words(c[2]), tuple(c[4:]), cites=c[3], span=self._span(meta))

    # ------------------------------------------------------------ simple statements (the line adds the citation)

    def line(self, _meta: Meta, c: list[Any]) -> t.Statement:
        return _cited(c[0], c[1])

    def inline(self, _meta: Meta, c: list[Any]) -> _Inline:
        return _Inline((_cited(c[0], c[1]),), c[1])

    def block(self, _meta: Meta, c: list[Any]) -> _Block:
        return _Block(tuple(c[1:]), c[0])

    def bare(self, _meta: Meta, c: list[Any]) -> _Block:
        return _Block((), c[0])

    def jump(self, meta: Meta, c: list[Any]) -> t.Jump:
        return t.Jump(_SPACES.sub(" ", str(c[0])), c[1], span=self._span(meta))

    def skip_part(self, meta: Meta, c: list[Any]) -> t.SkipPart:
        return t.SkipPart(c[0], c[1], span=self._span(meta))

    def continue_printed(self, meta: Meta, _c: list[Any]) -> t.ContinuePrinted:
        return t.ContinuePrinted(span=self._span(meta))

    def play_scenario(self, meta: Meta, _c: list[Any]) -> t.PlayScenario:
        return t.PlayScenario(span=self._span(meta))

    def go_on(self, meta: Meta, _c: list[Any]) -> t.GoOn:
        return t.GoOn(span=self._span(meta))

    def go_back(self, meta: Meta, _c: list[Any]) -> t.GoBack:
        return t.GoBack(span=self._span(meta))

    def over(self, meta: Meta, c: list[Any]) -> t.Over:
        return t.Over(self._words(c[0]), span=self._span(meta))

    def situation_ends(self, meta: Meta, c: list[Any]) -> t.Over:
        return t.Over(self._words(c[0]), True, span=self._span(meta))

    def nothing(self, meta: Meta, _c: list[Any]) -> t.Nothing:
        return t.Nothing(span=self._span(meta))

    def record(self, meta: Meta, c: list[Any]) -> t.Record:
        return t.Record(tuple(c[:-1]), c[-1], None, span=self._span(meta))

    def record_under(self, meta: Meta, c: list[Any]) -> t.Record:
        return t.Record(tuple(c[:-1]), None, c[-1], span=self._span(meta))

    def tally(self, meta: Meta, c: list[Any]) -> t.Tally:
        return t.Tally(c[0], c[1], span=self._span(meta))

    def cross_off(self, meta: Meta, c: list[Any]) -> t.CrossOff:
        return t.CrossOff(tuple(c), span=self._span(meta))

    def cross_off_each(self, meta: Meta, c: list[Any]) -> t.CrossOffEach:
        return t.CrossOffEach(c[0], span=self._span(meta))

    def leave_out(self, meta: Meta, c: list[Any]) -> t.LeaveOut:
        return t.LeaveOut(tuple(c), span=self._span(meta))

    def card_may_record(self, meta: Meta, c: list[Any]) -> t.CardMayRecord:
        return t.CardMayRecord(c[0], span=self._span(meta))

    def list_some(self, meta: Meta, c: list[Any]) -> t.ListSome:
        return t.ListSome(c[0], c[1], span=self._span(meta))

    def add(self, meta: Meta, c: list[Any]) -> t.Transfer:
        return t.Transfer(c[0], None, c[1], False, span=self._span(meta))

    def remove(self, meta: Meta, c: list[Any]) -> t.Transfer:
        return t.Transfer(c[0], c[1], None, len(c) == 3, span=self._span(meta))

    def move(self, meta: Meta, c: list[Any]) -> t.Transfer:
        return t.Transfer(c[0], c[1], c[2], len(c) == 4, span=self._span(meta))

    def remove_each(self, meta: Meta, c: list[Any]) -> t.RemoveEach:
        return t.RemoveEach(c[0], span=self._span(meta))

    def move_each(self, meta: Meta, c: list[Any]) -> t.MoveEach:
        return t.MoveEach(self._name(c[0]), c[1], c[2], span=self._span(meta))

    def cost(self, meta: Meta, c: list[Any]) -> t.Cost:
        return t.Cost(c[0], span=self._span(meta))

    def only_if(self, meta: Meta, c: list[Any]) -> t.OnlyIf:
        return t.OnlyIf(c[0], span=self._span(meta))

    def holds(self, meta: Meta, c: list[Any]) -> t.Holds:
        # A number among the words is no name; it stays in the joined one, so that the checker finds no such bag.
        words = [n if isinstance(n, t.Name) else t.Name("…", span=n.span) for n in c[0].items]
        bag = self._joined(words)
        return t.Holds(bag, tuple(c[1:]), span=self._span(meta))

    def _change(self, operator: str, meta: Meta, c: list[Any]) -> t.Change:
        return t.Change(operator, c[0], c[1], span=self._span(meta))

    def set(self, meta: Meta, c: list[Any]) -> t.Change:
        return self._change("set", meta, c)

    def increase(self, meta: Meta, c: list[Any]) -> t.Change:
        return self._change("increase", meta, c)

    def decrease(self, meta: Meta, c: list[Any]) -> t.Change:
        return self._change("decrease", meta, c)

    def deal(self, meta: Meta, c: list[Any]) -> t.Deal:
        return t.Deal(c[0], self._name(c[1]), span=self._span(meta))

    def evenly(self, meta: Meta, c: list[Any]) -> t.Evenly:
        return t.Evenly(c[0], self._name(c[1]), self._name(c[2]), span=self._span(meta))

    def the_verb(self, meta: Meta, c: list[Any]) -> t.VerbUse:
        return t.VerbUse("the", None, None, c[0], span=self._span(meta))

    def that_verb(self, meta: Meta, c: list[Any]) -> t.VerbUse:
        return t.VerbUse("that", self._name(c[0]), None, c[1], span=self._span(meta))

    def each_verb(self, meta: Meta, c: list[Any]) -> t.VerbUse:
        return t.VerbUse("each", self._name(c[0]), c[1] if len(c) == 3 else None, c[-1], span=self._span(meta))

    def do(self, meta: Meta, c: list[Any]) -> t.Do:
        return t.Do(self._name(c[0]), tuple(x for x in c[1:] if x is not None), span=self._span(meta))

    def instruct(self, meta: Meta, c: list[Any]) -> t.Instruct:
        at = self._words(c[-1]) if c[-1] is not None else None
        return t.Instruct(_SPACES.sub(" ", str(c[0])), tuple(c[1:-1]), at, span=self._span(meta))

    # ------------------------------------------------------------ statements with blocks

    def otherwise_if(self, _meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "if", (c[0], *_body(c[1:]))

    def otherwise(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "otherwise", (*_body(c), self._span(meta))

    def if_(self, meta: Meta, c: list[Any]) -> t.If:
        body, cites = _body(c[1:2])
        arms, arm_cites, last = [(c[0], body)], [cites], None
        for key, value in c[2:]:
            if key == "if":
                arms.append((value[0], value[1]))
                arm_cites.append(value[2])
            else:
                last = replace(value[0], span=value[2])
                arm_cites.append(value[1])
        return t.If(tuple(arms), last, tuple(arm_cites), cites=cites, span=self._span(meta))

    def when(self, meta: Meta, c: list[Any]) -> t.Case:
        return t.Case(c[0], False, *_body(c[1:]), span=self._span(meta))

    def otherwise_when(self, meta: Meta, c: list[Any]) -> t.Case:
        return t.Case(c[0], True, *_body(c[1:]), span=self._span(meta))

    def check(self, meta: Meta, c: list[Any]) -> t.Check:
        cases = tuple(case if isinstance(case, t.Case) else t.Case(None, True, case[1][0], case[1][1], span=case[1][2]) for case in c[2:])
        return t.Check(self._words(c[0]), cases, cites=c[1], span=self._span(meta))

    def by_arm(self, meta: Meta, c: list[Any]) -> t.Arm:
        return t.Arm(self._name(c[0]), *_body(c[1:]), span=self._span(meta))

    def by(self, meta: Meta, c: list[Any]) -> t.By:
        return t.By(c[0], tuple(c[2:]), cites=c[1], span=self._span(meta))

    def for_each(self, meta: Meta, c: list[Any]) -> t.ForEach:
        body, cites = _body(c[3:])
        return t.ForEach(self._name(c[0]), c[1], body, c[2] is not None, cites=cites, span=self._span(meta))

    def option(self, meta: Meta, c: list[Any]) -> t.Option:
        body, cites = _body(c[2:])
        return t.Option(self._words(c[0]), c[1], body if body.statements else None, cites, span=self._span(meta))

    def decide(self, meta: Meta, c: list[Any]) -> t.Decide:
        limit = c[1] if isinstance(c[1], int) else None
        rest = c[2:] if limit is not None else c[1:]
        return t.Decide(c[0], limit, tuple(rest[1:]), cites=rest[0], span=self._span(meta))

    def at_random(self, meta: Meta, c: list[Any]) -> t.Decide:
        return t.Decide(None, None, tuple(c[1:]), cites=c[0], span=self._span(meta))

    def draw(self, meta: Meta, c: list[Any]) -> t.Draw:
        body, cites = _body(c[2:])
        return t.Draw(self._name(c[0]), c[1], body, cites=cites, span=self._span(meta))

    def happens(self, meta: Meta, c: list[Any]) -> t.Happens:
        body, cites = _body(c[-1:])
        arguments = tuple(x for x in c[1:-1] if x is not None)
        return t.Happens(self._name(c[0]), arguments, body if body.statements else None, cites=cites, span=self._span(meta))

    def the_chooser(self, _meta: Meta, c: list[Any]) -> t.Phrase:
        phrase: t.Phrase = c[0]
        return phrase

    def that_chooser(self, meta: Meta, c: list[Any]) -> t.That:
        return t.That(self._name(c[0]), span=self._span(meta))

    def choose(self, meta: Meta, c: list[Any]) -> t.Choose:
        optional = isinstance(c[1], Token) and c[1].type == "MAY"
        kind, condition, *rest = c[2:] if optional else c[1:]
        body, cites = _body(rest)
        return t.Choose(c[0], optional, self._name(kind), condition, body, cites=cites, span=self._span(meta))

    def any_one_may(self, meta: Meta, c: list[Any]) -> t.AnyOneMay:
        body, cites = _body(c[2:])
        return t.AnyOneMay(self._name(c[0]), body, cites=cites, span=self._span(meta))

    def card_may(self, meta: Meta, c: list[Any]) -> t.CardMay:
        return t.CardMay(c[0], cites=c[1], span=self._span(meta))

    # ------------------------------------------------------------ expressions

    def number(self, meta: Meta, c: list[Token]) -> t.Number:
        return t.Number(int(c[0]), span=self._span(meta))

    def yes(self, meta: Meta, _c: list[Any]) -> t.Truth:
        return t.Truth(True, span=self._span(meta))

    def no(self, meta: Meta, _c: list[Any]) -> t.Truth:
        return t.Truth(False, span=self._span(meta))

    def value(self, meta: Meta, c: list[Any]) -> t.Value:
        return t.Value(self._name(c[0]), c[1], span=self._span(meta))

    def printed(self, meta: Meta, c: list[Any]) -> t.Value:
        return t.Value(self._name(c[0]), None, span=self._span(meta))

    def path(self, meta: Meta, c: list[Any]) -> t.Path:
        ref = t.Ref((self._name(c[0]), self._name(c[1])), span=self._span(meta))
        return t.Path(ref, span=ref.span)

    def that(self, meta: Meta, c: list[Any]) -> t.That:
        return t.That(self._name(c[0]), span=self._span(meta))

    def call(self, meta: Meta, c: list[Any]) -> t.Call:
        return t.Call(self._name(c[0]), tuple(c[1:]), span=self._span(meta))

    def quantified(self, meta: Meta, c: list[Any]) -> t.Quantified:
        return t.Quantified(str(c[0]), self._name(c[1]), c[2], span=self._span(meta))

    def how_many_of(self, meta: Meta, c: list[Any]) -> t.HowManyOf:
        return t.HowManyOf(tuple(c), span=self._span(meta))

    def how_many(self, meta: Meta, c: list[Any]) -> t.HowMany:
        return t.HowMany(self._name(c[0]), c[1], span=self._span(meta))

    def total(self, meta: Meta, c: list[Any]) -> t.Total:
        return t.Total(c[0], self._name(c[1]), c[2] if len(c) == 3 else None, span=self._span(meta))

    def some_of(self, meta: Meta, c: list[Any]) -> t.SomeOf:
        limit = _SPACES.sub(" ", str(c[0]))
        return t.SomeOf(limit, int(c[1]), tuple(c[2:]), span=self._span(meta))

    def equal(self, _meta: Meta, _c: list[Any]) -> str:
        return "="

    def unequal(self, _meta: Meta, _c: list[Any]) -> str:
        return "!="

    def is_member(self, _meta: Meta, _c: list[Any]) -> str:
        return "in"

    def operator(self, _meta: Meta, c: list[Token]) -> str:
        return str(c[0])

    def compare(self, meta: Meta, c: list[Any]) -> t.Compare:
        return t.Compare(c[1], c[0], c[2], span=self._span(meta))

    def plus(self, meta: Meta, c: list[Any]) -> t.Sum:
        return t.Sum("+", c[0], c[1], span=self._span(meta))

    def minus(self, meta: Meta, c: list[Any]) -> t.Sum:
        return t.Sum("-", c[0], c[1], span=self._span(meta))

    def not_(self, meta: Meta, c: list[Any]) -> t.Not:
        return t.Not(c[0], span=self._span(meta))

    def and_(self, meta: Meta, c: list[Any]) -> t.And:
        return t.And(tuple(c), span=self._span(meta))

    def or_(self, meta: Meta, c: list[Any]) -> t.Or:
        return t.Or(tuple(c), span=self._span(meta))

    def implies(self, meta: Meta, c: list[Any]) -> t.Implies:
        return t.Implies(c[0], c[1], span=self._span(meta))


class _Inline(tuple[t.Statement, ...]):
    """The statement behind a colon, until its header takes it."""

    cites: tuple[t.Cite, ...]

    def __new__(cls, statements: tuple[t.Statement, ...], cites: tuple[t.Cite, ...]) -> _Inline:
        made = super().__new__(cls, statements)
        made.cites = cites
        return made


class _Within:
    """How often a rule may lead to itself, and its ranking, until the rule takes them."""

    def __init__(self, limit: tuple[int, t.Expr | None]) -> None:
        self.limit = limit


class _Block(_Inline):
    """The statements of an indented block, until their header takes them."""


def _body(pieces: list[Any]) -> tuple[t.Body, tuple[t.Cite, ...]]:
    """The body and the header's citations from what `inline`, `block` or `bare` left."""
    piece: _Inline = pieces[0]
    return t.Body(tuple(piece), inline=not isinstance(piece, _Block)), piece.cites


def _cited(statement: t.Statement, cites: tuple[t.Cite, ...]) -> t.Statement:
    return replace(statement, cites=cites)
