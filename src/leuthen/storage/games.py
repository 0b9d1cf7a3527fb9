"""What is asked and written of games: each a function of the rows, whatever keeps them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from leuthen.engine.ruleset import SIDES, SeatSide
from leuthen.storage.rows import (
    ActionRow,
    ChatRow,
    DiceKeyRow,
    GameRow,
    KeptGame,
    NotesRow,
    ProofRow,
    ProposalRow,
    Rows,
    SealRow,
    SeatRow,
    first,
)
from leuthen.storage.seats import seats_of
from leuthen.storage.thoughts import last_thought


def add_game(rows: Rows, game: GameRow, key: bytes, seats: Iterable[SeatRow], lines: Sequence[ActionRow]) -> None:
    """Keeps a new game with the key of its dice, its seats, and the lines of its record so far."""
    rows.add(game)
    rows.add(DiceKeyRow(game.id, key))
    rows.add(*seats)
    rows.add(*lines, game=game.id, at=game.made)


def put_away(rows: Rows, maker: str, scenario: str) -> None:
    """Ends the games of a browser whose scenario begins so."""
    for game in rows.find(GameRow, maker=maker, has_ended=False):
        if game.scenario.startswith(scenario):
            rows.change(GameRow, {"has_ended": True}, id=game.id)


def find_game(rows: Rows, game: str) -> KeptGame | None:
    """All of a game, or None."""
    found, key = first(rows, GameRow, id=game), first(rows, DiceKeyRow, game=game)
    if found is None or key is None:
        return None
    lines, proposals = rows.find(ActionRow, game=game), rows.find(ProposalRow, game=game)
    seal, proof = first(rows, SealRow, game=game), rows.find(ProofRow, game=game)
    seats = _seats(rows, (game,))
    return KeptGame(
        found,
        tuple(seats),
        tuple(lines),
        tuple(proposals),
        key.key,
        seal.signing if seal else b"",
        tuple(line.text for line in proof),
        {side: last_thought(rows, seats[side].id) for side in SIDES if seats[side].who == "person"},
    )


def _seats(rows: Rows, of: Collection[str]) -> list[SeatRow]:
    return sorted(rows.find(SeatRow, game=of), key=lambda seat: (seat.game, seat.side))


def games_of(rows: Rows, browser: str) -> list[tuple[GameRow, list[SeatRow]]]:
    """The games at which a browser sits or watches, with all their seats."""
    mine = {seat.game for seat in rows.find(SeatRow, id=seats_of(rows, browser))}
    around: dict[str, list[SeatRow]] = {game: [] for game in mine}
    for seat in _seats(rows, mine):
        around[seat.game].append(seat)
    return [(game, around[game.id]) for game in rows.find(GameRow, id=mine)]


def seats_asked(rows: Rows, players: Sequence[str]) -> list[SeatRow]:
    """The seats that one of these leads and for which a game against a person waits."""
    waiting = {game.id: game.waiting for game in rows.find(GameRow, has_ended=False) if game.waiting}
    led = rows.find(SeatRow, who=players, side=(0, 1))
    with_a_person = {seat.game for seat in rows.find(SeatRow, who="person", side=(0, 1))}
    return [seat for seat in led if waiting.get(seat.game, 0) >> seat.side & 1 and seat.game in with_a_person]


def rematch_of(rows: Rows, game: str) -> str | None:
    """The game that is the rematch of another."""
    found = first(rows, GameRow, before=game)
    return found.id if found else None


# --- games that can be checked ----------------------------------------------------------------------------------------


def add_seal(rows: Rows, game: str, signing: bytes, opening: Sequence[str]) -> None:
    """Makes a new game one that can be checked, whose proof begins with these lines."""
    rows.add(SealRow(game, signing))
    add_proof(rows, game, 0, opening)


def add_proof(rows: Rows, game: str, first: int, lines: Sequence[str]) -> None:
    """Adds lines to a proof, numbered from `first` on. Raises AlreadyThere if one of these numbers is taken."""
    rows.add(*(ProofRow(n, text) for n, text in enumerate(lines, first)), game=game)


def ends_of(rows: Rows, game: str) -> tuple[int, int]:
    """The numbers of the last line of a game's record and of its proof; -1 where there is none."""
    action, proof = rows.last(ActionRow, "number", game=game), rows.last(ProofRow, "number", game=game)
    return -1 if action is None else action.number, -1 if proof is None else proof.number


# --- notes and chat ---------------------------------------------------------------------------------------------------


def find_notes(rows: Rows, seat: str) -> str:
    """A seat's notes as they were kept, or ""."""
    found = first(rows, NotesRow, seat=seat)
    return found.papers if found else ""


def set_notes(rows: Rows, seat: str, text: str) -> None:
    """Keeps a seat's notes."""
    rows.remove(NotesRow, seat=seat)
    rows.add(NotesRow(text), seat=seat)


def add_chat(rows: Rows, game: str, side: SeatSide, at: str, text: str) -> ChatRow:
    """Keeps what was said, and gives it its number."""
    last = rows.last(ChatRow, "number", game=game)
    said = ChatRow(last.number + 1 if last else 1, side, at, text)
    rows.add(said, game=game)
    return said


def find_chat(rows: Rows, game: str) -> list[ChatRow]:
    """All that was said at a game."""
    return rows.find(ChatRow, game=game)
