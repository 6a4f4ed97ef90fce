"""The site in a real browser: search, the picture, plays that unfold, narrow and dark views, keyboard, and an accessibility check."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from sites import whole_site

pytest.importorskip("mkdocs")
pytest.importorskip("z3")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed"),
]

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
PAGES = (
    "", "books/tcu/", "books/tcu/parts/the_witching_hour/", "books/tcu/sections/the_witching_hour.do_not_read/", "books/tcu/graph/",
    "books/tcu/findings/", "books/tcu/lines/", "books/tcu/glossary/", "books/tcu/matrix/", "books/tcu/claims/", "books/tcu/open/",
    "books/tcu/names/entry.accepted_fate/", "books/tic/", "reference/errors/", "reference/errors/PC711/", "reference/commands/",
    "reference/schemas/", "reference/grammar/", "language/", "tutorial/", "explanation/verdicts/",
)  # fmt: skip


LARGE = ("books/tcu/lines/", "books/tcu/glossary/", "reference/schemas/")
"""Pages of which there is much, and nothing that others do not have; they are looked at in one light."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests have nothing to say about each file."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The site on a server of this machine, as it is: no other is needed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(whole_site())))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def view(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh window. What the page complains of, or asks of other machines, fails the test."""
    settings = getattr(request, "param", {})
    context = browser.new_context(**{"base_url": address, "viewport": {"width": 1280, "height": 900}, **settings})
    window = context.new_page()
    complaints: list[str] = []
    window.on("pageerror", lambda error: complaints.append(str(error)))
    window.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    window.on("request", lambda asked: None if asked.url.startswith((address, "data:")) else complaints.append(asked.url))
    yield window
    context.close()
    assert complaints == []


def in_light_and_dark(*, width: int = 1280, height: int = 900) -> list[dict[str, Any]]:
    return [{"color_scheme": scheme, "viewport": {"width": width, "height": height}} for scheme in ("light", "dark")]


def colour(window: Any, what: str, name: str = "background-color") -> tuple[int, ...]:
    return tuple(
        int(number)
        for number in re.findall(
            r"\d+", window.locator(what).first.evaluate(f"element => getComputedStyle(element).getPropertyValue('{name}')")
        )[:3]
    )


# ---------------------------------------------------------------- what readers do


@pytest.mark.parametrize(
    ("sought", "page"),
    [
        ("puzzle box", "the_inner_circle|for_the_greater_good|puzzle"),
        ("accepted your fate", "entry.accepted_fate"),
        ("PC711", "reference/errors/PC711"),
    ],
)
def test_search_finds_a_word_and_leads_there(view: Any, sought: str, page: str) -> None:
    view.goto("")
    view.get_by_role("link", name="Search").click()
    box = view.locator("#mkdocs-search-query")
    sync_api.expect(box).to_be_focused()
    box.fill(sought)
    found = view.locator("#mkdocs-search-results article h3 a")
    sync_api.expect(found.first).to_be_visible(timeout=20_000)
    targets = [link.get_attribute("href") for link in found.all()]
    hit = next(number for number, target in enumerate(targets) if re.search(page, target or ""))
    found.nth(hit).click()
    sync_api.expect(view).to_have_url(re.compile(page))


def test_a_box_of_the_picture_leads_to_its_section(view: Any) -> None:
    view.goto("books/tcu/graph/")
    view.locator('.pc-graph a.node.section[href*="the_witching_hour.intro_1"]').click()
    sync_api.expect(view).to_have_url(re.compile(r"sections/the_witching_hour\.intro_1/$"))
    sync_api.expect(view.locator("h1")).to_have_text("Intro 1")


def test_the_picture_is_coloured_by_verdict(view: Any) -> None:
    view.goto("books/tcu/graph/")
    reachable = colour(view, ".pc-graph .section.reachable rect", "fill")
    unreachable = colour(view, ".pc-graph .section.unreachable rect", "fill")
    assert reachable != unreachable
    assert colour(view, ".pc-graph .hole.reachable polygon", "fill")[0] > 150


def test_a_play_unfolds(view: Any) -> None:
    view.goto("books/tcu/sections/the_witching_hour.do_not_read/")
    play = view.locator("main details").first
    step = play.locator("li").first
    sync_api.expect(step).not_to_be_visible()
    play.locator("summary").click()
    sync_api.expect(step).to_be_visible()
    sync_api.expect(play).to_contain_text("no printed case applies")


def test_links_lead_from_a_rule_to_its_printed_line_and_back(view: Any) -> None:
    view.goto("books/tcu/sections/the_witching_hour.intro_2/")
    view.locator(".pc-cite a", has_text="line 90").first.click()
    sync_api.expect(view).to_have_url(re.compile(r"lines/#tcu-90$"))
    line = view.locator("tr", has=view.locator("#tcu-90"))
    sync_api.expect(line).to_be_in_viewport()
    line.get_by_role("link", name="Intro 2").click()
    sync_api.expect(view).to_have_url(re.compile(r"the_witching_hour\.intro_2/$"))


def test_the_book_stands_beside_its_pages(view: Any) -> None:
    view.goto("books/tcu/sections/the_witching_hour.intro_2/")
    here = view.locator(".pc-contents [aria-current=page]")
    sync_api.expect(here).to_have_text("Intro 2")
    view.locator(".pc-contents").get_by_role("link", name="Intro 3").click()
    sync_api.expect(view.locator("h1")).to_have_text("Intro 3")


# ---------------------------------------------------------------- views


@pytest.mark.parametrize("view", in_light_and_dark(), indirect=True, ids=["light", "dark"])
def test_the_page_follows_the_system(view: Any, request: pytest.FixtureRequest) -> None:
    view.goto("books/tcu/graph/")
    dark = "dark" in request.node.callspec.id
    for what in ("body", ".pc-graph .ground"):
        shade = sum(colour(view, what, "fill" if "ground" in what else "background-color"))
        assert (shade < 200) is dark
    assert (sum(colour(view, "h1", "color")) > 400) is dark


def test_readers_may_choose_the_dark_view(view: Any) -> None:
    view.goto("books/tcu/graph/")
    before = colour(view, "body")
    view.get_by_role("button", name="Toggle theme").click()
    view.get_by_role("button", name="Dark").click()
    assert sum(colour(view, "body")) < 200 < sum(before)
    assert sum(colour(view, ".pc-graph .ground", "fill")) < 200
    view.reload()
    assert sum(colour(view, "body")) < 200, "the choice is kept"


@pytest.mark.parametrize("view", in_light_and_dark(width=360, height=740)[:1], indirect=True)
@pytest.mark.parametrize("page", PAGES)
def test_a_narrow_page_does_not_run_over(view: Any, page: str) -> None:
    view.goto(page)
    wide = view.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    size = view.locator("main p, main li, main td").first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 13


@pytest.mark.parametrize("view", in_light_and_dark(width=360, height=740)[:1], indirect=True)
def test_on_a_telephone_the_contents_are_folded_and_the_menu_opens(view: Any) -> None:
    view.goto("books/tcu/")
    contents = view.locator(".pc-contents")
    assert contents.get_attribute("open") is None
    contents.locator("summary").click()
    sync_api.expect(contents.get_by_role("link", name="Glossary")).to_be_visible()
    view.get_by_role("button", name="Toggle navigation").click()
    sync_api.expect(view.get_by_role("link", name="Search")).to_be_visible()


def test_the_keyboard_reaches_the_text_first(view: Any) -> None:
    view.goto("books/tcu/")
    view.keyboard.press("Tab")
    skip = view.locator(".pc-skip")
    sync_api.expect(skip).to_be_focused()
    sync_api.expect(skip).to_be_in_viewport()
    view.keyboard.press("Enter")
    sync_api.expect(view.locator("#pc-main")).to_be_focused()


@pytest.mark.parametrize(
    ("page", "view"),
    [(page, in_light_and_dark()[0]) for page in PAGES] + [(page, in_light_and_dark()[1]) for page in PAGES if page not in LARGE],
    indirect=["view"],
)
def test_nothing_bars_the_way_of_those_who_hear_or_see_otherwise(view: Any, page: str) -> None:
    """Contrast, names, roles, landmarks: what axe-core finds."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    view.goto(page)
    found = axe.run(view).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary")) for one in found] == []
