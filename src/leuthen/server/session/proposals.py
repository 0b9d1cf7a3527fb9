"""What players agree on beside the rules: undo, resigning, a draw, a takeback, newer rulings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias, TypeGuard

import msgspec

from leuthen.engine.ruleset import OTHER, SeatSide, Side
from leuthen.load import has_value
from leuthen.play.record import ADOPT, AGREE, FREE, NEVER, RESIGN, TAKE_BACK
from leuthen.play.table import expect_newer
from leuthen.play.transaction import Falls
from leuthen.screen import LogEntry
from leuthen.server.session import answers, requests
from leuthen.server.session.history import GameHistory
from leuthen.server.session.problems import STALE, Fault, fault
from leuthen.server.session.seat_log import Remembered
from leuthen.server.session.transaction import GameTransaction
from leuthen.storage.rows import ProposalRow, Rows

Proposals: TypeAlias = Mapping[Side, ProposalRow]
"""What each side offers or asks now."""
DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
RULINGS: Final = "rulings"
REMATCH: Final = "rematch"
MADE: Final = "rematch-made"
"""The rematch that was offered is there."""
DECLINED: Final = "declined-"
"""Before the kind of an offer that was declined: it stands until its side withdraws it or offers anew."""
MOST_UNCOVERED: Final = 200


def carry_out(
    transaction: GameTransaction,
    proposals: Proposals,
    side: Side,
    move: requests.TableMove,
    bots: Collection[Side],
) -> Proposals:
    """Tries a move on `attempt`; gives what is offered after it. Raises Fault, Invalid."""
    history = transaction.history
    match move.do:
        case "undo" | "ask-takeback" | "offer-rulings" if history.stranded:
            raise stranded(history)
        case "undo":
            transaction.undo(side)
            transaction.release(side)
        case "resign":
            transaction.say(side, RESIGN)
        case "offer-draw":
            if history.stranded and OTHER[side] in bots:
                transaction.say(OTHER[side], AGREE)
                return {}
            return {**proposals, side: _draw(history, OTHER[side] in bots, side)}
        case "offer-rematch":
            return {**proposals, side: _rematch(history, side)}
        case "ask-takeback":
            return _ask_takeback(transaction, proposals, side, move.to, OTHER[side] in bots)
        case "offer-rulings":
            return _offer_rulings(transaction, proposals, side, move.to, OTHER[side] in bots)
        case "withdraw":
            return _without(proposals, side)
        case "decline":
            _expect_same(history, proposals, side, move)
            return _declined(proposals, OTHER[side])
        case _:
            _expect_same(history, proposals, side, move)
            return _accept(transaction, proposals, side)
    return proposals


def undo_waiting(transaction: GameTransaction, proposals: Proposals, side: Side, falls: Falls) -> Proposals:
    """Takes back the order of a side whose die waits; gives what is offered then. Raises Fault, NothingToUndo."""
    if transaction.history.stranded:
        raise stranded(transaction.history)
    if not falls.waits(transaction.table.place):
        raise fault(STALE, "The die falls now", "The last part of it has come: nothing can be taken back.")
    transaction.undo_waiting(side)
    return {who: offer for who, offer in proposals.items() if offer.kind != TAKEBACK}


def stranded(history: GameHistory) -> Fault:
    """The rules that are here cannot go on with this game."""
    return fault(STALE, "This game cannot go on here", history.stranded)


def _draw(history: GameHistory, from_bot: bool, side: Side) -> ProposalRow:
    if history.outcome is not None:
        raise fault(STALE, "The game has ended", "The game has ended.")
    if from_bot and not has_value(history.ruleset.name):
        raise fault(STALE, "No draw", "The machine plays on to the end.")
    return ProposalRow(side, DRAW)


def _rematch(history: GameHistory, side: Side) -> ProposalRow:
    if history.outcome is None:
        raise fault(STALE, "The game goes on", "There can be a rematch when this game has ended.")
    return ProposalRow(side, REMATCH)


def draw_for(proposals: Proposals, sides: Collection[Side]) -> Side | None:
    """Which of some sides is offered a draw; None if none is."""
    offered = (OTHER[side] for side, offer in proposals.items() if offer.kind == DRAW)
    return next((side for side in offered if side in sides), None)


def answer_draw(transaction: GameTransaction, proposals: Proposals, side: Side, accepts: bool) -> Proposals | None:
    """A side accepts the draw that it is offered, or declines; gives what is offered then. None: there was none."""
    if draw_for(proposals, [side]) is None:
        return None
    if accepts:
        transaction.say(side, AGREE)
        return {}
    return _declined(proposals, OTHER[side])


def after_the_end(proposals: Proposals) -> Proposals:
    """What may still be offered when a game has ended."""
    return {side: offer for side, offer in proposals.items() if offer.kind.removeprefix(DECLINED) in (REMATCH, MADE)}


def _ask_takeback(transaction: GameTransaction, proposals: Proposals, side: Side, to: int, from_bot: bool) -> Proposals:
    """Where takebacks are free nobody is asked. A machine grants what gives its opponent nothing that he has seen."""
    table, kept = transaction.history.table, _kept_before(transaction.history, side, to)
    how, spent = table.takebacks, table.spent(side, kept)
    if how == FREE:
        transaction.say(side, f"{TAKE_BACK} {kept}")
        return {}
    if spent and (from_bot or how == NEVER):
        who = "The machine grants no takeback then" if from_bot else "In this game that ends the takebacks"
        raise fault(STALE, "No takeback", f"{spent.capitalize()}. {who}.")
    if from_bot:
        transaction.say(OTHER[side], f"{TAKE_BACK} {kept}")
        return {}
    return {**proposals, side: ProposalRow(side, TAKEBACK, kept)}


def _offer_rulings(
    transaction: GameTransaction, proposals: Proposals, side: Side, number: int, to_bot: bool
) -> Proposals:
    """A machine plays by any rulings."""
    table = transaction.table
    expect_newer(table.ruleset, table.state, number)
    if to_bot:
        transaction.say(OTHER[side], f"{ADOPT} {number}")
        return {}
    return {**proposals, side: ProposalRow(side, RULINGS, number)}


def _kept_before(history: GameHistory, side: Side, to: int) -> int:
    """How many actions are left if the game stands again as before a number of the side's news."""
    log = history.logs[side]
    if history.outcome is None and 0 < to <= log.n:
        line = log.news[to].line
        if line in history.counting:
            return history.counting.index(line)
    raise fault(STALE, "No takeback", "The game cannot go back there: nothing that still counts came with that number.")


def _without(proposals: Proposals, side: Side) -> Proposals:
    if side not in proposals:
        raise _nothing()
    return {who: offer for who, offer in proposals.items() if who != side}


def _declined(proposals: Proposals, side: Side) -> Proposals:
    """The offers when that of a side was declined: the side is told so."""
    if not is_open(proposals.get(side)):
        raise _nothing()
    if proposals[side].kind == MADE:
        return _without(proposals, side)
    kind = f"{DECLINED}{proposals[side].kind}"
    return {**proposals, side: msgspec.structs.replace(proposals[side], kind=kind, to=0)}


def is_open(offer: ProposalRow | None) -> TypeGuard[ProposalRow]:
    """Whether an offer waits for an answer."""
    return offer is not None and not offer.kind.startswith(DECLINED)


def _nothing() -> Fault:
    return fault(STALE, "Nothing is offered", "Nothing is offered any more.")


def _expect_same(history: GameHistory, proposals: Proposals, side: Side, move: requests.TableMove) -> None:
    """Raises Fault if the offer is no longer the one that the player has read."""
    offer = proposals.get(OTHER[side])
    if not is_open(offer):
        raise _nothing()
    is_other = move.offer and move.offer != offer.kind
    if is_other or (move.offer == TAKEBACK and move.to != _goes(history, offer, side)[1]):
        raise fault(STALE, "The offer has changed", "The other side offers something else now; read it again.")


def _accept(transaction: GameTransaction, proposals: Proposals, side: Side) -> Proposals:
    offer = proposals[OTHER[side]]
    if offer.kind in (REMATCH, MADE):
        raise fault(STALE, "A rematch is a game of its own", "It is accepted by making it.")
    if offer.kind == DRAW:
        transaction.say(side, AGREE)
    elif transaction.history.stranded:
        raise stranded(transaction.history)
    elif offer.kind == RULINGS:
        transaction.say(side, f"{ADOPT} {offer.to}")
    else:
        transaction.say(side, f"{TAKE_BACK} {offer.to}")
    return {}


def shown(
    history: GameHistory,
    proposals: Proposals,
    side: SeatSide,
    tell: Callable[[object], LogEntry],
    called: Callable[[Side], str],
) -> tuple[answers.Proposal, ...]:
    """What is offered, as a seat may know it: what a takeback uncovers is told by the seat's own chronicle.

    That an offer was declined is told to its side alone.
    """
    return tuple(
        _shown(history, offer, side, tell, called(OTHER[offer.side] if not is_open(offer) else offer.side))
        for offer in proposals.values()
        if is_open(offer) or offer.side == side
    )


_PLAIN: Final[Mapping[str, str]] = {
    DRAW: "offers a draw.",
    REMATCH: "offers a rematch with the sides changed.",
    MADE: "has accepted the rematch: it is on the table.",
}


_DECLINED: Final[Mapping[str, str]] = {
    DRAW: "declines your draw.",
    REMATCH: "declines your rematch.",
    TAKEBACK: "declines your takeback.",
    RULINGS: "declines the newer rulings.",
}


def _goes(history: GameHistory, offer: ProposalRow, side: SeatSide) -> tuple[Sequence[Remembered], int]:
    """The lines of a seat's chronicle that a takeback takes, and the number of the news with which they begin, or 0."""
    log = history.logs[side]
    gone = log.lines.void_from(history.counting[offer.to]) if offer.to < len(history.counting) else 0
    lines = log.lines[len(log.lines) - gone :]
    return lines, lines[0].n if lines else 0


def _shown(
    history: GameHistory, offer: ProposalRow, side: SeatSide, tell: Callable[[object], LogEntry], name: str
) -> answers.Proposal:
    if not is_open(offer):
        return answers.Proposal(offer.kind, offer.side, f"{name} {_DECLINED[offer.kind.removeprefix(DECLINED)]}")
    if offer.kind in _PLAIN:
        return answers.Proposal(offer.kind, offer.side, f"{name} {_PLAIN[offer.kind]}")
    if offer.kind == RULINGS:
        text = f"{name} proposes to play on by the rulings up to number {offer.to}."
        return answers.Proposal(RULINGS, offer.side, text)
    lines, first = _goes(history, offer, side)
    uncovers = tuple(tell(line.what).text for line in lines[:MOST_UNCOVERED])
    what = f"{len(lines)} lines of the chronicle" if len(lines) > 1 else "one line of the chronicle"
    text = f"{name} asks to take back {what if lines else 'an order that you have not been told of'}."
    return answers.Proposal(TAKEBACK, offer.side, text, uncovers, first)


def keep(rows: Rows, game: str, proposals: Proposals) -> None:
    """Writes down what the sides offer now, in place of what they offered."""
    rows.remove(ProposalRow, game=game)
    rows.add(*proposals.values(), game=game)
