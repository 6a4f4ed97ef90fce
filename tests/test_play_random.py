"""`plainchant play --random`: seeds, many plays, and what they are told to show."""

from __future__ import annotations

import json
import re
from pathlib import Path

from calls import BOOK, STOPS, Call, in_order


def test_a_random_play_is_the_same_for_the_same_seed(call: Call) -> None:
    first, again, other = (call("play", "tcu", "--random", "--seed", seed).out for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_a_random_play_without_a_seed_tells_the_one_it_took(call: Call) -> None:
    out = call("play", BOOK, "--random").out
    seed = re.search(r"seed (\d+)", out)
    assert seed is not None
    assert call("play", BOOK, "--random", "--seed", seed.group(1)).out == out


def test_many_plays_count_every_way_to_stop_and_name_a_seed_that_shows_it(call: Call) -> None:
    result = call("play", BOOK, "--random", "--seed", "1", "--plays", "200")
    rows = re.findall(r"^ *(\d+) +[\d.]+ % +(\d+)  ([\w-]+)(?: \((PC\d+)\))?  (.*)$", result.out, re.MULTILINE)
    assert sum(int(count) for count, *_ in rows) == 200
    assert {code for *_, code, _ in rows if code} == set(STOPS)
    assert {kind for _, _, kind, *_ in rows} >= {"end"}
    for _, seed, kind, code, about in rows:
        shown = call("play", BOOK, "--random", "--seed", seed)
        assert (code or "** The end **") in shown.out
        assert (shown.status == 0) == (kind == "end")
        assert about
    assert "Every section was reached." in result.out
    assert result.status == 1


def test_sections_that_no_play_reached_are_named(call: Call) -> None:
    out = call("play", "tcu", "--random", "--seed", "1", "--plays", "2").out
    in_order(out, "Never reached:", "Epilogue")
    assert "Standalone Mode" not in out
    alone = call("play", "tcu", "--standalone", "the_wages_of_sin", "--random", "--seed", "1", "--plays", "1").out
    in_order(alone, "Never reached:", "Scenario IV: The Wages of Sin")
    assert "Scenario I:" not in alone


def test_steered_plays_write_a_trace_of_each_ending_that_replays(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    result = call("play", BOOK, "--random", "--seed", "1", "--plays", "60", "--steer", "--trace", folder)
    files = sorted(folder.iterdir())
    assert len(files) >= 5
    for file in files:
        assert str(file) in result.out
        agrees = call("replay", file, "--book", BOOK)
        assert agrees.status == 0, agrees.out
        kind = json.loads(file.read_text(encoding="utf-8"))["ending"]["kind"]
        assert file.stem.endswith(kind)


def test_plays_that_lead_round_in_a_circle_are_given_up(call: Call, tmp_path: Path) -> None:
    book = tmp_path / "round.rules"
    book.write_text(
        'book round "Round"\n    begins with "Here"\n    order of play\n        part\n\ninterlude part "Part"\n    section "Here"\n'
        '        the players decide\n            "On": proceed to "Here"\n',
        encoding="utf-8",
    )
    result = call("play", book, "--random", "--seed", "1", "--plays", "1")
    assert "endless" in result.out
    assert result.status == 1
    one = call("play", book, "--random", "--seed", "1")
    assert "Given up after" in one.out
    assert one.status == 1
