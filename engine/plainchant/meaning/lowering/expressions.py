"""From the tree's expressions to the kernel's: names become variables, quantifiers become all or some of the members."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plainchant.meaning.check_expressions import bag_of_count, list_with
from plainchant.meaning.kernel import (
    Cond,
    Const,
    Either,
    Equal,
    Less,
    Minus,
    Num,
    Plus,
    Read,
    Truth,
    all_of,
    at_most,
    number_of,
    opposite,
    some_of,
    sum_of,
)
from plainchant.meaning.names import Names
from plainchant.meaning.resolve import MemberOf, Named, Scope, Whose, kind_hint, resolve, type_of
from plainchant.meaning.symbols import Bag, BuiltIn, Definition, Entry, Fact, Keep, Kind, Parameter, Section, Value
from plainchant.meaning.variables import Variables
from plainchant.text import tree as t


@dataclass(frozen=True)
class Frame:
    """Where a statement is carried out: its scope, which member each `that …` is, and the arguments of the rule."""

    scope: Scope
    positions: dict[str, int] = field(default_factory=dict)
    arguments: dict[str, Num] = field(default_factory=dict)

    def about(self, kind: Kind, position: int) -> Frame:
        return replace(self, scope=self.scope.about(kind), positions={**self.positions, kind.name: position})


class Expressions:
    """Lowers expressions that the checker has passed."""

    def __init__(self, names: Names, variables: Variables) -> None:
        self.names = names
        self.variables = variables
        self.watched: dict[str, int] = {}
        self.arrived: str | None = None

    # ------------------------------------------------------------ conditions

    def condition(self, expression: t.Expr, frame: Frame) -> Cond:
        match expression:
            case t.Truth(value):
                return Truth(value)
            case t.And(items):
                return all_of(*(self.condition(i, frame) for i in items))
            case t.Or(items):
                return some_of(*(self.condition(i, frame) for i in items))
            case t.Not(item):
                return opposite(self.condition(item, frame))
            case t.Implies(left, right):
                return some_of(opposite(self.condition(left, frame)), self.condition(right, frame))
            case t.Quantified():
                return self._quantified(expression, frame)
            case t.SomeOf():
                return self._some_of(expression, frame)
            case t.Compare():
                return self._compare(expression, frame)
            case t.Call():
                return self._condition_call(expression, frame)
            case t.Value():
                return self._flag(expression, frame)
        raise TypeError(f"not a condition: {expression!r}")

    def members(self, kind: Kind) -> list[tuple[int, Cond]]:
        """Positions of a kind, each with the condition that it takes part (a seat that is taken)."""
        if not kind.is_group:
            return [(i, Truth(True)) for i in range(len(kind.members))]
        seats = Read(self.variables.number(kind))
        return [(i, Truth(True) if i < (kind.low or 0) else Less(Const(i), seats)) for i in range(len(kind.members))]

    def _quantified(self, expression: t.Quantified, frame: Frame) -> Cond:
        kind = self._kind(expression.kind)
        each = [(present, self.condition(expression.body, frame.about(kind, i))) for i, present in self.members(kind)]
        if expression.quantifier == "every":
            return all_of(*(some_of(opposite(present), holds) for present, holds in each))
        found = some_of(*(all_of(present, holds) for present, holds in each))
        return found if expression.quantifier == "any" else opposite(found)

    def _some_of(self, expression: t.SomeOf, frame: Frame) -> Cond:
        number, wanted = number_of(tuple(self.condition(i, frame) for i in expression.items)), Const(expression.number)
        match expression.limit:
            case "exactly":
                return Equal(number, wanted)
            case "at most":
                return at_most(number, wanted)
        return at_most(wanted, number)

    def _compare(self, expression: t.Compare, frame: Frame) -> Cond:
        left, right, operator = expression.left, expression.right, expression.operator
        if operator == "in":
            return self._in(left, right, frame)
        if self._is_flag(left, frame) or self._is_flag(right, frame):
            a, b = self.condition(left, frame), self.condition(right, frame)
            same = some_of(all_of(a, b), all_of(opposite(a), opposite(b)))
            return same if operator == "=" else opposite(same)
        left_hint, right_hint = kind_hint(left, frame.scope), kind_hint(right, frame.scope)
        a_number, b_number = self.number(left, frame, right_hint), self.number(right, frame, left_hint)
        holds = _compared(operator, a_number, b_number)
        return all_of(*self.needs(left, frame), *self.needs(right, frame), holds)

    def _is_flag(self, expression: t.Expr, frame: Frame) -> bool:
        if isinstance(expression, t.Truth | t.And | t.Or | t.Not | t.Implies | t.Quantified | t.SomeOf | t.Compare):
            return True
        if isinstance(expression, t.Call):
            return expression.function.text in ("recorded", "crossed_off", "reached")
        if isinstance(expression, t.Value):
            found = resolve(expression, frame.scope, kind_hint(expression, frame.scope))
            if isinstance(found, Named) and isinstance(found.symbol, Definition):
                return self._is_flag(found.symbol.meaning, self._inside(found.symbol, frame, None)[0][1])
            return isinstance(found, Named) and type_of(found.symbol).form == "flag"
        return False

    def _in(self, left: t.Expr, right: t.Expr, frame: Frame) -> Cond:
        found = resolve(right, frame.scope) if isinstance(right, t.Value) else None
        assert isinstance(found, Named)
        kind = type_of(found.symbol).kind
        assert kind is not None
        wanted = self.number(left, frame, kind)
        owners = self.owners(found.whose, frame)
        return some_of(*(all_of(is_owner, self._holds(found, position, wanted)) for position, is_owner in owners))

    def _holds(self, found: Named, position: int | None, wanted: Num) -> Cond:
        slots = [Equal(Read(v), Const(1)) for v in self.slots(found.symbol, position)]
        if isinstance(wanted, Const):
            return slots[wanted.value]
        return some_of(*(all_of(Equal(wanted, Const(i)), there) for i, there in enumerate(slots)))

    def _condition_call(self, call: t.Call, frame: Frame) -> Cond:
        name = call.function.text
        if name == "reached":
            argument = call.arguments[0]
            ref = argument.ref if isinstance(argument, t.Path) else t.Ref((argument.name,)) if isinstance(argument, t.Value) else None
            assert ref is not None
            section = self.names.section(ref, frame.scope.part)[0]
            # On arrival at a section, play has reached it, although its first block is still to come.
            return Truth(True) if section.key == self.arrived else Equal(Read(self.watch(section)), Const(1))
        state = self._entry_state(call.arguments[0], frame)
        return opposite(Equal(state, Const(0))) if name == "recorded" else Equal(state, Const(2))

    def watch(self, section: Section) -> int:
        """The variable that remembers whether a section was reached."""
        number = self.variables.hidden(f"reached.{section.key}", 0, 1)
        self.watched[section.key] = number
        return number

    def _entry_state(self, argument: t.Expr, frame: Frame) -> Num:
        assert isinstance(argument, t.Value)
        found = resolve(argument, frame.scope)
        if isinstance(found, MemberOf):
            listed = list_with(found.kind, frame.scope)
            assert listed is not None
            return Read(self.variables.number(listed, None, found.position))
        assert isinstance(found, Named)
        return self._select(found, frame, lambda position: Read(self.variables.number(found.symbol, position)))

    def _flag(self, value: t.Value, frame: Frame) -> Cond:
        found = resolve(value, frame.scope)
        assert isinstance(found, Named)
        symbol = found.symbol
        if isinstance(symbol, Definition):
            inside = self._inside(symbol, frame, found.whose)
            return _in_one_case([(case, self.condition(symbol.meaning, inner)) for case, inner in inside])
        if isinstance(symbol, Parameter):
            return Equal(frame.arguments[symbol.name], Const(1))
        if isinstance(symbol, BuiltIn):
            return Less(Const(0), Read(self.reached_resolution(symbol.part or "")))
        number = self._select(found, frame, lambda position: Read(self.variables.number(symbol, position)))
        return Equal(number, Const(1))

    def reached_resolution(self, part: str) -> int:
        """The variable that remembers which resolution the table named (0: none)."""
        high = sum(s.by_a_card for s in self.names.parts[part].sections)
        return self.variables.hidden(f"{part}.resolution reached", 0, high, 0, part)

    def _inside(self, definition: Definition, frame: Frame, whose: Whose | None) -> list[tuple[Cond, Frame]]:
        """Where a definition's meaning is worked out; a case for each member, if only play knows whose it is."""
        inner = Frame(Scope(self.names, definition.part))
        kind = definition.index
        if kind is None:
            return [(Truth(True), inner)]
        if whose is not None and whose.value is not None:
            chosen = self.number(whose.value, frame, kind)
            return [(Equal(chosen, Const(i)), inner.about(kind, i)) for i in range(len(kind.members))]
        position = frame.positions.get(kind.name, 0) if whose is None or whose.position is None else whose.position
        return [(Truth(True), inner.about(kind, position))]

    # ------------------------------------------------------------ numbers (members of kinds are their positions)

    def number(self, expression: t.Expr, frame: Frame, hint: Kind | None = None) -> Num:
        match expression:
            case t.Number(value):
                return Const(value)
            case t.That(kind=name):
                return Const(frame.positions[self._kind(name).name])
            case t.Sum(operator, left, right):
                a, b = self.number(left, frame), self.number(right, frame)
                return Plus(a, b) if operator == "+" else Minus(a, b)
            case t.HowManyOf(items):
                return number_of(tuple(self.condition(i, frame) for i in items))
            case t.HowMany(kind=name, body=body):
                kind = self._kind(name)
                each = [all_of(present, self.condition(body, frame.about(kind, i))) for i, present in self.members(kind)]
                return number_of(tuple(each))
            case t.Call():
                return self._number_call(expression, frame)
            case t.Value():
                return self._value(expression, frame, hint)
            case t.Truth(value):
                return Const(int(value))
        return Either(self.condition(expression, frame), Const(1), Const(0))

    def _number_call(self, call: t.Call, frame: Frame) -> Num:
        name, argument = call.function.text, call.arguments[0]
        if name == "count":
            return self._count(call, frame)
        if name == "size":
            found = resolve(argument, frame.scope) if isinstance(argument, t.Value) else None
            assert isinstance(found, Named)
            sizes = [(position, self._size(found.symbol, position)) for position, _ in self.owners(found.whose, frame)]
            if found.whose is None or found.whose.value is None:
                return sizes[0][1]
            return _chosen(self.number(found.whose.value, frame, found.whose.kind), [(i or 0, size) for i, size in sizes])
        if name == "value":
            assert isinstance(argument, t.Value)
            entry = resolve(argument, frame.scope)
            assert isinstance(entry, Named)
            return self._select(entry, frame, lambda position: Read(self.variables.number(entry.symbol, position, None, "number")))
        return Either(self._condition_call(call, frame), Const(1), Const(0))

    def _count(self, call: t.Call, frame: Frame) -> Num:
        """How many of a token are in a bag; both may be known in play only."""
        bag = bag_of_count(call, frame.scope)
        assert bag is not None
        token = self.number(call.arguments[0], frame, bag.kind)
        said = [resolve(where, frame.scope) for where in call.arguments[1:] if isinstance(where, t.Value)]
        where = next((found for found in said if isinstance(found, Named)), Named(bag))

        def count(position: int | None) -> Num:
            counts: list[Num] = [Read(slot) for slot in self.slots(bag, position)]
            return counts[token.value] if isinstance(token, Const) else _chosen(token, list(enumerate(counts)))

        return self._select(where, frame, count)

    def needs(self, expression: t.Expr, frame: Frame) -> list[Cond]:
        """What must be recorded for a number expression to have a value: a number that was never written is not zero."""
        match expression:
            case t.Sum(left=left, right=right):
                return self.needs(left, frame) + self.needs(right, frame)
            case t.Call(function=function, arguments=(t.Value() as argument, *_)) if function.text == "value":
                found = resolve(argument, frame.scope)
                if isinstance(found, Named) and isinstance(found.symbol, Entry) and found.symbol.form == "number":
                    return [opposite(Equal(self._entry_state(argument, frame), Const(0)))]
            case t.Value():
                found = resolve(expression, frame.scope)
                if isinstance(found, Named) and isinstance(found.symbol, Definition):
                    inside = self._inside(found.symbol, frame, found.whose)
                    needed = [(case, all_of(*self.needs(found.symbol.meaning, inner))) for case, inner in inside]
                    return [_in_one_case(needed)] if any(need != Truth(True) for _, need in needed) else []
        return []

    def _value(self, value: t.Value, frame: Frame, hint: Kind | None) -> Num:
        found = resolve(value, frame.scope, hint)
        if isinstance(found, MemberOf):
            return Const(found.position)
        assert isinstance(found, Named)
        symbol = found.symbol
        match symbol:
            case Parameter(name=name):
                return frame.arguments[name]
            case Definition():
                values = [(case, self.number(symbol.meaning, inner)) for case, inner in self._inside(symbol, frame, found.whose)]
                result = values[-1][1]
                for case, number in reversed(values[:-1]):
                    result = Either(case, number, result)
                return result
            case Keep() | Fact():
                return self._select(found, frame, lambda position: Read(self.variables.number(symbol, position)))
        return Either(self._flag(value, frame), Const(1), Const(0))

    def _size(self, symbol: Value, position: int | None) -> Num:
        slots = self.slots(symbol, position)
        if isinstance(symbol, Bag):
            return sum_of(Read(slot) for slot in slots)
        return number_of(tuple(Equal(Read(slot), Const(1)) for slot in slots))

    def slots(self, symbol: Value, position: int | None) -> list[int]:
        """The variables of a list's or bag's items."""
        kind = type_of(symbol).kind
        assert kind is not None
        return [self.variables.number(symbol, position, i) for i in range(len(kind.members))]

    def owners(self, whose: Whose | None, frame: Frame) -> list[tuple[int | None, Cond]]:
        """The members that may be meant, each with the condition that it is the one."""
        if whose is None:
            return [(None, Truth(True))]
        if whose.value is None:
            return [(self.position(whose, frame), Truth(True))]
        chosen = self.number(whose.value, frame, whose.kind)
        return [(i, Equal(chosen, Const(i))) for i in range(len(whose.kind.members))]

    def position(self, whose: Whose, frame: Frame) -> int:
        """The member that is meant, where it is fixed."""
        if whose.position is not None:
            return whose.position
        return frame.positions[whose.kind.name]

    def _select(self, found: Named, frame: Frame, read: object) -> Num:
        """The variable of the member that is meant; one known only in play is chosen by its value."""
        assert callable(read)
        whose = found.whose
        if whose is None:
            only: Num = read(None)
            return only
        if whose.value is None:
            fixed: Num = read(self.position(whose, frame))
            return fixed
        chosen = self.number(whose.value, frame, whose.kind)
        return _chosen(chosen, [(i, read(i)) for i in range(len(whose.kind.members))])

    def _kind(self, name: t.Name) -> Kind:
        kind = self.names.kind(name.text)
        assert kind is not None
        return kind


def _in_one_case(cases: list[tuple[Cond, Cond]]) -> Cond:
    """That the case applies, and what holds in it."""
    return some_of(*(all_of(case, holds) for case, holds in cases))


def _chosen(index: Num, choices: list[tuple[int, Num]]) -> Num:
    result = choices[-1][1]
    for position, value in reversed(choices[:-1]):
        result = Either(Equal(index, Const(position)), value, result)
    return result


def _compared(operator: str, left: Num, right: Num) -> Cond:
    match operator:
        case "=":
            return Equal(left, right)
        case "!=":
            return opposite(Equal(left, right))
        case "<":
            return Less(left, right)
        case ">":
            return Less(right, left)
        case "<=":
            return at_most(left, right)
    return at_most(right, left)
