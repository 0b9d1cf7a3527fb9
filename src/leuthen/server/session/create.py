"""Creation of games: on the home page, from a record, and as a rematch."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from secrets import token_bytes
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from leuthen.bots import BOTS, expect_bot
from leuthen.engine.ruleset import OTHER, SEATS, SIDES, WATCHER, SeatSide, Side, as_side, is_side
from leuthen.load import load
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.proof.ledger import CORRESPONDENCE
from leuthen.play.record import FREE
from leuthen.school.lessons import LESSON, lesson, lesson_of
from leuthen.school.lessons import begin as begin_game
from leuthen.server.session import messages, players, proposals
from leuthen.server.session.device_sessions import DeviceCaller, DeviceSession
from leuthen.server.session.game_session import GameSession
from leuthen.server.session.history import GameHistory, status_of
from leuthen.server.session.problems import FOREIGN, STALE, TOO_MANY, fault
from leuthen.server.session.registry import GameRegistry, hash_of, new_id, new_secret
from leuthen.server.session.seal import GameSeal, begin, header_for
from leuthen.server.session.seat_view import occupant_of
from leuthen.storage import games as game_rows
from leuthen.storage.faults import AlreadyThere
from leuthen.storage.rows import ActionRow, GameRow, ProofRow, ProposalRow, Rows, SealRow, SeatRow

OPEN_GAMES: Final = 200
"""Maximum number of unfinished games created by one browser."""
ME: Final = "me"
LINK: Final = "link"
SEED: Final = "lesson"
"""Seed of the dice of lessons, together with the lesson's name and number."""


async def make_game(registry: GameRegistry, visitor: DeviceCaller, new: messages.NewGame) -> messages.CreatedGame:
    expect_players(new.players)
    ruleset = load(new.ruleset)
    options = {name: values[0] for name, values in ruleset.options.items()} | new.options
    history = GameHistory(ruleset, ruleset.new_game(new.scenario, options), new.takebacks)
    return await seat_game(registry, visitor, history, new, options)


async def begin_lesson(
    registry: GameRegistry, visitor: DeviceCaller, name: str, rematch: Rematch | None = None
) -> messages.CreatedGame:
    """Create a game of a lesson. Raise Invalid for an unknown one, Fault if the browser has too many games."""
    taught = lesson(name)
    ruleset = load(taught.ruleset)
    options = {option: values[0] for option, values in ruleset.options.items()} | taught.options
    scenario = LESSON + name
    players = (taught.enemy, ME) if taught.side else (ME, taught.enemy)
    new = messages.NewGame(players, ruleset.name, scenario, title=taught.title, takebacks=FREE)
    history = GameHistory(ruleset, begin_game(ruleset, scenario, options), FREE)
    return await seat_game(registry, visitor, history, new, options, rematch, Key.from_seed(SEED, name, taught.seed))


def expect_players(players: Sequence[str]) -> None:
    for who in players:
        if who not in (ME, LINK):
            expect_bot(who)


async def seat_game(
    registry: GameRegistry,
    visitor: DeviceCaller,
    history: GameHistory,
    new: messages.NewGame,
    options: Mapping[str, str],
    rematch: Rematch | None = None,
    known: Key | None = None,
) -> messages.CreatedGame:
    """Store a game with its seats. With a `known` key the dice are predictable and not proved.

    Raise Fault if the browser has too many games, AlreadyThere for a second rematch.
    """
    key, storage = known or registry.new_key(), registry.storage
    secrets, before = [new_secret() for _ in (0, 1, WATCHER)], rematch.game if rematch else ""
    game = _game_row(history, visitor.lock, new, options, registry.clock(), before)
    led = [(visitor, side) for side in SIDES if new.players[side] == ME]
    sitting: list[tuple[DeviceCaller, SeatSide]] = [*led] if led else [(visitor, WATCHER)]
    sitting = list(dict.fromkeys([*sitting, *(rematch.sitting if rematch else ())]))
    seats = _seat_rows(game.id, new, {side for _, side in sitting}, rematch.sitters if rematch else _sitters(new))
    links = {  # to the gallery, and where nobody sits yet: who sits makes his own
        seat.id: secret
        for seat, secret in zip(seats, secrets, strict=True)
        if seat.side == WATCHER or not seat.is_taken
    }
    lines = [ActionRow(n, history.table.name(actor), text) for n, (actor, text) in enumerate(history.record)]
    seal, signing = (None, b"") if known else _sealed(history, new, game, seats, key.secret)

    def write(rows: Rows) -> None:
        if len(rows.find(GameRow, maker=visitor.lock, has_ended=False)) >= OPEN_GAMES:
            raise fault(TOO_MANY, "Too many games", f"You have {OPEN_GAMES} unfinished games. End some of them first.")
        if before and game_rows.rematch_of(rows, before) is not None:
            raise AlreadyThere("there is a rematch already")
        game_rows.add_game(rows, game, key.secret, seats, lines)
        if seal is not None:
            rows.add(SealRow(game.id, signing))
            rows.add(*itertools.starmap(ProofRow, enumerate((*seal.opening, *seal.lines))), game=game.id)
        for seat, secret in links.items():
            game_rows.add_invitation(rows, seat, hash_of(secret), game.made)
        for who, side in sitting:
            game_rows.add_device(rows, seats[side].id, *who, game.made)

    await storage.write(write)
    await registry.add(GameSession(storage, history, game, seats, registry.clock, key, seal)).proceed()
    mine = {seats[side].id for who, side in sitting if who == visitor}
    return _describe_created(history.ruleset.sides, game.id, seats, mine, links)


def _sealed(
    history: GameHistory, new: messages.NewGame, game: GameRow, seats: Sequence[SeatRow], secret: bytes
) -> tuple[GameSeal | None, bytes]:
    """Return the seal and signing key of a new game; none if one browser leads both sides or none, or the game is
    over or unplayable."""
    is_led_by_one = LINK not in new.players and new.players.count(ME) != 1
    if is_led_by_one or history.unplayable or history.outcome is not None:
        return None, b""
    signing, sides = token_bytes(KEY_BYTES), history.ruleset.sides
    seal = begin(secret, signing, header_for(game, seats, sides), sides, new.pace)
    if history.record:
        seal.accept(seal.sealing().bind_import(history.record, history.table.name))
    if new.chain is not UNSET and new.players.count(ME) == 1:
        seal.accept(seal.sealing().give_chain(as_side(new.players.index(ME)), new.chain))
    return seal, signing


class Rematch(NamedTuple):
    """The game to be repeated, the devices that take their seats at once, and the players' names by side."""

    game: str
    sitting: list[tuple[DeviceCaller, SeatSide]]
    sitters: list[messages.DisplayName]


def _game_row(
    history: GameHistory, browser: str, new: messages.NewGame, options: Mapping[str, str], at: str, before: str
) -> GameRow:
    return GameRow(
        id=new_id(),
        ruleset=history.ruleset.name,
        version=history.version,
        data=history.data,
        scenario=new.scenario,
        options=options,
        title=players.strip_direction_marks(new.title),
        helps=new.helps,
        maker=browser,
        made=at,
        before=before,
        takebacks=new.takebacks,
        **msgspec.structs.asdict(status_of(history, at)),
    )


def _sitters(new: messages.NewGame) -> list[messages.DisplayName]:
    given = [
        sitter if who == ME else messages.DisplayName() for who, sitter in zip(new.players, new.sitting, strict=True)
    ]
    called = [messages.DisplayName(players.named(sitter.name), sitter.colour) for sitter in given]
    players.expect_distinct_name(called[0].name, [called[1].name])
    return called


def _seat_rows(
    game: str, new: messages.NewGame, taken: Collection[int], sitters: Sequence[messages.DisplayName]
) -> list[SeatRow]:
    rows = []
    for side, who, sitter in zip(SEATS, (*new.players, "watcher"), (*sitters, messages.DisplayName()), strict=True):
        is_person = who in (ME, LINK)
        is_taken, kind = side in taken or not is_person, "person" if is_person else who
        rows.append(SeatRow(new_id(), game, side, kind, is_taken, sitter.name, sitter.colour))
    return rows


def _describe_created(
    sides: Sequence[str], game: str, seats: Sequence[SeatRow], own: Collection[str], links: Mapping[str, str]
) -> messages.CreatedGame:
    """Describe a new game to its creator, with the invitations that other people need."""
    shown = {seat.id: link_of(links[seat.id], seat) for seat in seats if seat.id in links}
    made = [
        messages.CreatedSeat(
            seat.side, sides[seat.side], occupant_of(seat), seat.id if seat.id in own else "", shown.get(seat.id, "")
        )
        for seat in seats
        if seat.side != WATCHER
    ]
    return messages.CreatedGame(game, tuple(made), shown.get(seats[WATCHER].id, ""))


def link_of(secret: str, seat: SeatRow | None = None) -> str:
    """Return the link of an invitation, with the game and side of a `seat` for another person.

    Browsers do not send the fragment to servers, logs or referrers.
    """
    return f"/seat/{seat.game}/{seat.side}#{secret}" if seat is not None else f"/seat#{secret}"


async def make_rematch(registry: GameRegistry, device: DeviceSession, session: GameSession) -> messages.CreatedGame:
    """Create the same game with the sides changed; a lesson keeps the pupil's side. A second request gets the existing
    rematch.

    Raise Fault while the first game goes on, and for spectators.
    """
    row, visitor = device.seat, DeviceCaller(device.row.lock, device.row.what)
    if not is_side(side := row.side):
        raise fault(FOREIGN, "You only watch", "Only players can ask for a rematch.")
    if session.history.outcome is None:
        raise fault(STALE, "Game in progress", "You can offer a rematch when this game has ended.")
    game = session.row
    is_offered = await _expect_consent(registry, visitor, session, side)
    try:
        if (taught := lesson_of(game.scenario)) is not None:
            pupil = await _previous_players(registry, session, {side: taught.side})
            made = await begin_lesson(registry, visitor, taught.name, pupil)
        else:
            made = await _play_again(registry, visitor, session, side)
        if is_offered:
            await session.set_proposals({side: ProposalRow(side, proposals.MADE)})
        return made
    except AlreadyThere:
        return await _created_before(registry, visitor.lock, game.id, session.ruleset.sides)


async def _play_again(
    registry: GameRegistry, visitor: DeviceCaller, session: GameSession, side: Side
) -> messages.CreatedGame:
    game, seal = session.row, session.seal
    first, second = (seat.who for seat in session.seats[:2])
    players = [who if who in BOTS else ME if was == side else LINK for who, was in ((second, 1), (first, 0))]
    new = messages.NewGame(
        (players[0], players[1]),
        game.ruleset,
        game.scenario,
        title=game.title,
        helps=game.helps,
        takebacks=game.takebacks,
        pace=seal.ledger.pace if seal is not None else CORRESPONDENCE,
    )
    history = GameHistory(session.ruleset, begin_game(session.ruleset, game.scenario, game.options), game.takebacks)
    rematch = await _previous_players(registry, session, {0: 1, 1: 0})
    return await seat_game(registry, visitor, history, new, game.options, rematch)


async def _previous_players(registry: GameRegistry, session: GameSession, sides: Mapping[Side, Side]) -> Rematch:
    """Return the devices and names of the old sides for their new sides."""
    old = session.seats
    sitting: list[tuple[DeviceCaller, SeatSide]] = await registry.storage.read(
        lambda rows: [
            (DeviceCaller(device.lock, device.what), after)
            for before, after in sides.items()
            for device in game_rows.devices_of(rows, old[before].id)
        ]
    )
    sitters = [messages.DisplayName(), messages.DisplayName()]
    for before, after in sides.items():
        sitters[after] = messages.DisplayName(old[before].player, old[before].colour)
    return Rematch(session.id, sitting, sitters)


async def _expect_consent(registry: GameRegistry, visitor: DeviceCaller, session: GameSession, side: Side) -> bool:
    """Return whether the opponent has offered the rematch. Raise Fault if consent is missing."""
    offer, old = session.proposals.get(OTHER[side]), session.seats
    if offer is not None and offer.kind == proposals.REMATCH:
        return True
    if await registry.storage.read(lambda rows: _needs_consent(rows, visitor, old, side, session.id)):
        raise fault(STALE, "A rematch is offered", "Offer it: the game is created when your opponent accepts.")
    return False


def _needs_consent(rows: Rows, visitor: DeviceCaller, seats: Sequence[SeatRow], side: Side, game: str) -> bool:
    other = seats[OTHER[side]]
    is_mine = other.id in game_rows.seats_of(rows, visitor.lock)
    return other.who == "person" and other.is_taken and not is_mine and game_rows.rematch_of(rows, game) is None


async def _created_before(registry: GameRegistry, lock: str, game: str, sides: Sequence[str]) -> messages.CreatedGame:
    there = await registry.storage.read(lambda rows: game_rows.rematch_of(rows, game))
    assert there is not None
    mine, seats = await registry.storage.read(
        lambda rows: (game_rows.seats_of(rows, lock), rows.find(SeatRow, game=there))
    )
    return _describe_created(sides, there, sorted(seats, key=lambda seat: seat.side), mine, {})
