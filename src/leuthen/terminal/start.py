"""Start, resume and replay of games at a terminal, and the secret key of its dice.

The key is created once in the user's own folder. That of a game is derived from it and the id in the game's record. A
record that is resumed, or copied and resumed, therefore rolls the same dice at the same places, and holds no key.
"""

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Final

from leuthen.bots import BOTS, GuardedBot, expect_player, is_own, make_player
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid, require
from leuthen.engine.ruleset import EVERYTHING, SIDES, VIEWERS, WATCHER, Outcome, Player, Side, ViewerId, actor_named
from leuthen.folders import user_folder
from leuthen.load import has_value, is_known
from leuthen.play.dice import KEY_BYTES, Key
from leuthen.play.record import TAKEBACKS, Record, RecordError, Writer, read
from leuthen.play.replay import Replay, can_read, describe_line, describe_outcome
from leuthen.play.table import Game, Step, Table, make_header
from leuthen.screen.presenter import TableRuleset
from leuthen.terminal.hotseat import Hotseat, ViewerLogs, get_keyboard, story_lines
from leuthen.terminal.page import get_page
from leuthen.terminal.person import Person
from leuthen.ticking import ticking

HUMAN: Final = "human"
SUFFIX: Final = ".leuthen"
_UNSAFE: Final = re.compile(r"[^\w.-]")
"""Characters that are not allowed in file names everywhere, such as the colon of module:Class."""


def play(
    ruleset: TableRuleset,
    scenario: str,
    options: Mapping[str, str],
    seats: Sequence[str],
    seed: str | None,
    path: Path | None,
    takebacks: str,
    patience: float,
) -> None:
    """Play a new game; `seed` fixes the dice, `path` is the file, and a bot has `patience` seconds for a decision.

    Raises Invalid for an unknown scenario, option or player, RecordError for the file.
    """
    _expect_players(seats)
    state = ruleset.new_game(scenario, options)
    game = new_game_id(seed)
    header = make_header(ruleset, scenario, options, seats, game=game, takebacks=takebacks)
    key = key_of(game, seed)
    with Writer.create(path or _new_path(scenario, seats), header) as record:
        _run(Table(ruleset, state, record=record, takebacks=takebacks), seats, key, None, patience)


def resume(
    ruleset: TableRuleset, recorded: Record, seats: Sequence[str | None], seed: str | None, patience: float
) -> None:
    """Continue a recorded game. `seats` replace those of the record where they are not None.

    The dice are the same as if it had never stopped. Raises RecordError for a record that cannot be continued, Invalid
    for the seed of other dice.
    """
    before = [recorded.header.seats.get(side, HUMAN) for side in ruleset.sides]
    chosen = [new or old for new, old in zip(seats, before, strict=True)]
    for new, old in zip(seats, before, strict=True):
        own = f"one side was played by {old}: name its player again (the same one only if you trust it)"
        require(new or not is_own(old), own)
    _expect_players(chosen)
    key = resume_key(recorded, seed)
    replay, logs = Replay(ruleset, recorded), ViewerLogs(ruleset)
    replay.table.observers.append(logs)
    table = replay.run()
    for viewer in VIEWERS:
        logs.news(viewer)  # which was read before
    with Writer.append(recorded) as record:
        table.record = record
        if recorded.notice:
            print(recorded.notice, file=sys.stderr)
        _run(table, chosen, key, logs, patience)


def newest_unfinished() -> Record:
    """Return the newest unfinished record in the folder of games. Raises Invalid if there is none."""
    folder = games_folder()
    paths = folder.glob(f"*{SUFFIX}") if folder.is_dir() else ()
    for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True):
        try:
            recorded = read(path)
        except RecordError as error:
            print(f"skipped: {error}", file=sys.stderr)
            continue
        if not recorded.end:
            return recorded
    raise Invalid(f"no unfinished game in {folder}")


def games_folder() -> Path:
    return user_folder() / "games"


def _new_path(scenario: str, seats: Sequence[str]) -> Path:
    stem = _UNSAFE.sub("-", f"{scenario}_{date.today().isoformat()}_{'-'.join(seats)}")
    paths = (games_folder() / f"{stem}_{number}{SUFFIX}" for number in count(1))
    return next(path for path in paths if not path.exists())


def _expect_players(seats: Sequence[str]) -> None:
    for who in seats:
        if is_own(who):
            expect_player(who)
        else:
            known = (HUMAN, *BOTS)
            require(who in known, f'unknown player "{who}": choose {", ".join(known)}, or module:Class of your own')


def _run(table: Table, who: Sequence[str], key: Key, logs: ViewerLogs | None, patience: float) -> None:
    people = [side for side in SIDES if who[side] == HUMAN]
    hotseat = Hotseat(table, get_keyboard(), get_page(), people, logs)
    with ticking(patience):
        seats = [_seat(hotseat, key, side, who[side]) for side in SIDES]
    players = ", ".join(f"{hotseat.title(side)}: {who[side]}" for side in SIDES)
    hotseat.page.say(f"{players}{'. Type `help` for a list of commands' if people else ''}.", "dim")
    if people:
        hotseat.page.say(f"Takebacks: {TAKEBACKS[table.takebacks]}.", "dim")
    else:
        table.observers.append(Commentary(hotseat))
    outcome = None
    try:
        with suppress(KeyboardInterrupt), ticking(patience):
            outcome = Game(table, seats, key.dice(), handover=hotseat.hand_over).play()
    finally:
        _part(hotseat, outcome)


def _seat(hotseat: Hotseat, key: Key, side: Side, name: str) -> Player:
    if name == HUMAN:
        return Person(hotseat, side)
    ruleset = hotseat.table.ruleset
    return GuardedBot(name, lambda: make_player(name, ruleset, side, key.bot_seed(ruleset.sides[side])))


def _part(hotseat: Hotseat, outcome: Outcome | None) -> None:
    for side in hotseat.people if outcome else ():
        hotseat.page.print_lines(hotseat.logs.news(side))
    if outcome:
        hotseat.page.say(describe_outcome(hotseat.table.ruleset, outcome), "bold")
        hotseat.page.print_lines(story_lines(hotseat.table))
    if isinstance(hotseat.table.record, Writer):
        path, name, way = hotseat.table.record.path, hotseat.table.ruleset.name, "replay" if outcome else "resume"
        quoted = shlex.quote(str(path))
        hotseat.page.say(f"Saved in {path}. {way.capitalize()} it with: leuthen {way} {quoted}", "dim")
        if outcome and is_known(name) and has_value(name):
            hotseat.page.say(f"Get the staff report with: leuthen report {quoted}", "dim")


class Commentary:
    """An observer that prints a game of two bots, without the events that its rule set calls small."""

    def __init__(self, hotseat: Hotseat) -> None:
        self._hotseat = hotseat

    def on_action(self, step: Step) -> None:
        """Drafts are not printed."""

    def on_undo(self, step: Step) -> None:
        """Drafts were not printed."""

    def on_committed(self, steps: Sequence[Step]) -> None:
        """Print everything: without human players there are no secrets."""
        present_event = self._hotseat.table.ruleset.presenter.present_event
        entries = (present_event(event) for step in steps for event in step.transition.events(EVERYTHING))
        self._hotseat.page.print_lines(entry.sentence for entry in entries if not entry.is_small)


def render(ruleset: TableRuleset, recorded: Record, viewer: ViewerId | None) -> None:
    """Replay a record and print what a viewer may know: by default all of a finished game, else what both sides
    know."""
    seen_by = viewer if viewer is not None else EVERYTHING if recorded.end else WATCHER
    replay = Replay(ruleset, recorded, as_far=True)
    hotseat = Hotseat(replay.table, get_keyboard(), get_page(), ())
    if replay.incompatibility:
        hotseat.page.say(
            f"{recorded.path}: {replay.incompatibility}. Shown up to the first line that these rules refuse.", "bold"
        )
    refused: RecordError | None = None
    try:
        for entry in replay:
            if lines := hotseat.logs.news(seen_by):
                hotseat.page.say(f"{entry.number:>5}", "dim")
                hotseat.page.print_lines(f"      {line}" for line in lines)
    except RecordError as error:
        if not replay.incompatibility:
            raise
        refused = error
    replay.table.commit()
    hotseat.page.print_lines(f"      {line}" for line in hotseat.logs.news(seen_by))
    if refused is None:
        outcome = replay.table.outcome
        hotseat.page.say(describe_outcome(ruleset, outcome) if outcome else "The game continues.", "bold")
        return
    hotseat.page.say(f"{refused}. The rest is shown as written in the record.", "bold")
    for entry in recorded.entries[replay.done :]:
        is_actor = entry.actor in (*ruleset.sides, "chance")
        if is_actor and can_read(seen_by, actor_named(ruleset, entry.actor), entry.text):
            hotseat.page.say(f"{entry.number:>5} {describe_line(entry.actor, entry.text)}")
    hotseat.page.say(f"The end: {recorded.end}." if recorded.end else "The game has not ended.", "bold")


def verify(ruleset: TableRuleset, recorded: Record) -> str:
    """Replay a record and return a summary. Raises RecordError, naming the line."""
    replay = Replay(ruleset, recorded, as_far=True)
    table = replay.run()
    state = "has ended" if recorded.end else "goes on"
    other = f"; it {replay.incompatibility}, and these rules accept all of it" if replay.incompatibility else ""
    digest = digest_of(ruleset, table.state)
    return f"{recorded.path}: {len(recorded.entries)} actions, the game {state}, digest {digest}{other}"


# --- the dice ---------------------------------------------------------------------------------------------------------


FILE: Final = "dice.key"
_SEEDED: Final = "seed-"  # the prefix of a game id whose dice come from a seed


def new_game_id(seed: str | None) -> str:
    """Return the id of a new game; with a seed it is derived from the seed, so that the seed can be checked later."""
    return Key.fresh().game_id() if seed is None else f"{_SEEDED}{Key.from_seed(seed).game_id()}"


def key_of(game: str, seed: str | None) -> Key:
    """Return the dice key of a new game. Raises Invalid if the folder cannot be used."""
    return own_key().for_game(game) if seed is None else Key.from_seed(seed)


def resume_key(recorded: Record, seed: str | None) -> Key:
    """Return the dice key for resuming a record. Raises Invalid unless the seed is that of the record."""
    game = recorded.header.game
    is_seeded = game.startswith(_SEEDED)
    require(seed is not None or not is_seeded, "this game was started with --seed: resume it with the same --seed")
    other = "this game does not use the dice of that seed" + ("" if is_seeded else "; leave it out")
    require(seed is None or game == new_game_id(seed), other)
    return key_of(game, seed)


def own_key() -> Key:
    """Return the key of this user, creating it if needed. Raises Invalid."""
    path = user_folder() / FILE
    try:
        if not path.exists():
            _make(path)
        secret = path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path}: cannot use the dice key: {error.strerror}") from error
    reason = f"{path}: the dice key is damaged; if you delete it, unfinished games continue with other dice"
    require(len(secret) == KEY_BYTES, reason)
    return Key(secret)


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{FILE}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(Key.fresh().secret)
            file.flush()
            os.fsync(file.fileno())
        if not path.exists():
            os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)
