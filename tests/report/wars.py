"""Wars for report tests: captains on both sides, with occasional random orders by Prussia."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.bots import make_player
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import SIDES, Answer, Look, Pending, Player
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import Record, parse, text_of
from leuthen.play.replay import Replay
from leuthen.play.table import Game, Step, Table, end_words, make_header
from leuthen.report.assemble import look, make_report
from leuthen.report.course import Course, course_of
from leuthen.report.sampling import SEED, Effort, Headquarters, Sampling, TrialResult, WorldTask
from leuthen.report.values import WarReport
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.search import Stream

PLACE: Final = Path("war.leuthen")
SMALL_SAMPLING: Final = Sampling("test", Effort(chance=2, first=1, more=2))


class War(NamedTuple):
    recorded: Record
    planted: frozenset[int]


class EnoughOrders(Exception):
    """Raised when a game has the requested number of orders."""


class MistakenPlayer:
    def __init__(self, player: Player, often: float, seed: int, most: int) -> None:
        self._player = player
        self._often = often
        self._left = most
        self._rng = Stream(seed)
        self.is_mistaken = False

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        self._left -= 1
        if self._left < 0:
            raise EnoughOrders
        answer = self._player.choose(look, legal, pending)
        if self._rng.random() >= self._often:
            self.is_mistaken = False
            return answer
        at_random: Action = legal.sample(self._rng)
        self.is_mistaken = at_random != answer
        return at_random


class WarRecord:
    def __init__(self, erring: MistakenPlayer) -> None:
        self.lines: list[tuple[str, str]] = []
        self.planted: set[int] = set()
        self._erring = erring

    def write(self, actor: str, text: str) -> None:
        self.lines.append((actor, text))

    def on_action(self, step: Step) -> None:
        if step.actor == 0 and self._erring.is_mistaken:
            self.planted.add(len(self.lines))

    def on_undo(self, step: Step) -> None:
        """Do nothing: these games have no takebacks."""

    def on_committed(self, steps: object) -> None:
        """Do nothing."""


def play_war(
    name: str, number: int, begun: tuple[str, Mapping[str, str]], often: float = 0.1, most: int = sys.maxsize
) -> War:
    ruleset: TableRuleset = load(name)
    key, (scenario, options) = Key.from_seed("report", number), begun
    seats = [make_player("captain", ruleset, side, SEED) for side in SIDES]
    erring = MistakenPlayer(seats[0], often, number, most)
    lines = WarRecord(erring)
    table = Table(ruleset, ruleset.new_game(scenario, options), record=lines, observers=[lines])
    try:
        Game(table, [erring, seats[1]], key.dice()).play()
    except EnoughOrders:
        table.resign(0)
    header = make_header(ruleset, scenario, options, ("human", "captain"), game="g1")
    record = text_of(header, lines.lines, end_words(table))
    return War(parse(PLACE, record.encode()), frozenset(lines.planted))


FREDERICK: Final = "frederick"


def rules(name: str = FREDERICK) -> TableRuleset:
    return load(name)


@cache
def recorded(name: str = FREDERICK) -> Record:
    if name == FREDERICK:
        return play_war(name, 23, ("campaign", {"last-year": "1756"})).recorded
    return play_war(name, 0, ("prague", {"hidden": "yes"}), often=0.15, most=45).recorded


@cache
def course(name: str = FREDERICK) -> Course:
    return course_of(rules(name), recorded(name))


@cache
def headquarters(name: str = FREDERICK) -> Headquarters:
    return Headquarters(rules(name))


@cache
def report(name: str = FREDERICK) -> WarReport:
    def work(tasks: Sequence[WorldTask]) -> Iterator[TrialResult]:
        return iter(look(name, rules(name).digest, list(tasks), SMALL_SAMPLING.seed))

    return make_report(rules(name), course(name), SMALL_SAMPLING, work, lambda stage, done, total: None)


def course_of_lines(*lines: tuple[str, str]) -> Course:
    ended = [*lines, ("prussia", "resign")]
    open_one = parse(PLACE, text_of(recorded().header, ended, "").encode())
    words = end_words(Replay(rules(), open_one).run())
    return course_of(rules(), parse(PLACE, text_of(recorded().header, ended, words).encode()))


def record_with_resignation(lines: int = 60) -> str:
    played = recorded()
    ended = [*((entry.actor, entry.text) for entry in played.entries[:lines]), ("prussia", "resign")]
    open_one = parse(PLACE, text_of(played.header, ended, "").encode())
    return text_of(played.header, ended, end_words(Replay(rules(), open_one).run()))
