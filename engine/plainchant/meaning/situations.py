"""What is claimed of situations: that nothing is made or lost among their bags, and that some things do not matter."""

from __future__ import annotations

from collections.abc import Iterable

from plainchant.meaning.kernel import Claimed, Const, Equal, Independence, Read, Truth, all_of, sum_of
from plainchant.meaning.lowering.expressions import Expressions
from plainchant.meaning.lowering.frame import Frame
from plainchant.meaning.names import ORDER, Names, bag_forms
from plainchant.meaning.resolve import Scope
from plainchant.meaning.variables import Variables
from plainchant.text import tree as t
from plainchant.text.expression_text import expression_text


def kept_whole(names: Names, variables: Variables, numbers: dict[str, int]) -> Iterable[Claimed]:
    """That nothing is made or lost among the bags of a kind: a claim that no author has to write, wherever play goes on in a situation."""
    situations = [part for part in names.parts.values() if part.kind == "situation"]
    for zones in names.zones:
        for section in (section for part in situations for section in part.sections[1:]):
            sums = []
            for i, total in enumerate(zones.totals or ()):
                counts = (Read(variables.number(bag, position, i)) for bag in zones.bags for position, _ in bag_forms(bag))
                sums.append(Equal(sum_of(counts), Const(total)))
            name = f"every_{zones.kind.name}_is_kept_at_{section.name}"
            text = f"always every {zones.kind.name} is in exactly one of {', '.join(bag.name for bag in zones.bags)}"
            if zones.totals is not None:
                yield Claimed(name, "always", text, all_of(*sums), numbers[section.key], zones.cites, zones.span)


def independences(names: Names, expressions: Expressions, numbers: dict[str, int]) -> Iterable[Independence]:
    """The claims of independence, lowered."""
    for claim, part in names.claims:
        if claim.kind == "independent" and claim.at is not None and isinstance(claim.expression, t.Value):
            what = claim.expression.name.text
            symbol = names.value(what, part)
            of = None if symbol is None or what == ORDER else expressions.variables.number(symbol)
            at = numbers[names.section(claim.at, part)[0].key]
            only = Truth(True) if claim.condition is None else expressions.condition(claim.condition, Frame(Scope(names, part)))
            text = f"independent of {what}" + (f" if {expression_text(claim.condition)}" if claim.condition else "")
            yield Independence(claim.name.text, text, of, at, claim.cites, claim.span, only)
