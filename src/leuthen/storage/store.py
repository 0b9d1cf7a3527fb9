"""The store: what is asked of the database and what is written, each in one function of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from leuthen.engine.refusal import Invalid
from leuthen.storage.folder import Place, hide_files, make_folder
from leuthen.storage.migrate import migrate
from leuthen.storage.rows import ActionRow, AnswerRow, ChatRow, GameRow, Kept, ProposalRow, SeatRow, Status
from leuthen.storage.schema import about, actions, answers, chat, devices, dice_keys, games, papers, proposals, seats
from leuthen.storage.sqlite import FILE, open_engine, translate
from leuthen.storage.writer import Work, Writer

T = TypeVar("T")
READERS: Final = 4
"""Threads that read. Nothing else is done in them, so that nothing slow keeps a reader waiting."""
_MARK: Final = "checked"


class Store:
    """A database in a folder. Reads go on beside the one writer."""

    def __init__(self, folder: Path) -> None:
        """Opens it or makes it; one of an older program is brought up to date. Raises Invalid if it cannot be."""
        try:
            make_folder(folder, FILE)
            migrate(folder)
            hide_files(folder, FILE)
        except OSError as error:
            raise Invalid(f"{folder}: cannot be written: {error.strerror}") from error
        except DBAPIError as error:
            raise Invalid(f"{folder / FILE}: {translate(error)}") from error
        except Invalid as error:
            raise Invalid(f"{folder / FILE}: {error}") from error
        self._writer = Writer(open_engine(folder, to_write=True), Place(folder / FILE))
        self._reading = open_engine(folder, to_write=False)
        self._readers = ThreadPoolExecutor(READERS, "leuthen reader")

    async def write(self, work: Work[T]) -> T:
        """Does the work in the next commit and gives its result once it is on disk. Raises StorageError."""
        return await self._writer.write(work)

    async def read(self, work: Work[T]) -> T:
        """Does the work in a thread that only reads the database. Raises StorageError."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def check(self, mark: str) -> bool:
        """Whether what is written now can be read again. Raises StorageError."""
        await self.write(lambda connection: set_mark(connection, mark))
        return await self.read(find_mark) == mark

    def _read(self, work: Work[T]) -> T:
        try:
            with self._reading.connect() as connection:
                return work(connection)
        except DBAPIError as error:
            raise translate(error) from error

    def close(self) -> None:
        """Writes what waits and closes the database."""
        self._writer.close()
        self._readers.shutdown(cancel_futures=True)
        self._reading.dispose()


# --- whether it works -------------------------------------------------------------------------------------------------


def set_mark(connection: Connection, mark: str) -> None:
    """Writes down a mark in place of the last one."""
    connection.execute(delete(about).where(about.c.name == _MARK))
    connection.execute(insert(about).values(name=_MARK, value=mark))


def find_mark(connection: Connection) -> str | None:
    """The mark that was written down last."""
    return connection.execute(select(about.c.value).where(about.c.name == _MARK)).scalar()


# --- games and seats --------------------------------------------------------------------------------------------------


def add_game(
    connection: Connection, game: GameRow, key: bytes, its_seats: Iterable[SeatRow], lines: Sequence[ActionRow]
) -> None:
    """Keeps a new game with the key of its dice, its seats, and the lines of its record so far."""
    plain = msgspec.structs.asdict(game)
    plain["options"] = msgspec.json.encode(dict(game.options)).decode()
    connection.execute(insert(games).values(plain))
    connection.execute(insert(dice_keys).values(game=game.id, key=key))
    connection.execute(insert(seats), [msgspec.structs.asdict(seat) for seat in its_seats])
    add_actions(connection, game.id, lines, game.made)


def open_games_of(connection: Connection, maker: str) -> int:
    """How many games of a browser have not ended."""
    query = select(func.count()).select_from(games).where(games.c.maker == maker, games.c.has_ended.is_(False))
    return int(connection.execute(query).scalar_one())


def find_game(connection: Connection, game: str) -> Kept | None:
    """All of a game, or None."""
    row = connection.execute(select(games).where(games.c.id == game)).mappings().first()
    if row is None:
        return None
    lines = select(actions.c.number, actions.c.actor, actions.c.text).where(actions.c.game == game)
    offers = select(proposals.c.side, proposals.c.kind, proposals.c.to).where(proposals.c.game == game)
    return Kept(
        _game(row),
        tuple(_seats(connection, [game])),
        tuple(ActionRow(*line) for line in connection.execute(lines.order_by(actions.c.number))),
        tuple(ProposalRow(*offer) for offer in connection.execute(offers)),
        connection.execute(select(dice_keys.c.key).where(dice_keys.c.game == game)).scalar_one(),
    )


def _game(row: RowMapping) -> GameRow:
    return GameRow(**{**row, "options": msgspec.json.decode(row["options"])})


def _seats(connection: Connection, of: Sequence[str]) -> list[SeatRow]:
    query = select(seats).where(seats.c.game.in_(of)).order_by(seats.c.game, seats.c.side)
    return [SeatRow(**row) for row in connection.execute(query).mappings()]


def games_of(connection: Connection, browser: str) -> list[tuple[GameRow, list[SeatRow]]]:
    """The games at which a browser sits or watches, with all their seats."""
    mine = select(seats.c.game).join(devices, devices.c.seat == seats.c.id)
    mine = mine.where(devices.c.lock == browser, devices.c.ended == "")
    found = [_game(row) for row in connection.execute(select(games).where(games.c.id.in_(mine))).mappings()]
    around: dict[str, list[SeatRow]] = {game.id: [] for game in found}
    for seat in _seats(connection, list(around)):
        around[seat.game].append(seat)
    return [(game, around[game.id]) for game in found]


def unfinished_with(connection: Connection, players: Sequence[str]) -> list[str]:
    """The games that go on and wait for a side that one of these leads."""
    query = select(games.c.id, games.c.waiting, seats.c.side).join(seats, seats.c.game == games.c.id)
    query = query.where(games.c.has_ended.is_(False), seats.c.who.in_(players), seats.c.side < 2)
    return sorted({game for game, waiting, side in connection.execute(query) if waiting >> side & 1})


def rematch_of(connection: Connection, game: str) -> str | None:
    """The game that is the rematch of another."""
    return connection.execute(select(games.c.id).where(games.c.before == game)).scalar()


# --- what happens in a game -------------------------------------------------------------------------------------------


def add_actions(connection: Connection, game: str, lines: Sequence[ActionRow], at: str) -> None:
    """Adds lines to a record. Raises AlreadyThere through the writer if one of these numbers is taken."""
    if lines:
        rows = [{"game": game, "number": n, "actor": actor, "text": text, "at": at} for n, actor, text in _plain(lines)]
        connection.execute(insert(actions), rows)


def _plain(lines: Sequence[ActionRow]) -> Iterable[tuple[Any, ...]]:
    return (msgspec.structs.astuple(line) for line in lines)


def add_answer(connection: Connection, seat: str, key: str, answer: AnswerRow) -> None:
    """What a request was answered. Raises AlreadyThere through the writer if it was answered before."""
    connection.execute(insert(answers).values(seat=seat, key=key, n=answer.n, request=answer.request))


def find_answer(connection: Connection, seat: str, key: str) -> AnswerRow | None:
    """What the request with that key was answered, or None."""
    query = select(answers.c.n, answers.c.request).where(answers.c.seat == seat, answers.c.key == key)
    row = connection.execute(query).first()
    return AnswerRow(*row) if row else None


def set_status(connection: Connection, game: str, status: Status) -> None:
    """What the list of games tells of a game."""
    connection.execute(update(games).where(games.c.id == game).values(msgspec.structs.asdict(status)))


def set_proposals(connection: Connection, game: str, offers: Iterable[ProposalRow]) -> None:
    """What the sides offer now."""
    connection.execute(delete(proposals).where(proposals.c.game == game))
    if rows := [{"game": game, **msgspec.structs.asdict(offer)} for offer in offers]:
        connection.execute(insert(proposals), rows)


# --- papers and chat --------------------------------------------------------------------------------------------------


def find_papers(connection: Connection, seat: str) -> str:
    """A seat's papers as they were kept, or ""."""
    return connection.execute(select(papers.c.papers).where(papers.c.seat == seat)).scalar() or ""


def set_papers(connection: Connection, seat: str, text: str) -> None:
    """Keeps a seat's papers."""
    connection.execute(delete(papers).where(papers.c.seat == seat))
    connection.execute(insert(papers).values(seat=seat, papers=text))


def add_chat(connection: Connection, game: str, side: int, at: str, text: str) -> ChatRow:
    """Keeps what was said, and gives it its number."""
    last = connection.execute(select(func.max(chat.c.number)).where(chat.c.game == game)).scalar() or 0
    connection.execute(insert(chat).values(game=game, number=last + 1, side=side, at=at, text=text))
    return ChatRow(last + 1, side, at, text)


def find_said(connection: Connection, game: str, number: int) -> ChatRow:
    """What was said with that number."""
    query = select(chat.c.number, chat.c.side, chat.c.at, chat.c.text)
    return ChatRow(*connection.execute(query.where(chat.c.game == game, chat.c.number == number)).one())


def find_chat(connection: Connection, game: str) -> list[ChatRow]:
    """All that was said at a game."""
    query = select(chat.c.number, chat.c.side, chat.c.at, chat.c.text).where(chat.c.game == game)
    return [ChatRow(*row) for row in connection.execute(query.order_by(chat.c.number))]
