"""Whole games with the laws enabled: settings by seed, and results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, SIDES, ActorId, Pending, Side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.record import Writer
from leuthen.play.table import Table, make_header
from tests.laws.course import Turn, first_broken_law
from tests.laws.games import draw

Log: TypeAlias = list[tuple[ActorId, Action]]
Answer: TypeAlias = Callable[[Any, Pending], Action]
LIMIT = 60_000
DEFAULT_SHARE = 0.6
CAMPAIGN_OPTIONS = ("last-year", "austrian-points")
RANDOM_SHARE = 0.25


class Plan(NamedTuple):
    ruleset: str
    seed: int
    scenario: str
    options: Mapping[str, str]
    players: tuple[str, str]


class Course(NamedTuple):
    plan: Plan
    actions: int
    outcome: str
    fault: str = ""
    line: str = ""
    log: Sequence[tuple[ActorId, Action]] = ()


def make_plan(ruleset: str, level: str, seed: int, *, short: bool = False) -> Plan:
    game, rng = load(ruleset), Random(f"{ruleset} {level} {seed}")
    long = () if not short else ("from-",) if ruleset == "frederick" else ("from-", "campaign")
    scenario = rng.choice([name for name in game.scenarios if not name.startswith(long)])
    options = {
        name: values[0] if rng.random() < DEFAULT_SHARE else rng.choice(values) for name, values in game.options.items()
    }
    if scenario != "campaign":
        options |= {name: values[0] for name, values in game.options.items() if name in CAMPAIGN_OPTIONS}
    elif short and "last-year" in options:
        options["last-year"] = "1757"
    return Plan(ruleset, seed, scenario, options, _players(level, rng))


def _players(level: str, rng: Random) -> tuple[str, str]:
    if level == "random":
        return ("random", "random") if rng.random() < RANDOM_SHARE else ("eager", "eager")
    pair = ["captain", "random" if rng.random() < RANDOM_SHARE else "captain"]
    rng.shuffle(pair)
    return pair[0], pair[1]


def turns(plan: Plan, log: Log) -> Iterator[Turn]:
    game, key = load(plan.ruleset), Key.from_seed("prove", plan.ruleset, plan.seed)
    dice, rng = key.dice(), Random(key.bot_seed("order"))
    answers = [_make_answers(game, player, side, key) for side, player in zip(SIDES, plan.players, strict=True)]
    state = game.new_game(plan.scenario, plan.options)
    yield Turn(game, state, -1, None, (), state)
    while asked := game.pending(state):
        one = rng.choice(asked)
        action = dice.pick(game.chances(state)) if one.actor == CHANCE else answers[one.actor](state, one)
        log.append((one.actor, action))
        step = game.apply(state, one.actor, action)
        yield Turn(game, state, one.actor, action, step.facts, step.state)
        state = step.state


def _make_answers(game: Any, player: str, side: Side, key: Key) -> Answer:
    seed = key.bot_seed(game.sides[side])
    if player != "captain":
        rng = Random(seed)
        return lambda state, pending: draw(game, state, side, rng, player == "eager")
    seat = make_bot(player, game.name, side, seed)

    def answer(state: Any, pending: Pending) -> Action:
        found = seat.choose(lambda: game.view(state, side), game.legal_actions(state, side), pending)
        assert isinstance(found, Action)
        return found

    return answer


def play(plan: Plan) -> Course:
    game, log, fault, outcome = load(plan.ruleset), Log(), "", None
    try:
        for number, turn in enumerate(turns(plan, log)):
            fault = first_broken_law(turn, number)
            if fault or number > LIMIT:
                break
            outcome = game.outcome(turn.after)
    except Exception as error:  # an aborted game is the fault to find
        fault = f"the program breaks off with {type(error).__name__}: {error}"
    if not fault and outcome is None:
        fault = f"after {LIMIT} actions the game has not ended"
    line = _last_line(plan, log) if fault and log else ""
    return Course(plan, len(log), outcome.how if outcome is not None else "", fault, line, log if fault else ())


def _last_line(plan: Plan, log: Sequence[tuple[ActorId, Action]]) -> str:
    game = load(plan.ruleset)
    state = game.new_game(plan.scenario, plan.options)
    for actor, action in log[:-1]:
        state = game.apply(state, actor, action).state
    actor, action = log[-1]
    return f"{(*game.sides, 'chance')[actor]} {game.format_action(state, actor, action)}"


def keep_record(path: Path, course: Course) -> None:
    plan, game = course.plan, load(course.plan.ruleset)
    path.unlink(missing_ok=True)
    header = make_header(game, plan.scenario, plan.options, plan.players, game="g1")
    with Writer.create(path, header, durable=False) as record:
        table = Table(game, game.new_game(plan.scenario, plan.options), record=record)
        for actor, action in course.log[:-1] if "breaks off" in course.fault else course.log:
            table.act(actor, action)
        table.commit()
