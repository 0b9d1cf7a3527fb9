"""Makes the records of this version of the rules that are not there yet: `python -m tests.records.make`.

What is there is never written again: a record is what was played then. The seed of each game is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from leuthen.bots import make_bot
from leuthen.engine.choice import LegalSet
from leuthen.engine.codec import digest_of
from leuthen.engine.ruleset import SIDES, ActorId, Pending, Side
from leuthen.engine.seat import Answer, LeaveGame, Look, Player
from leuthen.load import load, load_with
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, end_words, header_of
from tests.records.plans import PLANS, Event, Plan

HERE = Path(__file__).parent
OUTCOMES: Final = "outcomes.txt"
STEPS_BACK: Final = 12
"""Actions that a granted takeback takes away."""
HEAD: Final = """# Records that are kept for ever

Each folder holds the games of one version of a rule set, played by that version, the table below says which. A record
that is here is never made again, for it is what was played then. `outcomes.txt` has, for each, the digest of its file,
its actions, and the digest of the position to which that version came.

`make records` plays the games that the present version has no record of yet (`make.py`, by the plans in `plans.py`).
`server/` holds databases of servers as each version left them, and the secrets of their seats (`makeserver.py`).

"""


class Patient:
    """A player who lets go of the game when something else is to be done at the table."""

    def __init__(self, seat: Player, is_time: Callable[[ActorId], bool]) -> None:
        self._seat = seat
        self._is_time = is_time

    def choose(self, look: Look, legal: LegalSet[Any], pending: Pending) -> Answer:
        return LeaveGame() if self._is_time(pending.actor) else self._seat.choose(look, legal, pending)


class Evening:
    """A game of the corpus as it is being played."""

    def __init__(self, ruleset: str, plan: Plan, record: Path) -> None:
        self.ruleset = load(ruleset)
        self.plan = plan
        header = header_of(self.ruleset, plan.scenario, plan.options, plan.players)
        writer = Writer.create(record, header, durable=False)
        self.table = Table(self.ruleset, self.ruleset.new_game(plan.scenario, plan.options), record=writer)
        self._waiting: Event | None = None
        key = Key.from_seed("records", ruleset, plan.name)
        seats = [
            make_bot(who, ruleset, side, key.thinking(str(side))) for side, who in zip(SIDES, plan.players, strict=True)
        ]
        self._game = Game(self.table, [Patient(seat, self._is_time) for seat in seats], key.dice())

    def _is_time(self, side: ActorId) -> bool:
        table, event = self.table, self._waiting
        if event is None:
            return bool(self.plan.cut) and table.actions >= self.plan.cut
        is_able = event.deed != "undo" or (side == event.side and table.can_undo(side))
        return table.actions >= event.after and is_able

    def play(self) -> None:
        """Plays until the game ends or breaks off."""
        for event in self.plan.events:
            self._waiting = event
            if self._game.play() is not None:
                raise RuntimeError(f"{self.plan.name}: the game ended before {event}; let it come earlier")
            self._do(event)
        self._waiting = None
        if self.table.outcome is None:
            self._game.play()
        elif isinstance(self.table.record, Writer):
            self.table.record.end(end_words(self.table))

    def _do(self, event: Event) -> None:
        table = self.table
        deeds: Mapping[str, Callable[[], object]] = {
            "undo": lambda: table.undo(event.side),
            "take-back": lambda: table.take_back(event.side, len(table.log) - STEPS_BACK),
            "resign": lambda: table.resign(event.side),
            "agree-draw": lambda: table.agree(event.side),
            "standing": lambda: self._instruct(event.side, event.words),
        }
        deeds[event.deed]()

    def _instruct(self, side: Side, words: str) -> None:
        table = self.table
        table.instruct(side, words if words == "off" else table.words_for(side, words.split("; ")))


def folder_of(ruleset: str, version: str) -> Path:
    """Where the records of a version of the rules stand."""
    return HERE / ruleset / version


class Kept(NamedTuple):
    """A line of `outcomes.txt`: a record, the digest of its file, its actions, the digest of its last position."""

    name: str
    file: str
    actions: int
    position: str


def outcome_of(record: Path) -> Kept:
    """What a record comes to by the rules that are here. Raises RecordError."""
    recorded = read(record)
    table = Replay(load_with(recorded.header.ruleset, recorded.header.data), recorded).run()
    digest = digest_of(table.ruleset, table.state)
    return Kept(record.stem, digest_of_file(record), len(recorded.entries), digest)


def digest_of_file(record: Path) -> str:
    """Of its bytes."""
    return blake2b(record.read_bytes(), digest_size=8).hexdigest()


def kept_outcomes(folder: Path) -> dict[str, Kept]:
    """What the records of a folder came to when they were made, by name."""
    path = folder / OUTCOMES
    rows = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return {name: Kept(name, file, int(actions), position) for name, file, actions, position in rows}


def make(rulesets: Sequence[str] = tuple(PLANS)) -> None:
    """Plays those games of the corpus that this version of the rules has no record of."""
    for ruleset in rulesets:
        folder = folder_of(ruleset, load(ruleset).version)
        kept = kept_outcomes(folder)
        for plan in PLANS[ruleset]:
            path = folder / f"{plan.name}.leuthen"
            if not path.exists():
                Evening(ruleset, plan, path).play()
                print(f"{path.relative_to(HERE)}: seed «records {ruleset} {plan.name}», {plan.covers}")
            if plan.name not in kept:
                kept[plan.name] = outcome_of(path)
        rows = (" ".join(map(str, kept[name])) for name in sorted(kept))
        (folder / OUTCOMES).write_text("".join(f"{row}\n" for row in rows))
    (HERE / "README.md").write_text(readme())


def readme() -> str:
    """The page about the corpus: what each of its games covers."""
    tables = (
        f"## {ruleset}\n\n| Record | What it covers |\n|---|---|\n{_rows(plans)}" for ruleset, plans in PLANS.items()
    )
    return HEAD + "\n".join(tables)


def _rows(plans: Sequence[Plan]) -> str:
    return "".join(f"| {plan.name} | {plan.covers} |\n" for plan in plans)


if __name__ == "__main__":
    make()
