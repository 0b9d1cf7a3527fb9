"""What players agree on beside the rules: undo, resigning, a draw, a takeback, newer rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from leuthen.play.record import FREE, NEVER
from leuthen.play.table import expect_newer
from leuthen.screen import LogEntry
from leuthen.server import wire
from leuthen.server.attempt import Attempt
from leuthen.server.course import Course
from leuthen.server.problems import STALE, Fault, fault
from leuthen.storage.rows import ProposalRow

Offers: TypeAlias = Mapping[int, ProposalRow]
"""What each side offers or asks now."""
DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
RULINGS: Final = "rulings"
MOST_UNCOVERED: Final = 200


def carry_out(
    course: Course, attempt: Attempt, offers: Offers, side: int, move: wire.Move, bots: frozenset[int]
) -> Offers:
    """Tries a move on `attempt`; gives what is offered after it. Raises Fault, Invalid."""
    match move.do:
        case "undo" | "ask-takeback" | "offer-rulings" if course.stranded:
            raise stranded(course)
        case "undo":
            attempt.undo(side)
            attempt.release(side)
        case "resign":
            attempt.resign(side)
        case "offer-draw":
            if course.stranded and 1 - side in bots:
                attempt.agree(1 - side)
                return {}
            return {**offers, side: _draw(course, 1 - side in bots, side)}
        case "ask-takeback":
            return _ask_takeback(course, attempt, offers, side, move.to, 1 - side in bots)
        case "offer-rulings":
            return _offer_rulings(attempt, offers, side, move.to, 1 - side in bots)
        case "withdraw":
            return _without(offers, side)
        case "decline":
            return _without(offers, 1 - side)
        case _:
            return _accept(course, attempt, offers, side)
    return offers


def stranded(course: Course) -> Fault:
    """The rules that are here cannot go on with this game."""
    return fault(STALE, "This game cannot go on here", course.stranded)


def _draw(course: Course, from_bot: bool, side: int) -> ProposalRow:
    if course.outcome is not None:
        raise fault(STALE, "The game has ended", "The game has ended.")
    if from_bot:
        raise fault(STALE, "No draw", "The machine plays on to the end.")
    return ProposalRow(side, DRAW)


def _ask_takeback(course: Course, attempt: Attempt, offers: Offers, side: int, to: int, from_bot: bool) -> Offers:
    """Where takebacks are free nobody is asked. A machine grants what gives its opponent nothing that he has seen."""
    kept = _kept_before(course, side, to)
    how = course.table.takebacks
    spent = course.table.spent(side, kept)
    if how == FREE:
        attempt.take_back(side, kept)
        return {}
    if spent and (from_bot or how == NEVER):
        who = "The machine grants no takeback then" if from_bot else "In this game that ends the takebacks"
        raise fault(STALE, "No takeback", f"{spent.capitalize()}. {who}.")
    if from_bot:
        attempt.take_back(1 - side, kept)
        return {}
    return {**offers, side: ProposalRow(side, TAKEBACK, kept)}


def _offer_rulings(attempt: Attempt, offers: Offers, side: int, number: int, to_bot: bool) -> Offers:
    """A machine plays by any rulings."""
    table = attempt.table
    expect_newer(table.ruleset, table.state, number)
    if to_bot:
        attempt.adopt(1 - side, number)
        return {}
    return {**offers, side: ProposalRow(side, RULINGS, number)}


def _kept_before(course: Course, side: int, to: int) -> int:
    """How many actions are left if the game stands again as before a number of the side's news."""
    track = course.tracks[side]
    if course.outcome is None and 0 < to <= track.n:
        line = track.news[to].line
        if line in course.counting:
            return course.counting.index(line)
    raise fault(STALE, "No takeback", "The game cannot go back there: nothing that still counts came with that number.")


def _without(offers: Offers, side: int) -> Offers:
    if side not in offers:
        raise fault(STALE, "Nothing is offered", "Nothing is offered any more.")
    return {who: offer for who, offer in offers.items() if who != side}


def _accept(course: Course, attempt: Attempt, offers: Offers, side: int) -> Offers:
    offer = offers.get(1 - side)
    if offer is None:
        raise fault(STALE, "Nothing is offered", "Nothing is offered any more.")
    if offer.kind == DRAW:
        attempt.agree(side)
    elif course.stranded:
        raise stranded(course)
    elif offer.kind == RULINGS:
        attempt.adopt(side, offer.to)
    else:
        attempt.take_back(side, offer.to)
    return {}


def shown(course: Course, offers: Offers, side: int, tell: Callable[[Any], LogEntry]) -> tuple[wire.Proposal, ...]:
    """What is offered, as a seat may know it: what a takeback uncovers is told by the seat's own chronicle."""
    return tuple(_shown(course, offer, side, tell) for offer in offers.values())


def _shown(course: Course, offer: ProposalRow, side: int, tell: Callable[[Any], LogEntry]) -> wire.Proposal:
    name = course.table.name(offer.side).capitalize()
    if offer.kind == DRAW:
        return wire.Proposal(DRAW, offer.side, f"{name} offers a draw.")
    if offer.kind == RULINGS:
        text = f"{name} proposes to play on by the rulings up to number {offer.to}."
        return wire.Proposal(RULINGS, offer.side, text)
    track = course.tracks[side]
    gone = track.void_from(course.counting[offer.to]) if offer.to < len(course.counting) else 0
    lines = track.lines[len(track.lines) - gone :]
    uncovers = tuple(tell(line.what).text for line in lines[:MOST_UNCOVERED])
    text = f"{name} asks to take back what has happened since then."
    return wire.Proposal(TAKEBACK, offer.side, text, uncovers, lines[0].n if lines else 0)
