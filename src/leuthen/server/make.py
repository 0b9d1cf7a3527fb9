"""Games are made: by players on the home page, of a record, and again with the sides changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection

from leuthen.bots import BOTS, expect_bot
from leuthen.core.ruleset import WATCHER, Ruleset
from leuthen.load import load
from leuthen.server import wire
from leuthen.server.course import Course
from leuthen.server.glance import who_sits
from leuthen.server.hall import Hall, hash_of, new_id, new_secret
from leuthen.server.problems import FOREIGN, STALE, TOO_MANY, fault
from leuthen.server.room import Room, status_of
from leuthen.storage import store as kept
from leuthen.storage.faults import AlreadyThere
from leuthen.storage.rows import ActionRow, GameRow, SeatRow

OPEN_GAMES: Final = 200
"""Games that one browser may have made and that have not ended."""
ME: Final = "me"
LINK: Final = "link"


async def make_game(hall: Hall, browser: str, new: wire.NewGame) -> wire.Made:
    """A new game. Raises Invalid, Fault."""
    ruleset = load(new.ruleset)
    options = {name: values[0] for name, values in ruleset.options.items()} | new.options
    course = Course(ruleset, ruleset.new_game(new.scenario, options))
    return await seat_game(hall, browser, course, new, options)


async def seat_game(
    hall: Hall,
    browser: str,
    course: Course,
    new: wire.NewGame,
    options: Mapping[str, str],
    rematch: Rematch | None = None,
) -> wire.Made:
    """Keeps a game with its seats.

    Raises Invalid for an unknown player, Fault if the browser has too many games, AlreadyThere for a second rematch.
    """
    secrets, before = [new_secret() for _ in (0, 1, WATCHER)], rematch.game if rematch else ""
    game = _game_row(course, browser, new, options, hall.clock(), before)
    seats = [_seat_row(game.id, side, who, secrets[side]) for side, who in enumerate((*new.players, "watcher"))]
    keepers = [(browser, side) for side, who in enumerate(new.players) if who == ME] or [(browser, WATCHER)]
    keepers += rematch.keepers if rematch else ()
    seats = [_taken(seat, any(side == seat.side for _, side in keepers)) for seat in seats]
    name = course.table.name
    lines = [ActionRow(n, name(actor), text) for n, (actor, text) in enumerate(course.record)]

    def write(connection: Connection) -> None:
        if kept.open_games_of(connection, browser) >= OPEN_GAMES:
            raise fault(TOO_MANY, "Too many games", f"You have {OPEN_GAMES} games that go on; end some of them first.")
        if before and kept.rematch_of(connection, before) is not None:
            raise AlreadyThere("there is a rematch already")
        kept.add_game(connection, game, seats, lines)
        for who, side in keepers:
            kept.keep_seat(connection, who, seats[side].id)

    await hall.store.write(write)
    room = hall.add(Room(hall.store, course, game, seats, hall.clock, hall.new_key()))
    await room.roll()
    return _made(course.ruleset, game.id, new.players, seats, secrets)


class Rematch(NamedTuple):
    """The game that is played again, and the browsers that sit down by themselves, on the other sides."""

    game: str
    keepers: list[tuple[str, int]]


def _game_row(
    course: Course, browser: str, new: wire.NewGame, options: Mapping[str, str], at: str, before: str
) -> GameRow:
    return GameRow(
        id=new_id(),
        ruleset=course.ruleset.name,
        version=course.version,
        data=course.data,
        scenario=new.scenario,
        options=options,
        title=new.title,
        helps=new.helps,
        maker=browser,
        made=at,
        before=before,
        **msgspec.structs.asdict(status_of(course, at)),
    )


def _seat_row(game: str, side: int, who: str, secret: str) -> SeatRow:
    is_person = who in (ME, LINK)
    if not is_person and side != WATCHER:
        expect_bot(who)
    return SeatRow(new_id(), game, side, "person" if is_person else who, hash_of(secret), not is_person)


def _taken(seat: SeatRow, is_taken: bool) -> SeatRow:
    return msgspec.structs.replace(seat, is_taken=seat.is_taken or is_taken)


def _made(
    ruleset: Ruleset, game: str, players: Sequence[str], seats: Sequence[SeatRow], secrets: Sequence[str]
) -> wire.Made:
    """What the maker is told, this once: the links of all seats that people take."""
    made = [
        wire.MadeSeat(
            seat.side,
            ruleset.sides[seat.side],
            who_sits(seat),
            seat.id if players[seat.side] == ME else "",
            link_of(secrets[seat.side]) if players[seat.side] in (ME, LINK) else "",
        )
        for seat in seats
        if seat.side != WATCHER
    ]
    return wire.Made(game, tuple(made), link_of(secrets[WATCHER]))


def link_of(secret: str) -> str:
    """The link of a seat. What stands in a fragment is sent to no server, and stands in no log and no referrer."""
    return f"/seat#{secret}"


async def make_rematch(hall: Hall, browser: str, row: SeatRow, room: Room) -> wire.Made:
    """The same game again with the sides changed. Raises Fault while the first goes on, or if only watched.

    Who asks second is told of the game that there is already.
    """
    if row.side == WATCHER:
        raise fault(FOREIGN, "You only watch", "Only who has played may ask for a rematch.")
    if room.course.outcome is None:
        raise fault(STALE, "The game goes on", "There can be a rematch when this game has ended.")
    game, old = room.glance.game, room.feed.seats
    who = [old[1 - side].who for side in (0, 1)]
    players = (_again(who[0], 1 - row.side == 0), _again(who[1], 1 - row.side == 1))
    new = wire.NewGame(players, game.ruleset, game.scenario, title=game.title, helps=game.helps)
    course = Course(room.ruleset, room.ruleset.new_game(game.scenario, game.options))
    keepers = await hall.store.read(
        lambda connection: [(who, 1 - seat.side) for seat in old[:WATCHER] for who in kept.keepers(connection, seat.id)]
    )
    try:
        return await seat_game(hall, browser, course, new, game.options, Rematch(game.id, keepers))
    except AlreadyThere:
        return await _told_again(hall, browser, game.id)


def _again(who: str, is_mine: bool) -> str:
    return who if who in BOTS else ME if is_mine else LINK


async def _told_again(hall: Hall, browser: str, game: str) -> wire.Made:
    """The rematch of a game, which was made already, without its secrets, which are told once."""
    there = await hall.store.read(lambda connection: kept.rematch_of(connection, game))
    assert there is not None
    room = await hall.room(there)
    mine = await hall.store.read(lambda connection: kept.seats_of(connection, browser))
    sides = room.ruleset.sides
    made = [
        wire.MadeSeat(seat.side, sides[seat.side], who_sits(seat), seat.id if seat.id in mine else "")
        for seat in room.feed.seats
        if seat.side != WATCHER
    ]
    return wire.Made(there, tuple(made), "")
