"""The site: built as a whole and crawled; nothing leads nowhere, nothing is missing, all of it is valid, and no rule becomes markup."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from plainchant.faces.command_line import main
from plainchant.faces.declared import declared, uses
from plainchant.faces.site.crawl import LARGEST, faults_of
from plainchant.faces.site.md import esc, lines_words, link, page, sentence, table
from plainchant.meaning.collect import collect
from plainchant.meaning.modules import load, printed_modules, shipped_books, shipped_modules
from plainchant.text import tree as t
from plainchant.text.codes import CODES
from plainchant.text.place import Cite
from sites import run, small_config, whole_site

pytest.importorskip("mkdocs")
pytest.importorskip("z3")


@pytest.fixture(scope="module")
def site() -> Path:
    return whole_site()


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, str]:
    """All pages of the site but the one for what is not there."""
    found = {file.relative_to(site).as_posix(): file.read_text(encoding="utf-8") for file in sorted(site.rglob("*.html"))}
    del found["404.html"]
    return found


# ---------------------------------------------------------------- the whole site


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    assert faults_of(site) == []


def test_every_declared_thing_and_every_code_has_its_page(site: Path) -> None:
    """Said without the code that makes the pages: by the names that the tree has."""
    wanted = [f"reference/errors/{code}/index.html" for code in CODES]
    for book, path in shipped_modules().items():
        library, _ = load(path)
        if library.main.book is None:
            continue
        items = [item for module in library.modules for file in module.files for item in file.items]
        names, _ = collect(library)
        for part in names.parts.values():
            wanted += [f"books/{book}/parts/{part.name}/index.html"]
            wanted += [f"books/{book}/sections/{section.key}/index.html" for section in part.sections]
        wanted += [
            f"books/{book}/names/entry.{entry.name.text}/index.html" for log in items if isinstance(log, t.Log) for entry in log.entries
        ]
        wanted += [f"books/{book}/names/rule.{rule}/index.html" for rule in names.rules]
        wanted += [f"books/{book}/names/{keyword.sort}.{name}/index.html" for name, keyword in names.keywords.items()]
        wanted += [f"books/{book}/{name}/index.html" for name in ("graph", "glossary", "findings", "claims", "open")]
        page_of_claims = (site / "books" / book / "claims" / "index.html").read_text(encoding="utf-8")
        assert all(f'id="{claim.name.text.replace("_", "-")}"' in page_of_claims for claim, _ in names.claims)
    wanted += [f"books/{book}/lines/index.html" for book in printed_modules()]
    wanted += ["books/tcu/matrix/index.html"]
    assert [name for name in wanted if not (site / name).is_file()] == []


def test_every_page_is_valid_html(pages: dict[str, str]) -> None:
    parser = pytest.importorskip("tinyhtml5.parser")
    for name, text in pages.items():
        one = parser.HTMLParser()
        one.parse(text)
        assert one.errors == [], name


class _Outline(HTMLParser):
    """What a screen reader goes by."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[int] = []
        self.ids: Counter[str] = Counter()
        self.language = ""
        self.without_alt = 0
        self.landmarks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if "id" in given:
            self.ids[given["id"] or ""] += 1
        if tag == "html":
            self.language = given.get("lang") or ""
        if tag == "img" and not given.get("alt"):
            self.without_alt += 1
        if tag in ("main", "nav", "footer"):
            self.landmarks.append(tag)


def test_pages_have_an_outline_that_can_be_heard(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        outline = _Outline()
        outline.feed(text.partition('<div class="modal')[0])
        assert outline.headings[:1] == [1], name
        assert outline.headings.count(1) == 1, name
        assert all(after - before <= 1 for before, after in pairwise(outline.headings)), name
        assert [anchor for anchor, count in outline.ids.items() if count > 1] == [], name
        assert (outline.language, outline.without_alt) == ("en", 0), name
        assert "main" in outline.landmarks, name


def test_pages_have_titles_of_their_own(pages: dict[str, str]) -> None:
    titles = {name: re.search(r"<title>(.*?)</title>", text) for name, text in pages.items()}
    assert [name for name, title in titles.items() if title is None or not title[1].strip()] == []


def test_no_page_is_too_large(pages: dict[str, str]) -> None:
    assert [name for name, text in pages.items() if len(text.encode()) > LARGEST] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for file in (file for suffix in ("html", "css", "js") for file in site.rglob(f"*.{suffix}")):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"""(?:src=|<link [^>]*href=|url\(|@import|importScripts\()\s*["']?(?:https?:)?//""", text), file


def test_verdicts_findings_and_plays_stand_on_the_pages(pages: dict[str, str]) -> None:
    ending = pages["books/tcu/sections/the_witching_hour.do_not_read/index.html"]
    assert "can be reached" in ending
    assert "PC711" in ending
    assert "A play that shows it" in ending
    assert "cannot be reached" in pages["books/tcu/sections/for_the_greater_good.intro_2/index.html"]
    claims = pages["books/tcu/claims/index.html"]
    assert ">holds<" in claims
    assert ">fails<" in claims


def test_entries_tell_who_writes_and_asks_and_what_they_exclude(pages: dict[str, str]) -> None:
    entry = pages["books/tcu/names/entry.accepted_fate/index.html"]
    assert 'href="../../sections/the_witching_hour.intro_2/"' in entry
    assert 'href="../../sections/twist_of_fate.twist_of_fate_1/"' in entry
    assert re.search(r"excludes .*?entry\.rejected_fate", entry)


def test_the_picture_is_on_the_page_and_leads_to_sections(pages: dict[str, str]) -> None:
    graph = pages["books/tcu/graph/index.html"]
    assert "<svg" in graph
    assert 'href="../sections/the_witching_hour.intro_1/"' in graph
    assert "prefers-color-scheme" not in graph


def test_missing_lines_are_told(pages: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["coverage", "--format", "json"])
    for book in json.loads(capsys.readouterr().out)["books"]:
        told = pages[f"books/{book['name']}/lines/index.html"]
        shown = re.findall(r">missing</span></td>\s*<td>(\d+)</td>", told)
        assert shown == [str(book["missing"])]


def test_the_start_page_leads_to_every_book(pages: dict[str, str]) -> None:
    assert all(f'href="books/{book}/"' in pages["index.html"] for book in printed_modules())


# ---------------------------------------------------------------- somebody's own book

HOSTILE = '<script>alert("x")</script> & </title> **bold** [link](http://nowhere.invalid) `code` | {{ bad }} \\\\ # _under_ <b>'


def hostile_book() -> str:
    words = HOSTILE.replace('"', '\\"')
    return f"""\
book woods "{words}" @1
    printed in woods, 9 lines
    begins with "The Woods"

campaign log
    shells "{words} were seen" @2

reading way "{words}?" @3
    left "{words} left" @3
    right "{words} right" @3

scenario woods "The Woods" @1
    section "Intro" @2
        the investigators decide @3
            "{words} yes": record "{words} were seen" @4
            "{words} no": go to "{words}" @5
        the campaign is over: "{words} end" @6

    throughout @6
        "{words}" is forbidden @6

    section "{words}" @7
        check "{words}" @7
            when shells and way is left: the campaign is over: "{words} end" @8

claim seen: never "{words} were seen" @9
"""


def test_rule_text_never_becomes_markup(tmp_path: Path) -> None:
    book = tmp_path / "woods"
    book.mkdir()
    (book / "book.rules").write_text(hostile_book(), encoding="utf-8")
    small_config(tmp_path)
    run("plainchant", "site", "woods", "-o", "pages", folder=tmp_path)
    run("mkdocs", "build", "--quiet", folder=tmp_path)
    parser = pytest.importorskip("tinyhtml5.parser")
    texts = [file.read_text(encoding="utf-8") for file in (tmp_path / "site" / "books").rglob("*.html")]
    assert len(texts) > 8
    for text in texts:
        one = parser.HTMLParser()
        one.parse(text)
        assert one.errors == []
        assert "<script>alert" not in text
        assert "<strong>bold" not in text
        assert 'nowhere.invalid"' not in text
        assert "<em>under" not in text
    section = next(text for text in texts if "no printed case applies" in text)
    assert "&lt;script&gt;alert" in section or "&#60;script&#62;alert" in section


def test_a_missing_page_fails_the_build(tmp_path: Path) -> None:
    book = tmp_path / "woods"
    book.mkdir()
    (book / "book.rules").write_text(hostile_book(), encoding="utf-8")
    small_config(tmp_path)
    run("plainchant", "site", "woods", "-o", "pages", "--no-prove", folder=tmp_path)
    (tmp_path / "pages" / "books" / "woods" / "names" / "entry.shells.md").unlink()
    told = run("mkdocs", "build", "--quiet", folder=tmp_path, status=1)
    assert "entry.shells" in told


def test_without_pages_the_build_says_what_is_missing(tmp_path: Path) -> None:
    small_config(tmp_path)
    (tmp_path / "pages").mkdir()
    assert "run `plainchant site` first" in run("mkdocs", "build", folder=tmp_path, status=1)


def test_nothing_proven_is_told_as_such(tmp_path: Path) -> None:
    run("plainchant", "site", "tcu", "-o", "pages", "--no-prove", folder=tmp_path)
    section = (tmp_path / "pages" / "books" / "tcu" / "sections" / "the_witching_hour.intro_1.md").read_text(encoding="utf-8")
    assert "not proven" in section
    assert "can be reached" not in section
    claims = (tmp_path / "pages" / "books" / "tcu" / "claims.md").read_text(encoding="utf-8")
    assert "holds" not in claims
    assert "not decided" in claims


def test_a_book_with_errors_gets_no_pages(tmp_path: Path) -> None:
    (tmp_path / "book.rules").write_text('book woods "The Woods"\n    begins with "Nowhere"\n', encoding="utf-8")
    told = run("plainchant", "site", "book.rules", "-o", "pages", folder=tmp_path, status=1)
    assert "error PC206" in told
    assert not (tmp_path / "pages" / "books").exists()


@pytest.mark.parametrize(("words", "code"), [(["nowhere"], "PC501"), (["tcu", "-o", "full"], "PC009"), (["tcu", "-o", "file"], "PC009")])
def test_a_wrong_call_writes_nothing(
    tmp_path: Path, words: list[str], code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["site", *words]) == 2
    assert f"error {code}" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "mine.txt"]


# ---------------------------------------------------------------- the crawler finds what is wrong

SOUND = '<html><body id="top"><a href="#top">x</a><a href="other/">y</a><img src="a.png"></body></html>'


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "other").mkdir()
    (tmp_path / "index.html").write_text(SOUND, encoding="utf-8")
    (tmp_path / "other" / "index.html").write_text('<html><body><p id="here"><a href="../#top">up</a></p></body></html>', encoding="utf-8")
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "site.json").write_text(json.dumps({"pages": ["index.md", "other.md"]}), encoding="utf-8")
    return tmp_path


def test_a_sound_site_has_no_faults(small: Path) -> None:
    assert faults_of(small) == []


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ('<a href="nowhere/">x</a>', "leads nowhere"),
        ('<a href="other/#there">x</a>', "no anchor"),
        ('<a href="../above/">x</a>', "leads nowhere"),
        ('<img src="https://elsewhere.invalid/a.png">', "network"),
        ('<script src="//elsewhere.invalid/a.js"></script>', "network"),
        ('<link rel="stylesheet" href="https://elsewhere.invalid/a.css">', "network"),
        ("x" * (LARGEST + 1), "larger"),
    ],
)
def test_faults_are_found(small: Path, more: str, what: str) -> None:
    (small / "index.html").write_text(SOUND + more, encoding="utf-8")
    (fault,) = faults_of(small)
    assert fault.page == "index.html"
    assert what in fault.what


def test_a_page_that_was_not_built_is_found(small: Path) -> None:
    (small / "site.json").write_text(json.dumps({"pages": ["index.md", "other.md", "third/page.md"]}), encoding="utf-8")
    (fault,) = faults_of(small)
    assert (fault.page, fault.what) == ("third/page/index.html", "the page is missing")


def test_a_style_from_elsewhere_is_found(small: Path) -> None:
    (small / "a.css").write_text("body { background: url(https://elsewhere.invalid/a.png) }", encoding="utf-8")
    assert [fault.page for fault in faults_of(small)] == ["a.css"]


# ---------------------------------------------------------------- pieces


def test_escaped_text_has_no_sign_that_could_be_markup() -> None:
    assert re.sub(r"&#\d+;", "", esc(HOSTILE)).replace(" ", "").isalnum()


def test_links_are_relative() -> None:
    assert link("books/tcu/graph.md", "books/tcu/sections/a.md", "x") == "[x](sections/a.md)"
    assert link("index.md", "books/tcu/index.md", "x", "y") == "[x](books/tcu/index.md#y)"
    assert link("books/a/b.md", "reference/errors.md", "x") == "[x](../../reference/errors.md)"


def test_ranges_that_touch_are_one() -> None:
    assert lines_words([Cite(None, ((113, 114),)), Cite(None, ((113, 113), (115, 115))), Cite("tic", ((9, 9),))]) == [
        (None, 113, 115),
        ("tic", 9, 9),
    ]


@pytest.mark.parametrize(("text", "expected"), [("a case", "A case."), ("is it?", "Is it?"), ("so…", "So…")])
def test_a_sentence_ends_once(text: str, expected: str) -> None:
    assert html.unescape(sentence(text)) == expected


def test_a_page_has_its_title_for_the_template_and_for_people() -> None:
    text = page("A & B", "text", crumbs="way", book="tcu")
    assert text == '---\ntitle: "A &amp; B"\nbook: "tcu"\n---\n\nway\n\n# A &#38; B\n\ntext\n'
    assert table(("a", "b"), [("1", "")]) == "| a | b |\n| --- | --- |\n| 1 |   |"


def test_every_use_is_of_something_declared() -> None:
    for path in shipped_books().values():
        library, _ = load(path)
        names, _ = collect(library)
        keys = {one.key for one in declared(library)}
        assert {use.target for use in uses(library, names)} <= keys
