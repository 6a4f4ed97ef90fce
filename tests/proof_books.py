"""Hypothesis strategies that write small books to be proven: two parts, Standalone Modes, readings, claims, sometimes loops."""

from __future__ import annotations

from hypothesis import strategies as st

from book_lines import SO_FAR, Lines, indented, joined

HEAD = """\
book small "A small book" @1
    begins with tale @2
    order of play @2
        tale @2
        sequel @2

kinds colour "colour" @3
    with weight: 0 to 9 or none @3
    red "Red": weight 2 @3
    green "Green" @4

group hero of 1 to 2 "How many heroes are there?" @5
    wounds: 0 to 2

bag pot of colour "the pot" @6
bag box of colour "the box" @6

verb hero "tires" @6
    increase wounds of that hero by 1 @6

campaign log
    arrived "they arrived" @7
    left "they left" @7
    burned "X houses burned": 0 to 3 @8
    marks "marks on the wall": tally @8
    seen "Colours Seen": list of colour @9
    unheard "nobody heard of it" @9

keep strength: 0 to 3 = 1
keep banner: colour = red

requirement borne of colour "Borne", if printed(weight): strength >= weight @9

fact raining: flag "Is it raining?" @10
fact guests: 0 to 2 "How many guests are there?" @11
fact gone of hero: flag "Is {hero} gone?" @11
fact mood "How are they?" @12
    calm "calm" @12
    angry "angry" only if raining @13

reading doubtful "Is it doubtful?" @14
    surely "surely" @14
    hardly "hardly" @15

"""

colours = st.sampled_from(["red", "green"])
bags = st.sampled_from(["pot", "box"])
cites = st.integers(20, 90).map("@{}".format)

state_atoms = st.one_of(
    st.sampled_from(
        [
            "arrived", "left", "burned", "not arrived", "crossed_off(left)", "recorded(burned)", "banner is green", "red in seen",
            "burned and value(burned) > 1", "unheard", "exactly 1 of (arrived, left)",
            "fulfilled(banner)", "weight of banner < 3", "divisible(strength, 2)",
            "(the total of weight of every colour that has (that colour in seen)) >= 2",
        ]
    ),
    st.builds("strength {} {}".format, st.sampled_from(["<", "=", ">="]), st.integers(0, 3)),
    st.builds("size(seen) >= {}".format, st.integers(0, 2)),
    st.builds("how many of (arrived, left, burned) = {}".format, st.integers(0, 3)),
)  # fmt: skip
asked_atoms = st.one_of(
    st.sampled_from(
        [
            "raining",
            "mood is angry",
            "doubtful is surely",
            "any hero has gone",
            "every hero has gone",
            "any hero has wounds > 0",
            "wind = 1",
        ]
    ),
    st.builds("guests {} {}".format, st.sampled_from(["=", ">="]), st.integers(0, 2)),
)


conditions = joined(st.one_of(state_atoms, asked_atoms), 2)
"""Conditions of statements; reading one may make the book ask."""

questions = joined(state_atoms, 2)
"""Conditions that can be claimed or asked of any state."""

numbers = st.sampled_from(["strength", "size(seen)", "value(burned)", "count(red)", "strength + size(seen)", "2 - strength"])
"""What can be measured."""

plain = st.one_of(
    st.sampled_from(
        [
            "record arrived", 'record "they left"', "cross off arrived", "cross off left", "record burned as guests",
            "record burned as strength", "record red under seen", "record green under seen", "increase strength by 1",
            "decrease strength by 1", "nothing happens", 'gather "the cards"', 'gather "the cards", "the dice"', "each hero tires",
            "each hero, if gone, tires", "list 1 of any seen", "the pot holds red", "no record of left", "cross off each of seen",
        ]
    ),
    st.builds("record {} tally marks next to marks".format, st.integers(1, 2)),
    st.builds("set strength to {}".format, st.integers(0, 3)),
    st.builds("set banner to {}".format, colours),
    st.builds("add {} {} tokens to the {}".format, st.integers(1, 2), colours, bags),
    st.builds("remove 1 {} tokens from the {}{}".format, colours, bags, SO_FAR),
    st.builds("move 1 {} tokens from the pot to the box{}".format, colours, SO_FAR),
)  # fmt: skip


@st.composite
def _bodies(draw: st.DrawFn, depth: int, most: int = 2) -> Lines:
    return [line for _ in range(draw(st.integers(1, most))) for line in draw(_statements(depth))]


@st.composite
def _statements(draw: st.DrawFn, depth: int) -> Lines:
    form = draw(
        st.sampled_from(["plain", "if", "check", "check", "decide", "decide", "up to", "random", "any one"] if depth else ["plain"])
    )
    cite = draw(cites)
    if form == "plain":
        return [f"{draw(plain)} {cite}"]
    if form == "if":
        lines = [f"if {draw(conditions)} {cite}", *indented(draw(_bodies(depth - 1)))]
        return lines + ([f"otherwise {cite}", *indented(draw(_bodies(depth - 1)))] if draw(st.booleans()) else [])
    if form == "check":
        return [f'check "how it stands" {cite}', *indented(draw(_cases(depth)))]
    if form == "any one":
        return [f"any one hero may {cite}", *indented(draw(_bodies(0, 1)))]
    head = {"decide": "the players decide", "up to": "the players decide up to 2", "random": "at random"}[form]
    return [f"{head} {cite}", *indented(draw(_options(depth)))]


@st.composite
def _cases(draw: st.DrawFn, depth: int) -> Lines:
    """Printed cases; often none or two of them apply."""
    lines: Lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += [f"when {draw(conditions)} {draw(cites)}", *indented(draw(_bodies(depth - 1)))]
    if draw(st.integers(0, 2)) == 0:
        lines += [f"otherwise {draw(cites)}", *indented(draw(_bodies(depth - 1)))]
    return lines


@st.composite
def _options(draw: st.DrawFn, depth: int) -> Lines:
    lines: Lines = []
    for number in range(draw(st.integers(2, 3))):
        only = f" only if {draw(conditions)}" if draw(st.booleans()) else ""
        lines += [f'"option {number}"{only} {draw(cites)}', *indented(draw(_bodies(depth - 1, 1)))]
    return lines


@st.composite
def _leaving(draw: st.DrawFn, ways: Lines, back: Lines = []) -> Lines:  # noqa: B006
    """How a section is left: by one way, by one of two, or as somebody decides back to an earlier one."""
    if back and draw(st.booleans()):
        head = draw(st.sampled_from(["the players decide", "at random"]))
        only = f" only if {draw(conditions)}" if draw(st.booleans()) else ""
        return [f"{head} @97", f'    "back"{only}: {draw(st.sampled_from(back))}', f'    "away": {draw(st.sampled_from(ways))}']
    first, second = draw(st.sampled_from(ways)), draw(st.sampled_from(ways))
    form = draw(st.sampled_from(["one", "if", "decide", "check"]))
    if form == "one":
        return [first]
    if form == "if":
        return [f"if {draw(conditions)}: {first}", f"otherwise: {second}"]
    if form == "decide":
        return ["the players decide @97", f'    "on": {first}', f'    "away": {second}']
    return ['check "the way on" @97', f"    when {draw(conditions)}: {first}", f"    when {draw(conditions)}: {second}"]


@st.composite
def _part(draw: st.DrawFn, name: str, words: str, last: Lines, loops: bool) -> Lines:
    """A part: sections that lead onwards (with `loops` also back), by-a-card resolutions, a Standalone Mode."""
    count = draw(st.integers(1, 3))
    by_card = draw(st.booleans())
    lines: Lines = []
    for number in range(count):
        onwards = [f'proceed to "{words} {later}" @99' for later in range(number + 1, count)]
        back = [f'proceed to "{words} {earlier}" @96' for earlier in range(number + 1)] if loops else []
        ways = onwards + last + (["play the scenario @99"] if by_card else [])
        lines += [
            f'section "{words} {number}" @{100 + number}',
            *indented(draw(_bodies(draw(st.integers(0, 2))))),
            *indented(draw(_leaving(ways, back))),
        ]
    if by_card:
        for number in (1, 2):
            card = ", reached by a card" if number == 1 or draw(st.booleans()) else ""
            lines += [
                f'resolution "{words} Resolution {number}"{card} @11{number}',
                *indented(draw(_bodies(0))),
                *indented(draw(_leaving(last))),
            ]
        lines += [
            f'no resolution "{words} DO NOT READ" @113',
            *indented(draw(_leaving([*last, f'proceed to "{words} Resolution 2" @113']))),
        ]
    if draw(st.booleans()):
        laid = draw(_bodies(draw(st.integers(0, 1))))
        lines += [f'standalone "{words} alone" @115', *indented(laid), f'    proceed to "{words} 0" @115']
    return [f'scenario {name} "{words}" @16', '    fact wind: 0 to 1 "How strong is the wind?" @17', *indented(lines), ""]


@st.composite
def books(draw: st.DrawFn, *, loops: bool = False) -> str:
    """A whole book."""
    over = ['the campaign is over: "the end" @119', 'the campaign is over: "an early end" @118']
    lines = draw(_part("tale", "Tale", [*over, 'proceed to "Sequel" @117', "continue in printed order @117"], loops))
    lines += draw(_part("sequel", "Sequel", over, loops))
    for number in range(draw(st.integers(0, 3))):
        at = draw(st.sampled_from(["", ' at "Tale" / "Tale 0"', ' at "Sequel" / "Sequel 0"']))
        kind = draw(st.sampled_from(["never", "always", "possible"]))
        lines.append(f"claim claim_{number}: {kind} {draw(questions)}{at} @{120 + number}")
    return HEAD + "\n".join(lines) + "\n"
