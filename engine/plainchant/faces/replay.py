"""`plainchant replay`: a saved trace is played again by the engine, which says where, if anywhere, it departs."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainchant.faces.calls import FINDINGS, NOTHING_FOUND, machine_of, refuse
from plainchant.faces.page import Page
from plainchant.play import documents
from plainchant.play.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words of the call."""
    parser.add_argument("file", metavar="TRACE", type=Path, help="a trace, or a saved game")
    parser.add_argument("--book", metavar="PATH", help="the book to replay it with, if not the shipped one that the trace names")


def run(args: argparse.Namespace) -> int:
    """Replay; 0 if the trace agrees with the rules, 1 if it departs, 2 if it or the call is wrong."""
    document, found = documents.read_document(args.file)
    if document is None:
        return refuse(found)
    machine, found = machine_of(args.book or document["book"])
    if machine is None:
        return refuse(found)
    session, departure, found = documents.replay(machine, document)
    if session is None:
        return refuse(found)
    page = Page()
    if document.get("rules") not in (None, machine.program.digest):
        page.say("The rules were changed since this was written.", "hint")
    if departure is None:
        page.say(f"Agrees: {_count(len(document['steps']))}, {_where(session)}.", "end")
        return NOTHING_FOUND
    total = len(document["steps"])
    page.say(f"Departs at step {departure.step} of {total}: {departure.why}.", "error")
    if departure.step <= total and isinstance(rule := document["steps"][departure.step - 1].get("rule"), str):
        page.row("", f"asked was: {rule}")
    if departure.legal:
        page.row("", f"legal are: {departure.legal}")
    return FINDINGS


def _count(steps: int) -> str:
    return f"{steps} step" if steps == 1 else f"{steps} steps"


def _where(session: Session) -> str:
    """Where a play rests, in words."""
    end = session.ending
    if end is None:
        return f"to “{session.section.part_words} / {session.section.words}”, where play goes on"
    return f"to its end: {end.about}" if end.kind == "end" else f"to where play stops ({end.kind}): {end.about}"
