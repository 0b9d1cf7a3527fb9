"""Actions outside the rules: undo, go on, resign, offer a draw or a takeback, and answer an offer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Final, TypeAlias, TypeGuard

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import OTHER, SeatSide, Side
from leuthen.load import has_value
from leuthen.play.proof.ledger import CORRESPONDENCE, LIVE
from leuthen.play.record import AGREE, FREE, NEVER, RESIGN, TAKE_BACK
from leuthen.play.table import Table
from leuthen.screen.values import Form, LogEntry, Place
from leuthen.server.session import messages
from leuthen.server.session.history import ChronicleEntry, DiceSource, GameHistory, GameTransaction, setting_of
from leuthen.server.session.problems import BAD, STALE, Fault, fault
from leuthen.storage.rows import ProposalRow, Rows
from leuthen.wargame.board import names_in

Proposals: TypeAlias = Mapping[Side, ProposalRow]
"""The current offer of each side."""
DRAW: Final = "draw"
TAKEBACK: Final = "takeback"
PACE: Final = "pace-"
"""Prefix of the offer of a pace."""
REMATCH: Final = "rematch"
MADE: Final = "rematch-made"
"""The offered rematch exists."""
DECLINED: Final = "declined-"
"""Prefix of an offer that was declined; its side sees it until it withdraws it or offers again."""
MOST_UNCOVERED: Final = 200
EVENT: Final = "event"
_MOST_ANSWERS: Final = 1000
"""Limit of answers in one request; more indicate an error of the rule set."""
_STRUGGLES: Final = ("opening", "battle")
"""Topics of events after which a side is always asked again."""


def carry_out(
    transaction: GameTransaction,
    proposals: Proposals,
    side: Side,
    move: messages.TableMove,
    bots: Collection[Side],
    pace: str = "",
) -> Proposals:
    """Carry out a table action in the transaction; return the proposals after it. Raise Fault or Invalid.

    `pace` is the other pace if the game may be switched, or "".
    """
    history, other = transaction.history, OTHER[side]
    match move.do:
        case "undo" | "ask-takeback" if history.unplayable:
            raise unplayable(history)
        case "undo":
            transaction.undo(side)
            transaction.release(side)
        case "resign":
            transaction.say(side, RESIGN)
        case "offer-draw" if history.unplayable and other in bots:
            transaction.say(other, AGREE)
            return {}
        case "offer-draw":
            if history.outcome is not None:
                raise fault(STALE, "The game has ended", "The game has ended.")
            if other in bots and not has_value(history.ruleset.name):
                raise fault(STALE, "No draw", "The machine plays on to the end.")
            return {**proposals, side: ProposalRow(side, DRAW)}
        case "offer-rematch":
            if history.outcome is None:
                raise fault(STALE, "Game in progress", "You can offer a rematch when this game has ended.")
            return {**proposals, side: ProposalRow(side, REMATCH)}
        case "ask-pace":
            return _ask_pace(history, proposals, side, pace)
        case "ask-takeback":
            return _ask_takeback(transaction, proposals, side, move.to, other in bots)
        case "withdraw":
            return _without(proposals, side)
        case "accept" | "decline":
            _expect_same(history, proposals, side, move)
            return (_accept if move.do == "accept" else _decline)(transaction, proposals, side)
    return proposals


def undo_waiting(transaction: GameTransaction, proposals: Proposals, side: Side, dice: DiceSource) -> Proposals:
    """Take back the order of a side whose die is pending; return the proposals then. Raise Fault or NothingToUndo."""
    if transaction.history.unplayable:
        raise unplayable(transaction.history)
    if not dice.is_pending(transaction.table.place):
        raise fault(STALE, "The die has been rolled", "The roll can no longer be taken back.")
    transaction.undo_waiting(side)
    return {who: offer for who, offer in proposals.items() if offer.kind != TAKEBACK}


def unplayable(history: GameHistory) -> Fault:
    return fault(STALE, "This game cannot continue here", history.unplayable)


def draw_for(proposals: Proposals, sides: Collection[Side]) -> Side | None:
    """Return the first of some sides that is offered a draw, or None."""
    offered = (OTHER[side] for side, offer in proposals.items() if offer.kind == DRAW)
    return next((side for side in offered if side in sides), None)


def answer_draw(transaction: GameTransaction, proposals: Proposals, side: Side, accepts: bool) -> Proposals | None:
    """Let a side answer a draw; return the proposals then, None if none is offered."""
    if draw_for(proposals, [side]) is None:
        return None
    return (_accept if accepts else _decline)(transaction, proposals, side)


def after_the_end(proposals: Proposals) -> Proposals:
    """Return the proposals that remain when a game has ended."""
    return {side: offer for side, offer in proposals.items() if offer.kind.removeprefix(DECLINED) in (REMATCH, MADE)}


def _ask_pace(history: GameHistory, proposals: Proposals, side: Side, pace: str) -> Proposals:
    """Offer the other pace; if the opponent has offered it too, it is agreed."""
    if history.outcome is not None or history.unplayable or not pace:
        raise fault(STALE, "No other pace", "The pace of this game cannot be switched.")
    offer = ProposalRow(side, f"{PACE}{pace}")
    is_agreed = any(is_open(other) and other.kind == offer.kind for other in proposals.values())
    return {} if is_agreed else {**proposals, side: offer}


def pace_asked(proposals: Proposals) -> Side | None:
    """Return the side that asks for the other pace, or None."""
    return next((side for side, offer in proposals.items() if offer.kind.startswith(PACE)), None)


def _ask_takeback(transaction: GameTransaction, proposals: Proposals, side: Side, to: int, from_bot: bool) -> Proposals:
    """Free takebacks are carried out at once. A bot grants those that give no new knowledge."""
    table, kept = transaction.history.table, _actions_before(transaction.history, side, to)
    how, revealed_since = table.takebacks, table.revealed_since(side, kept)
    if how == FREE:
        transaction.say(side, f"{TAKE_BACK} {kept}")
        return {}
    if revealed_since and (from_bot or how == NEVER):
        who = "The machine refuses takebacks after that" if from_bot else "This game allows no takeback after that"
        raise fault(STALE, "No takeback", f"{revealed_since.capitalize()}. {who}.")
    if from_bot:
        transaction.say(OTHER[side], f"{TAKE_BACK} {kept}")
        return {}
    return {**proposals, side: ProposalRow(side, TAKEBACK, kept)}


def _actions_before(history: GameHistory, side: Side, to: int) -> int:
    """Return the number of actions before a number of the side's notifications. Raise Fault."""
    log = history.logs[side]
    if history.outcome is None and 0 < to <= log.n:
        line = log.news[to].line
        if line in history.counting:
            return history.counting.index(line)
    raise fault(STALE, "No takeback", "The game cannot go back there. Choose a later order.")


def _without(proposals: Proposals, side: Side) -> Proposals:
    if side not in proposals:
        raise _nothing()
    return {who: offer for who, offer in proposals.items() if who != side}


def is_open(offer: ProposalRow | None) -> TypeGuard[ProposalRow]:
    return offer is not None and not offer.kind.startswith(DECLINED)


def _nothing() -> Fault:
    return fault(STALE, "Nothing is offered", "The offer is no longer there.")


def _expect_same(history: GameHistory, proposals: Proposals, side: Side, move: messages.TableMove) -> None:
    """Raise Fault if the offer is no longer the one that the player has read."""
    offer = proposals.get(OTHER[side])
    if not is_open(offer):
        raise _nothing()
    is_other = move.offer and move.offer != offer.kind
    if is_other or (move.offer == TAKEBACK and move.to != _voided_entries(history, offer, side)[1]):
        raise fault(STALE, "The offer has changed", "Your opponent's offer has changed. Read it again.")


def _decline(_: GameTransaction, proposals: Proposals, side: Side) -> Proposals:
    offer = proposals[OTHER[side]]
    if offer.kind == MADE:
        return _without(proposals, offer.side)
    return {**proposals, offer.side: msgspec.structs.replace(offer, kind=f"{DECLINED}{offer.kind}", to=0)}


def _accept(transaction: GameTransaction, proposals: Proposals, side: Side) -> Proposals:
    offer = proposals[OTHER[side]]
    if offer.kind in (REMATCH, MADE):
        raise fault(STALE, "A rematch is a new game", "Create it to accept the offer.")
    if offer.kind == DRAW:
        transaction.say(side, AGREE)
    elif transaction.history.unplayable:
        raise unplayable(transaction.history)
    elif offer.kind == TAKEBACK:
        transaction.say(side, f"{TAKE_BACK} {offer.to}")
    return {}


def proposals_for(
    history: GameHistory,
    proposals: Proposals,
    side: SeatSide,
    tell: Callable[[object], LogEntry],
    called: Callable[[Side], str],
) -> tuple[messages.Proposal, ...]:
    """Return the offers that a seat may see; a takeback lists entries of the seat's own chronicle.

    Only the offering side sees that its offer was declined.
    """
    return tuple(
        _shown(history, offer, side, tell, called)
        for offer in proposals.values()
        if is_open(offer) or offer.side == side
    )


_WORDS: Final[Mapping[str, str]] = {
    DRAW: "offers a draw.",
    REMATCH: "offers a rematch with sides swapped.",
    MADE: "has accepted the rematch. You can go to it now.",
    PACE + CORRESPONDENCE: "asks to play by correspondence: rolls no longer wait.",
    PACE + LIVE: "asks to play live: each roll waits for both browsers.",
    DECLINED + DRAW: "declines your draw.",
    DECLINED + REMATCH: "declines your rematch.",
    DECLINED + TAKEBACK: "declines your takeback.",
    DECLINED + PACE + CORRESPONDENCE: "declines to play by correspondence.",
    DECLINED + PACE + LIVE: "declines to play live.",
}


def _shown(
    history: GameHistory,
    offer: ProposalRow,
    side: SeatSide,
    tell: Callable[[object], LogEntry],
    called: Callable[[Side], str],
) -> messages.Proposal:
    name = called(offer.side if is_open(offer) else OTHER[offer.side])
    if offer.kind in _WORDS:
        return messages.Proposal(offer.kind, offer.side, f"{name} {_WORDS[offer.kind]}")
    lines, first = _voided_entries(history, offer, side)
    uncovers = tuple(tell(line.what).text for line in lines[:MOST_UNCOVERED])
    what = f"{len(lines)} lines of the chronicle" if len(lines) > 1 else "one line of the chronicle"
    text = f"{name} asks to take back {what if lines else 'an order that you have not seen'}."
    return messages.Proposal(TAKEBACK, offer.side, text, uncovers, first)


def _voided_entries(history: GameHistory, offer: ProposalRow, side: SeatSide) -> tuple[Sequence[ChronicleEntry], int]:
    """Return the chronicle lines that a takeback voids, and the number of the first, or 0."""
    log = history.logs[side]
    gone = log.lines.void_from(history.counting[offer.to]) if offer.to < len(history.counting) else 0
    lines = log.lines[len(log.lines) - gone :]
    return lines, lines[0].n if lines else 0


def store(rows: Rows, game: str, proposals: Proposals) -> None:
    rows.remove(ProposalRow, game=game)
    rows.add(*proposals.values(), game=game)


# --- an order that halts by itself ------------------------------------------------------------------------------------


def order_then_halt(transaction: GameTransaction, side: Side, order: str, halt: str, dice: DiceSource) -> None:
    """Carry out an order, then the `halt` answer if nothing came between.

    If anything did, or `halt` is not legal or commits to more than staying, the side is asked instead. Raise Invalid,
    Ambiguous or Illegal for the order itself.
    """
    transaction.act(side, order)
    transaction.proceed(dice)
    answer = _neutral_action(transaction, side, halt) if _is_quiet(transaction, side) else None
    if answer is not None:
        transaction.give(side, answer)


def _is_quiet(transaction: GameTransaction, side: Side) -> bool:
    """Return whether no other answer followed the order, and it revealed nothing hidden and no fighting."""
    alone = len(transaction.lines) == 1
    learned = transaction.table.log[-1].learned >> side & 1
    return alone and not learned and not any(stops(side, EVENT, entry) for entry in transaction.entries(side))


def _neutral_action(transaction: GameTransaction, side: Side, text: str) -> Action | None:
    """Return the named action if it is legal and neutral."""
    table = transaction.table
    if table.outcome is not None or all(asked.actor != side for asked in table.ruleset.pending(table.state)):
        return None
    seen = table.visible_state(side)
    neutral = table.ruleset.neutral(seen, side)
    try:
        action = table.ruleset.parse_action(seen, side, text)
    except (Invalid, Illegal):
        return None
    is_legal = table.ruleset.legal_actions(seen, side).why_not(action) is None
    return action if is_legal and action.IDLE and isinstance(action, type(neutral)) else None


# --- going on ---------------------------------------------------------------------------------------------------------


def pass_until(
    transaction: GameTransaction, side: Side, scope: str, dice: DiceSource, theatres: Sequence[str] = ()
) -> None:
    """Give neutral answers for a side until the scope ends: a phase, a turn, or the next event.

    It also stops where the side must choose, is attacked, or a battle begins; with scope `event` when the enemy
    marches. With scope `theatre` it answers until the turn ends, but only questions that concern the named theatres
    alone. Raise Fault if the first question needs a choice, and for an unknown theatre.
    """
    table, mark = transaction.table, MARKS[scope]
    start, heard = mark(table, side), 0
    area = _area(table, theatres) if scope == THEATRE else None
    if area is not None and not is_within(table, side, area):
        return
    action = _idle(transaction, side)
    if action is None:
        raise fault(STALE, "Decide first", "The current question needs a choice.")
    for _ in range(_MOST_ANSWERS):
        transaction.give(side, action)
        transaction.proceed(dice)
        entries = transaction.entries(side)
        ended = table.outcome is not None or mark(table, side) != start
        action = _idle(transaction, side)
        if ended or action is None or any(stops(side, scope, entry) for entry in entries[heard:]):
            return
        if area is not None and not is_within(table, side, area):
            return
        heard = len(entries)


def _area(table: Table, theatres: Sequence[str]) -> frozenset[Place]:
    cards = {card.name: card for card in setting_of(table.ruleset).theatres}
    if not theatres or any(name not in cards for name in theatres):
        raise fault(
            BAD, "No such theatre", f"The theatres are: {', '.join(cards)}." if cards else "It has no theatres."
        )
    return frozenset(place for name in theatres for place in names_in(cards[name].rows))


def is_within(table: Table, side: Side, area: Collection[Place]) -> bool:
    """Return whether all orders that the side may give now start inside an area; False if that is unknown."""
    places = _places(table, side)
    return bool(places) and places <= set(area)


def _places(table: Table, side: Side) -> set[Place]:
    """Return the hexes that the current question concerns; none if they are unknown."""
    presenter, state = table.ruleset.presenter, table.visible_state(side)
    place = presenter.scene(table.ruleset.view(state, side)).place
    if place:
        return {place}
    first, *_ = presenter.form(state, side, {}).fields
    if any(choice.place for choice in first.choices):
        return {choice.place for choice in first.choices}
    forms = [presenter.form(state, side, {first.key: choice.token}) for choice in first.choices]
    found = [_start_places(form) for form in forms if len(form.fields) > 1]
    return set().union(*found) if all(found) else set()


def _start_places(form: Form) -> set[Place]:
    """Return the start hexes of a form: of the moving force, or of the first field with places."""
    if form.start:
        return {form.start}
    asked = ({choice.place for choice in field.choices if choice.place} for field in form.fields)
    return next(filter(None, asked), set())


def _idle(transaction: GameTransaction, side: Side) -> Action | None:
    table = transaction.table
    found = table.ruleset.neutral(table.visible_state(side), side)
    return found if found is not None and found.IDLE else None


def stops(side: Side, scope: str, entry: LogEntry) -> bool:
    """Return whether a side should look at a log entry before it goes on."""
    touches = entry.hurts == side or entry.topic in _STRUGGLES
    return touches or (scope == EVENT and entry.side == 1 - side and bool(entry.path))


def _phase(table: Table, side: Side) -> Hashable:
    scene = table.ruleset.presenter.scene(table.ruleset.view(table.state, side))
    now = (stage for stage in scene.stages if stage.when == "now")
    return table.ruleset.date(table.state), tuple((stage.group, stage.name, stage.side) for stage in now)


THEATRE: Final = "theatre"
MARKS: Final[Mapping[str, Callable[[Table, Side], Hashable]]] = {
    "phase": _phase,
    "turn": lambda table, side: table.ruleset.date(table.state),
    THEATRE: lambda table, side: table.ruleset.date(table.state),
    EVENT: lambda table, side: None,
}
"""By scope: the value whose change ends going on."""
