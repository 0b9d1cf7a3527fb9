"""Offers at a table and their answers, orders that halt by themselves, and going on."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Final, TypeAlias, TypeGuard

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import OTHER, SeatSide, Side
from leuthen.play.proof.ledger import CORRESPONDENCE, LIVE
from leuthen.play.record import AGREE, FREE, NEVER, TAKE_BACK
from leuthen.play.table import Table
from leuthen.screen.values import LogEntry, Place
from leuthen.server.session import messages
from leuthen.server.session.history import ChronicleEntry, DiceSource, GameHistory, GameTransaction, setting_of
from leuthen.server.session.messages import BAD, STALE, Fault, fault
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
AFTER_THE_END: Final = (REMATCH, MADE)
"""The offers that remain when a game has ended."""
DECLINED: Final = "declined-"
"""Prefix of an offer that was declined; its side sees it until it withdraws it or offers again."""
MOST_UNCOVERED: Final = 200
PHASE, THEATRE, EVENT = "phase", "theatre", "event"
"""Scopes of going on, besides the turn."""
_MOST_ANSWERS: Final = 1000
"""Limit of answers in one request; more indicate an error of the rule set."""


def unplayable(history: GameHistory) -> Fault:
    return fault(STALE, "This game cannot continue here", history.unplayable)


def pace_asked(proposals: Proposals) -> Side | None:
    return next((side for side, offer in proposals.items() if offer.kind.startswith(PACE)), None)


def ask_takeback(transaction: GameTransaction, proposals: Proposals, side: Side, to: int, from_bot: bool) -> Proposals:
    """Return the proposals with that of a takeback to the seat's number `to`. Raise Fault if there can be none.

    Free takebacks are carried out at once. A bot grants those that give no new knowledge.
    """
    history, table = transaction.history, transaction.history.table
    news = history.logs[side].news
    line = news[to].line if history.outcome is None and 0 < to < len(news) else -1
    if line not in history.counting:
        raise fault(STALE, "No takeback", "The game cannot go back there. Choose a later order.")
    kept = history.counting.index(line)
    how, revealed_since = table.takebacks, table.revealed_since(side, kept)
    if how != FREE and revealed_since and (from_bot or how == NEVER):
        who = "The machine refuses takebacks after that" if from_bot else "This game allows no takeback after that"
        raise fault(STALE, "No takeback", f"{revealed_since.capitalize()}. {who}.")
    if how == FREE or from_bot:
        transaction.say(side if how == FREE else OTHER[side], f"{TAKE_BACK} {kept}")
        return {}
    return {**proposals, side: ProposalRow(side, TAKEBACK, kept)}


def without(proposals: Proposals, side: Side) -> Proposals:
    if side not in proposals:
        raise fault(STALE, "Nothing is offered", "The offer is no longer there.")
    return {who: offer for who, offer in proposals.items() if who != side}


def is_open(offer: ProposalRow | None) -> TypeGuard[ProposalRow]:
    return offer is not None and not offer.kind.startswith(DECLINED)


def expect_same(history: GameHistory, proposals: Proposals, side: Side, move: messages.TableMove) -> None:
    """Raise Fault if the offer is no longer the one that the player has read."""
    offer = proposals.get(OTHER[side])
    if not is_open(offer):
        raise fault(STALE, "Nothing is offered", "The offer is no longer there.")
    is_other = move.offer and move.offer != offer.kind
    if is_other or (move.offer == TAKEBACK and move.to != voided_entries(history, offer, side)[1]):
        raise fault(STALE, "The offer has changed", "Your opponent's offer has changed. Read it again.")


def answer(transaction: GameTransaction, proposals: Proposals, side: Side, *, accepts: bool) -> Proposals:
    """Accept or decline the other side's offer; return the proposals after it. Raise Fault for a rematch."""
    offer = proposals[OTHER[side]]
    if not accepts and offer.kind == MADE:
        return without(proposals, offer.side)
    if not accepts:
        return {**proposals, offer.side: msgspec.structs.replace(offer, kind=f"{DECLINED}{offer.kind}", to=0)}
    if offer.kind in AFTER_THE_END:
        raise fault(STALE, "A rematch is a new game", "Create it to accept the offer.")
    if offer.kind == DRAW:
        transaction.say(side, AGREE)
    elif transaction.history.unplayable:
        raise unplayable(transaction.history)
    elif offer.kind == TAKEBACK:
        transaction.say(side, f"{TAKE_BACK} {offer.to}")
    return {}


WORDS: Final[Mapping[str, str]] = {
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


def voided_entries(history: GameHistory, offer: ProposalRow, side: SeatSide) -> tuple[Sequence[ChronicleEntry], int]:
    """Return the chronicle lines that a takeback voids, and the number of the first, or 0."""
    log = history.logs[side]
    gone = log.void_from(history.counting[offer.to]) if offer.to < len(history.counting) else 0
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
    if len(transaction.lines) != 1 or transaction.table.log[-1].learned >> side & 1:
        return  # another answer followed, or something hidden was revealed
    if any(stops(side, EVENT, entry) for entry in transaction.entries(side)):
        return
    answer = _neutral_action(transaction, side, halt)
    if answer is not None:
        transaction.give(side, answer)


def _neutral_action(transaction: GameTransaction, side: Side, text: str) -> Action | None:
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
    table = transaction.table
    start, heard = mark_of(table, side, scope), 0
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
        ended = table.outcome is not None or mark_of(table, side, scope) != start
        action = _idle(transaction, side)
        if ended or action is None or any(stops(side, scope, entry) for entry in entries[heard:]):
            return
        if area is not None and not is_within(table, side, area):
            return
        heard = len(entries)


def _area(table: Table, theatres: Sequence[str]) -> frozenset[Place]:
    cards = {card.name: card for card in setting_of(table.ruleset).theatres}
    if not theatres or any(name not in cards for name in theatres):
        detail = f"The theatres are: {', '.join(cards)}." if cards else "It has no theatres."
        raise fault(BAD, "No such theatre", detail)
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
    found = list[set[Place]]()
    for form in forms:
        if len(form.fields) > 1:  # the start of the moving force, or the places of the first field with any
            asked = ({choice.place for choice in field.choices if choice.place} for field in form.fields)
            found.append({form.start} if form.start else next(filter(None, asked), set()))
    return set().union(*found) if all(found) else set()


def _idle(transaction: GameTransaction, side: Side) -> Action | None:
    table = transaction.table
    found = table.ruleset.neutral(table.visible_state(side), side)
    return found if found is not None and found.IDLE else None


def stops(side: Side, scope: str, entry: LogEntry) -> bool:
    """Return whether a side should look at a log entry before it goes on."""
    touches = entry.hurts == side or entry.topic in ("opening", "battle")
    return touches or (scope == EVENT and entry.side == 1 - side and bool(entry.path))


def mark_of(table: Table, side: Side, scope: str) -> Hashable:
    """Return the value whose change ends going on."""
    if scope == EVENT:
        return None
    date = table.ruleset.date(table.state)
    if scope != PHASE:
        return date
    scene = table.ruleset.presenter.scene(table.ruleset.view(table.state, side))
    return date, tuple((stage.group, stage.name, stage.side) for stage in scene.stages if stage.when == "now")
