"""A record becomes a game again: to look at it, or to play on from where it broke off.

A record may be made so that it takes long to read. So it is read and played in a process that is ended then, and only
the actions that count come back; these are played here, in small steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from litestar import Response, post

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Outcome
from leuthen.load import load_with
from leuthen.play.record import RecordError, parse
from leuthen.play.replay import Replay
from leuthen.play.table import outcome_from
from leuthen.play.transaction import Line
from leuthen.server.bots.looking import expect_done, told
from leuthen.server.http.browser import Routes, known_browser, registry_of, with_cookies
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import answers, requests
from leuthen.server.session.addresses import address_now
from leuthen.server.session.answers import Problem
from leuthen.server.session.create import ME, seat_game
from leuthen.server.session.history import GameHistory
from leuthen.server.session.registry import GameRegistry
from leuthen.server.session.stranded import MAY, in_steps, strand
from leuthen.server.session.transaction import GameTransaction

MOST: Final = 20_000
"""Actions of a record that count."""
_NAME: Final = Path("the record")


class Brought(msgspec.Struct, frozen=True):
    """What a record that was brought in is made of: what was undone or taken back is not told again.

    `rest` is what the rules that are here do not accept, `why` the reason, `outcome` how the game ended all the same.
    """

    ruleset: str
    version: str
    data: str
    scenario: str
    options: Mapping[str, str]
    takebacks: str
    lines: tuple[Line, ...]
    why: str = ""
    rest: tuple[Line, ...] = ()
    outcome: Outcome | None = None


@post("/api/import", media_type="application/json")
async def take_in(request: Asked) -> Response[answers.Made]:
    """Makes a game of a record (text/plain). Whoever brings it sits on both sides."""
    registry, address = registry_of(request), address_now.get()
    with registry.bringing.place(address):
        brought = expect_done(await registry.bringing.do(address, bring, await request.body()))
        history = await _history_of(registry, address, brought)
    visitor, cookies = known_browser(request)
    title, takebacks = "A game brought in", brought.takebacks
    new = requests.NewGame((ME, ME), brought.ruleset, brought.scenario, title=title, takebacks=takebacks)
    made = await seat_game(registry, visitor, history, new, dict(brought.options))
    return with_cookies(made, cookies, 201)


async def _history_of(registry: GameRegistry, address: str, brought: Brought) -> GameHistory:
    ruleset = load_with(brought.ruleset, brought.data)
    history = GameHistory(ruleset, ruleset.new_game(brought.scenario, brought.options), brought.takebacks)
    history.version, history.data = brought.version, brought.data
    with registry.replaying.place(address):
        await registry.replaying.gently(address, in_steps(history, brought.lines))
    if brought.why:
        strand(history, brought.rest, brought.why, brought.outcome)
    return history


def bring(text: bytes) -> Brought | Problem:
    """Reads and plays a record: the work of a process of its own."""
    try:
        return read(text)
    except (Invalid, Illegal) as error:
        return told(error)


def read(text: bytes) -> Brought:
    """What a record is made of.

    A record of other rules or data is brought in as far as it is accepted, and stranded there. Raises RecordError,
    naming the line.
    """
    recorded = parse(_NAME, text)
    if recorded.torn:
        raise RecordError(_NAME, "its last line has no end", len(recorded.lines) + 1)
    header = recorded.header
    replay = Replay(load_with(header.ruleset, header.data), recorded, as_far=True)
    try:
        replay.run()
    except RecordError:
        if not replay.foreign:
            raise
    history = _that_count(replay)
    rest = _rest(replay) if replay.foreign else ()
    why = f"This game cannot go on here: it {replay.foreign}. {MAY}" if replay.foreign else ""
    return Brought(
        ruleset=header.ruleset,
        version=header.version,
        data=header.data,
        scenario=header.scenario,
        options=dict(header.options),
        takebacks=header.takebacks,
        lines=tuple(history.record),
        why=why,
        rest=rest,
        outcome=outcome_from(history.ruleset, recorded.end) if replay.foreign else None,
    )


def _that_count(replay: Replay) -> GameHistory:
    """The course of the actions that count, and of how the players ended the game. Raises RecordError."""
    recorded, table = replay.recorded, replay.table
    if len(table.log) > MOST:
        raise RecordError(_NAME, f"more than {MOST} actions of it count", len(recorded.lines))
    history = GameHistory(table.ruleset, table.first, recorded.header.takebacks)
    for done in table.log:
        _carry_out(history, Line(done.actor, table.ruleset.format_action(history.table.state, done.actor, done.action)))
    if table.outcome != history.outcome:
        last = recorded.entries[-1]
        _carry_out(history, Line(table.ruleset.sides.index(last.actor), last.text))
    return history


def _rest(replay: Replay) -> tuple[Line, ...]:
    """What the rules that are here do not accept stays in the record as it is."""
    recorded, names = replay.recorded, (*replay.table.ruleset.sides, "chance")
    return tuple(Line(names.index(e.actor), e.text) for e in recorded.entries[replay.done :] if e.actor in names)


def _carry_out(history: GameHistory, line: Line) -> None:
    transaction = GameTransaction(history)
    transaction.say(*line)
    history.accept(transaction)


ROUTES: Final[Routes] = [take_in]
