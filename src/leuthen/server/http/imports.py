"""A record becomes a game again: to look at it, or to play on from where it broke off.

A record may be made so that it takes long to read. So it is read in a process that is ended then. Where all of it
counts, it is played once, here, in small steps; else it is played in that process, and the actions that count come back
and are played here. Whoever brings it in can ask how many of them were.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from litestar import Response
from litestar.params import FromPath, FromQuery

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Outcome, actor_named
from leuthen.load import load_with
from leuthen.play.record import STANDING, TAKE_BACK, UNDO, Header, Recorded, RecordError, parse
from leuthen.play.replay import Replay, outcome_from
from leuthen.school.lessons import expect_scenario
from leuthen.server.bots.processes import as_problem, expect_done
from leuthen.server.http.browser import get, known_browser, post, registry_of, routes_in, with_cookies
from leuthen.server.security.rate_limits import Cost
from leuthen.server.security.request_guard import Asked
from leuthen.server.session import messages
from leuthen.server.session.create import ME, expect_players, seat_game
from leuthen.server.session.history import MAY, GameHistory, GameTransaction, RecordLine, in_steps, strand
from leuthen.server.session.limits import address_now
from leuthen.server.session.messages import Problem
from leuthen.server.session.problems import BAD, fault
from leuthen.server.session.registry import GameRegistry

MOST: Final = 20_000
"""Actions of a record that count."""
LONGEST: Final = 2000
"""Letters of a line that is played in the server's own time at once, as `messages.Text` has them."""
LONGEST_TITLE: Final = 80
"""Letters of a game's title, as `messages.NewGame` has it."""
_NAME: Final = Path("the record")
_OWN_WORDS: Final = {UNDO, TAKE_BACK, STANDING}
"""Lines that are no actions, or by which others do not count."""


class Brought(msgspec.Struct, frozen=True):
    """What a record that was brought in is made of: what was undone or taken back is not told again.

    `recorded` is the whole record if all of it counts: then it was not played yet, and `lines` is empty. `rest` is what
    the rules that are here do not accept, `why` the reason, `outcome` how the game ended all the same.
    """

    header: Header
    lines: tuple[RecordLine, ...] = ()
    recorded: Recorded | None = None
    why: str = ""
    rest: tuple[RecordLine, ...] = ()
    outcome: Outcome | None = None


@post("/api/import", cost=Cost("bringing"), media_type="application/json")
async def import_record(
    request: Asked,
    first: FromQuery[messages.Name] = ME,
    second: FromQuery[messages.Name] = ME,
    key: FromQuery[str] = "",
) -> Response[messages.Made]:
    """Makes a game of a record (text/plain). Who plays on is said as for a new game; else who brings it, on both sides.

    With a link or a machine it is sealed from there on: what was brought in is bound and not proved. Under the key that
    it was given, whoever brings it can ask how far it has come.
    """
    registry, address = registry_of(request), address_now.get()
    expect_players((first, second))
    _expect_key(key)
    with registry.bringing.place(address):
        brought = expect_done(await registry.bringing.do(address, bring, await request.body()))
        history = await _history_of(registry, address, key, brought)
    visitor, cookies = known_browser(request)
    header = brought.header
    title = history.ruleset.scenarios[header.scenario][:LONGEST_TITLE]
    new = messages.NewGame((first, second), header.ruleset, header.scenario, title=title, takebacks=header.takebacks)
    every = {name: values[0] for name, values in history.ruleset.options.items()}  # in the order of a new game's header
    options = dict(header.options) if history.stranded else every | dict(header.options)
    made = await seat_game(registry, visitor, history, new, options)
    return with_cookies(made, cookies, 201)


@get("/api/import/{key:str}")
async def import_progress(request: Asked, key: FromPath[str]) -> messages.ImportProgress:
    """How far the record has come that is being brought in from the same address under that key.

    While it is read, and where there is none, 0 of 0.
    """
    return registry_of(request).imports.of(address_now.get(), key)


def _expect_key(key: str) -> None:
    try:
        msgspec.convert(key or None, messages.Key | None)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", f"key: {error}") from None


async def _history_of(registry: GameRegistry, address: str, key: str, brought: Brought) -> GameHistory:
    header = brought.header
    ruleset = load_with(header.ruleset, header.data)
    history = GameHistory(ruleset, ruleset.new_game(header.scenario, header.options), header.takebacks)
    history.version, history.data = header.version, header.data
    if brought.recorded:
        total, steps = len(brought.recorded.entries), Once(history, brought.recorded).steps()
    else:
        total, steps = len(brought.lines), in_steps(history, brought.lines)
    counted = registry.imports.through(steps, total, address, key)
    with registry.replaying.place(address), closing(counted):
        await registry.replaying.gently(address, counted)
    if brought.why:
        strand(history, brought.rest, brought.why, brought.outcome)
    return history


class Once(Replay):
    """A record in which every line counts on its way into a game: it is played, and checked, there alone."""

    def __init__(self, history: GameHistory, recorded: Recorded) -> None:
        """Raises RecordError for a record of other rules or data."""
        super().__init__(history.ruleset, recorded)
        self._history = history

    def steps(self) -> Iterator[None]:
        """Carries out one line after another, each as a step. Raises RecordError, naming the line."""
        for entry in self.recorded.entries:
            try:
                _carry_out(self._history, RecordLine(actor_named(self._history.ruleset, entry.actor), entry.text))
            except (Invalid, Illegal) as error:
                raise self._refused(f"«{entry.text}»: {error}", entry.line) from error
            yield
        self.table = self._history.table
        self._expect_end()


def bring(text: bytes) -> Brought | Problem:
    """Reads a record, and plays it if need be: the work of a process of its own."""
    try:
        return read(text)
    except (Invalid, Illegal) as error:
        return as_problem(error)


def read(text: bytes) -> Brought:
    """What a record is made of.

    A record of other data, or of a version of which a line is not legal any more, is brought in as far as it is
    accepted, and stranded there. Raises RecordError, naming the line.
    """
    recorded = parse(_NAME, text)
    if recorded.torn:
        raise RecordError(_NAME, "its last line has no end", len(recorded.lines) + 1)
    expect_scenario(recorded)
    header = recorded.header
    replay = Replay(load_with(header.ruleset, header.data), recorded, as_far=True)
    if all_counts(replay):
        return Brought(header, recorded=recorded)
    try:
        replay.run()
    except RecordError:
        if not replay.foreign:
            raise
    lines = as_written(replay) or that_count(replay)
    rest = _rest(replay) if replay.foreign else ()
    why = f"This game cannot go on here: it {replay.foreign}. {MAY}" if replay.foreign else ""
    outcome = outcome_from(replay.table.ruleset, recorded.end) if replay.foreign else None
    return Brought(header, tuple(lines), why=why, rest=rest, outcome=outcome)


def all_counts(replay: Replay) -> bool:
    """Whether every line of a record is an action that counts, as far as its words tell, and none is long to read."""
    ruleset, recorded = replay.table.ruleset, replay.recorded
    entries, names = recorded.entries, (*ruleset.sides, "chance")
    return (
        not replay.foreign
        and recorded.header.version == ruleset.version
        and len(entries) <= MOST
        and all(
            entry.actor in names and len(entry.text) <= LONGEST and entry.text.partition(" ")[0] not in _OWN_WORDS
            for entry in entries
        )
    )


def as_written(replay: Replay) -> list[RecordLine]:
    """The lines of a record in which every action counts: nothing of them has to be played again to be found.

    None of them if something was undone or taken back, or if not all of the record was accepted. Raises
    RecordError.
    """
    recorded, ruleset = replay.recorded, replay.table.ruleset
    words = {entry.text.partition(" ")[0] for entry in recorded.entries}
    if replay.foreign or words & {UNDO, TAKE_BACK}:
        return []
    _expect_not_too_many(replay)
    said = (entry for entry in recorded.entries if not entry.text.startswith(f"{STANDING} "))
    return [RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in said]


def that_count(replay: Replay) -> list[RecordLine]:
    """The actions that count, and how the players ended the game. Raises RecordError."""
    recorded, table = replay.recorded, replay.table
    _expect_not_too_many(replay)
    history = GameHistory(table.ruleset, table.first, recorded.header.takebacks)
    for done in table.log:
        _carry_out(
            history, RecordLine(done.actor, table.ruleset.format_action(history.table.state, done.actor, done.action))
        )
    if table.outcome != history.outcome:
        last = recorded.entries[-1]
        _carry_out(history, RecordLine(actor_named(table.ruleset, last.actor), last.text))
    return list(history.record)


def _expect_not_too_many(replay: Replay) -> None:
    if len(replay.table.log) > MOST:
        raise RecordError(_NAME, f"more than {MOST} actions of it count", len(replay.recorded.lines))


def _rest(replay: Replay) -> tuple[RecordLine, ...]:
    """What the rules that are here do not accept stays in the record as it is."""
    ruleset, rest = replay.table.ruleset, replay.recorded.entries[replay.done :]
    names = (*ruleset.sides, "chance")
    return tuple(RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in rest if entry.actor in names)


def _carry_out(history: GameHistory, line: RecordLine) -> None:
    transaction = GameTransaction(history)
    transaction.say(*line)
    history.accept(transaction)


ROUTES: Final = routes_in(globals())
