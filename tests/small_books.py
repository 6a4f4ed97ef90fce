"""Hypothesis strategies that write small books in the rules language: valid ones, with every sort of choice, bag and entry in them."""

from __future__ import annotations

from hypothesis import strategies as st

from book_lines import SO_FAR, Lines, indented, joined

COLOURS = ("red", "green", "blue")
BAGS = ("pot", "box")

HEAD = """\
book small "A small book" @1
    begins with tale @2

kinds colour "colour" @3
    with weight: 0 to 9 or none @3
    red "Red": weight 2 @3
    green "Green" @4

members of colour
    blue "Blue": weight 3 @5

bag pot of colour "the pot" @6
bag box of colour "the box" @6

campaign log
    arrived "they arrived" @7
    left "they left" @7
    burned "X houses burned": 0 to 5 @8
    marks "marks on the wall": tally @8
    seen "Colours Seen": list of colour @9

keep strength: 0 to 4 = 1
keep banner: colour = red

requirement borne of colour "Borne", if printed(weight): strength >= weight @9

fact raining: flag "Is it raining?" @10
fact guests: 0 to 3 "How many guests are there?" @11
fact mood "How are they?" @12
    calm "calm" @12
    angry "angry" only if raining @13

reading doubtful "Is it doubtful?" @14
    surely "surely" @14
    hardly "hardly" @15

scenario tale "A Tale" @16
"""

colours = st.sampled_from(COLOURS)
bags = st.sampled_from(BAGS)

atoms = st.one_of(
    st.sampled_from(
        [
            "arrived", "left", "burned", "not arrived", "crossed_off(left)", "recorded(burned)", "raining", "mood is angry",
            "doubtful is surely", "banner is blue", "banner is not red", "red in seen", "strength = 4", "burned and value(burned) > 2",
            "fulfilled(banner)", "borne of green", "weight of banner < 3", "divisible(strength, 2)",
            "(the total of weight of every colour that has (that colour in seen)) >= 3",
        ]
    ),
    st.builds("guests >= {}".format, st.integers(0, 4)),
    st.builds("strength < {}".format, st.integers(0, 5)),
    st.builds("size(seen) <= {}".format, st.integers(0, 3)),
    st.builds("how many of (arrived, left, raining) = {}".format, st.integers(0, 3)),
)  # fmt: skip
conditions = joined(atoms, 3)
two_bags = st.sampled_from([("pot", "box"), ("box", "pot")])

plain = st.one_of(
    st.sampled_from(
        [
            "record arrived", 'record "they left"', "cross off arrived", "cross off left", "cross off each of seen",
            "record burned as guests", "record burned as strength", "record red under seen", "record blue, green under seen",
            "increase strength by 1", "decrease strength by 1", "increase strength by guests", "nothing happens",
            'gather "the cards"', "the pot holds red, red, blue", "list 2 of any seen", "set strength to value(burned)",
            "no record of left", "a card may record arrived",
        ]
    ),
    st.builds("record burned as {}".format, st.integers(0, 5)),
    st.builds("record {} tally marks next to marks".format, st.integers(1, 3)),
    st.builds("set strength to {}".format, st.integers(0, 4)),
    st.builds("set banner to {}".format, colours),
    st.builds("add {} {} tokens to the {}".format, st.integers(1, 3), colours, bags),
    st.builds("remove 1 {} tokens from the {}{}".format, colours, bags, SO_FAR),
    st.builds(lambda c, b, far: f"move 1 {c} tokens from the {b[0]} to the {b[1]}{far}", colours, two_bags, SO_FAR),
)  # fmt: skip


@st.composite
def bodies(draw: st.DrawFn, depth: int) -> Lines:
    """Some statements, none of which leads away."""
    return [line for _ in range(draw(st.integers(1, 3))) for line in draw(statements(depth))]


@st.composite
def statements(draw: st.DrawFn, depth: int) -> Lines:
    """One statement, with its citation and what stands below it."""
    form = draw(st.sampled_from(["plain", "plain", "if", "check", "decide", "up to", "random"] if depth else ["plain"]))
    cite = f"@{draw(st.integers(20, 90))}"
    if form == "plain":
        return [f"{draw(plain)} {cite}"]
    if form == "if":
        lines = [f"if {draw(conditions)} {cite}", *indented(draw(bodies(depth - 1)))]
        if draw(st.booleans()):
            lines += [f"otherwise {cite}", *indented(draw(bodies(depth - 1)))]
        return lines
    if form == "check":
        return [f'check "how it stands" {cite}', *indented(draw(_cases(depth, cite)))]
    head = {"decide": "the players decide", "up to": "the players decide up to 2", "random": "at random"}[form]
    return [f"{head} {cite}", *indented(draw(_options(depth, cite, bare=form == "up to")))]


@st.composite
def _cases(draw: st.DrawFn, depth: int, cite: str) -> Lines:
    """Printed cases; sometimes none or two of them apply."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += [f"when {draw(conditions)} {cite}", *indented(draw(bodies(depth - 1)))]
    if draw(st.booleans()):
        lines += [f"otherwise {cite}", *indented(draw(bodies(depth - 1)))]
    return lines


@st.composite
def _options(draw: st.DrawFn, depth: int, cite: str, bare: bool) -> Lines:
    lines = []
    for number in range(draw(st.integers(2, 3))):
        only = f" only if {draw(conditions)}" if draw(st.integers(0, 3)) == 0 else ""
        lines.append(f'"option {number}"{only} {cite}')
        if not bare or draw(st.booleans()):
            lines += indented(draw(bodies(depth - 1)))
    return lines


@st.composite
def books(draw: st.DrawFn) -> str:
    """A whole book: sections that lead onwards, to several ends."""
    count = draw(st.integers(1, 4))
    lines: Lines = []
    for number in range(count):
        lines += [f'section "Section {number}" @{100 + number}', *indented(draw(bodies(2))), *indented(draw(_leaving(number, count))), ""]
    return HEAD + "\n".join(indented(lines)).replace("    \n", "\n").rstrip() + "\n"


@st.composite
def _leaving(draw: st.DrawFn, number: int, count: int) -> Lines:
    """How a section is left: every later section has a way to it from the one before."""
    if number == count - 1:
        return ['the campaign is over: "the end"']
    onwards = f'proceed to "Section {number + 1}" @{110 + number}'
    if draw(st.booleans()):
        return [onwards]
    later = draw(st.integers(number + 1, count))
    other = 'the campaign is over: "an early end" @99' if later == count else f'skip to "Section {later}" @98'
    if draw(st.booleans()):
        return [f"if {draw(conditions)}: {other}", f"otherwise: {onwards}"]
    return ["the players decide @97", f'    "on": {onwards}', f'    "away": {other}']
