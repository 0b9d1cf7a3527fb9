"""Import of records as games, to view them or to continue them.

A record can be crafted to be slow, so it is parsed in a process with a time limit. If all of its lines count, it is
then replayed once, here, in small steps; otherwise it is replayed in the process, and only the counting actions are
replayed here. The client can ask for the progress.
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
from leuthen.play.record import STANDING, TAKE_BACK, UNDO, Header, Record, RecordError, parse
from leuthen.play.replay import Replay, parse_outcome
from leuthen.school.lessons import expect_scenario
from leuthen.server.bots.processes import as_problem, expect_done
from leuthen.server.http.browser import get, known_browser, post, registry_of, routes_in
from leuthen.server.security.request_guard import Cost, HttpRequest
from leuthen.server.session import messages
from leuthen.server.session.create import ME, expect_players, seat_game
from leuthen.server.session.history import MAY, GameHistory, GameTransaction, RecordLine, mark_unplayable, replay_lines
from leuthen.server.session.limits import address_now
from leuthen.server.session.messages import Problem
from leuthen.server.session.problems import BAD, fault
from leuthen.server.session.registry import GameRegistry

MOST: Final = 20_000
"""Maximum number of actions that count."""
LONGEST: Final = 2000
"""Maximum length of a line that is replayed directly, as in `messages.Text`."""
LONGEST_TITLE: Final = 80
_NAME: Final = Path("the record")
_OWN_WORDS: Final = {UNDO, TAKE_BACK, STANDING}
"""Commands that are no actions, or that void other lines."""


class ParsedImport(msgspec.Struct, frozen=True):
    """A parsed record without undone and taken-back lines.

    If all lines count, `recorded` holds the record and `lines` is empty. `rest` are the lines that the installed rules
    refuse, `why` is the reason, and `outcome` the recorded result.
    """

    header: Header
    lines: tuple[RecordLine, ...] = ()
    recorded: Record | None = None
    why: str = ""
    rest: tuple[RecordLine, ...] = ()
    outcome: Outcome | None = None


@post("/api/import", cost=Cost("bringing"), media_type="application/json")
async def import_record(
    request: HttpRequest,
    first: FromQuery[messages.Name] = ME,
    second: FromQuery[messages.Name] = ME,
    key: FromQuery[str] = "",
) -> Response[messages.CreatedGame]:
    """Create a game from a record (text/plain). The players are given as for a new game; by default the caller leads
    both sides.

    With an invitation or a bot the game is sealed from there on: imported lines are bound but not proved. With `key`
    the client can ask for the progress.
    """
    registry, address = registry_of(request), address_now.get()
    expect_players((first, second))
    try:
        msgspec.convert(key or None, messages.Key | None)
    except msgspec.ValidationError as error:
        raise fault(BAD, "Not understood", f"key: {error}") from None
    with registry.bringing.place(address):
        brought = expect_done(await registry.bringing.do(address, parse_import, await request.body()))
        history = await _history_of(registry, address, key, brought)
    visitor, cookies = known_browser(request)
    header = brought.header
    title = history.ruleset.scenarios[header.scenario][:LONGEST_TITLE]
    new = messages.NewGame((first, second), header.ruleset, header.scenario, title=title, takebacks=header.takebacks)
    every = {name: values[0] for name, values in history.ruleset.options.items()}  # in the order of a new game's header
    options = dict(header.options) if history.unplayable else every | dict(header.options)
    made = await seat_game(registry, visitor, history, new, options)
    return Response(made, cookies=cookies)


@get("/api/import/{key:str}")
async def import_progress(request: HttpRequest, key: FromPath[str]) -> messages.ImportProgress:
    """Return the progress of the import started from this address with this key.

    It is 0 of 0 while the record is parsed, and for unknown imports.
    """
    return registry_of(request).imports.of(address_now.get(), key)


async def _history_of(registry: GameRegistry, address: str, key: str, brought: ParsedImport) -> GameHistory:
    header = brought.header
    ruleset = load_with(header.ruleset, header.data)
    history = GameHistory(ruleset, ruleset.new_game(header.scenario, header.options), header.takebacks)
    history.version, history.data = header.version, header.data
    if brought.recorded:
        total, steps = len(brought.recorded.entries), DirectReplay(history, brought.recorded).steps()
    else:
        total, steps = len(brought.lines), replay_lines(history, brought.lines)
    counted = registry.imports.track_steps(steps, total, address, key)
    with registry.replaying.place(address), closing(counted):
        await registry.replaying.run_in_slices(address, counted)
    if brought.why:
        mark_unplayable(history, brought.rest, brought.why, brought.outcome)
    return history


class DirectReplay(Replay):
    """A record whose lines all count: it is replayed and checked directly in the new game."""

    def __init__(self, history: GameHistory, recorded: Record) -> None:
        """Raise RecordError for a record of other rules or data."""
        super().__init__(history.ruleset, recorded)
        self._history = history

    def steps(self) -> Iterator[None]:
        """Carry out the lines one by one. Raise RecordError, which names the line."""
        for entry in self.recorded.entries:
            try:
                _carry_out(self._history, RecordLine(actor_named(self._history.ruleset, entry.actor), entry.text))
            except (Invalid, Illegal) as error:
                raise self._refusal_error(f'"{entry.text}": {error}', entry.line) from error
            yield
        self.table = self._history.table
        self._expect_end()


def parse_import(text: bytes) -> ParsedImport | Problem:
    """Parse a record in a worker process, and replay it if needed."""
    try:
        return read(text)
    except (Invalid, Illegal) as error:
        return as_problem(error)


def read(text: bytes) -> ParsedImport:
    """Parse a record. Raise RecordError, which names the line.

    A record with other data, or with a version whose line is not legal any more, is accepted up to there and becomes
    unplayable.
    """
    recorded = parse(_NAME, text)
    if recorded.torn:
        raise RecordError(_NAME, "its last line has no end", len(recorded.lines) + 1)
    expect_scenario(recorded)
    header = recorded.header
    replay = Replay(load_with(header.ruleset, header.data), recorded, as_far=True)
    if has_only_counting_lines(replay):
        return ParsedImport(header, recorded=recorded)
    try:
        replay.run()
    except RecordError:
        if not replay.incompatibility:
            raise
    lines = unaltered_lines(replay) or counting_lines(replay)
    rest = _rest(replay) if replay.incompatibility else ()
    why = f"This game cannot continue here: it {replay.incompatibility}. {MAY}" if replay.incompatibility else ""
    outcome = parse_outcome(replay.table.ruleset, recorded.end) if replay.incompatibility else None
    return ParsedImport(header, tuple(lines), why=why, rest=rest, outcome=outcome)


def has_only_counting_lines(replay: Replay) -> bool:
    """Return whether every line appears to be an action that counts, and none is slow to parse."""
    ruleset, recorded = replay.table.ruleset, replay.recorded
    entries, names = recorded.entries, (*ruleset.sides, "chance")
    return (
        not replay.incompatibility
        and recorded.header.version == ruleset.version
        and len(entries) <= MOST
        and all(
            entry.actor in names and len(entry.text) <= LONGEST and entry.text.partition(" ")[0] not in _OWN_WORDS
            for entry in entries
        )
    )


def unaltered_lines(replay: Replay) -> list[RecordLine]:
    """Return the lines if every action counts; none if anything was undone, taken back or refused. Raise
    RecordError."""
    recorded, ruleset = replay.recorded, replay.table.ruleset
    words = {entry.text.partition(" ")[0] for entry in recorded.entries}
    if replay.incompatibility or words & {UNDO, TAKE_BACK}:
        return []
    _expect_not_too_many(replay)
    said = (entry for entry in recorded.entries if not entry.text.startswith(f"{STANDING} "))
    return [RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in said]


def counting_lines(replay: Replay) -> list[RecordLine]:
    """Return the actions that count, with a resignation or agreement at the end. Raise RecordError."""
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
        raise RecordError(_NAME, f"it has more than {MOST} actions", len(replay.recorded.lines))


def _rest(replay: Replay) -> tuple[RecordLine, ...]:
    ruleset, rest = replay.table.ruleset, replay.recorded.entries[replay.done :]
    names = (*ruleset.sides, "chance")
    return tuple(RecordLine(actor_named(ruleset, entry.actor), entry.text) for entry in rest if entry.actor in names)


def _carry_out(history: GameHistory, line: RecordLine) -> None:
    transaction = GameTransaction(history)
    transaction.say(*line)
    history.accept(transaction)


ROUTES: Final = routes_in(globals())
