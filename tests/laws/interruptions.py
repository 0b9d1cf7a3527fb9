"""Laws for a power that leaves, joins or changes sides in the middle of each kind of decision."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from leuthen.cases.run import open_cases, run_case
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import NOBODY, as_side
from leuthen.engine.ruleset_base import run_sequence
from leuthen.load import load
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, FRANCE, HANOVER, SWEDEN
from leuthen.rulesets.campaigns.model.data import RUSSIA as RUSSIA_OF_CAMPAIGNS
from leuthen.rulesets.campaigns.model.pieces import AT_WAR, NEUTRAL
from leuthen.rulesets.campaigns.rules.r17_campaign import conquer, enter_war, leave_war
from leuthen.rulesets.frederick.model.data import ALL_POWERS, RUSSIA
from leuthen.rulesets.frederick.rules import c02_setup, c05_council, c08_redeployment
from leuthen.rulesets.frederick.rules.c11_allegiance import join, surrender, switch
from leuthen.wargame.strength import PowerId
from tests.laws.course import LEDGERS, Turn, decision_kinds, first_broken_law
from tests.laws.games import draw

CASES = Path(__file__).parents[1] / "cases"


class Event(NamedTuple):
    word: str
    power: PowerId
    apply: Callable[[Any], None]
    is_possible: Callable[[Any], bool]


def events(name: str, state: Any) -> Iterator[Event]:
    yield from (event for event in _EVENTS[name]() if event.is_possible(state))


def _frederick() -> Iterator[Event]:
    for power in ALL_POWERS:
        yield Event("surrender", power, partial(_surrenders, power), partial(_fights, power))
        for side in (0, 1):
            yield Event("join", power, partial(_joins, power, side), partial(_is_neutral, power))
    yield Event("switch", RUSSIA, switch, partial(_fights, RUSSIA))


def _surrenders(power: PowerId, draft: Any) -> None:
    surrender(draft, power)


def _joins(power: PowerId, side: int, draft: Any) -> None:
    join(draft, power, as_side(side))


def _fights(power: PowerId, pos: Any) -> bool:
    return bool(pos.side_of(power) != NOBODY)


def _is_neutral(power: PowerId, pos: Any) -> bool:
    return not _fights(power, pos) and power not in pos.surrendered


def _campaigns() -> Iterator[Event]:
    for nation in ALL_NATIONS:
        if nation in MAY_LEAVE:
            yield Event("leave", nation, partial(_of_nation, leave_war, nation), partial(_has, AT_WAR, nation))
        yield Event("conquest", nation, partial(_of_nation, conquer, nation), partial(_can_be_conquered, nation))
        yield Event("join", nation, partial(_of_nation, enter_war, nation), partial(_has, NEUTRAL, nation))


MAY_LEAVE = (FRANCE, HANOVER, RUSSIA_OF_CAMPAIGNS, SWEDEN)
"""Powers that may leave the war (R17.5)."""


def _of_nation(routine: Callable[[Any, PowerId], None], nation: PowerId, draft: Any) -> None:
    routine(draft, nation)


def _has(status: int, nation: PowerId, pos: Any) -> bool:
    return bool(pos.status[nation] == status)


def _can_be_conquered(nation: PowerId, pos: Any) -> bool:
    return _has(AT_WAR, nation, pos) and nation not in pos.conquered


_EVENTS: Mapping[str, Callable[[], Iterator[Event]]] = {"frederick": _frederick, "campaigns": _campaigns}


NO_FALL = "no place falls here, so no power surrenders (C11.2)"
NO_VIOLATION = "no force enters neutral land meanwhile (C3.3)"
AFTER_LOSSES = "Russia changes sides in the Commitment Phase, when its own losses have been taken (C7.6)"
CANNOT_OCCUR: dict[tuple[type[Decision], str], str] = {
    (c05_council.CommitmentRoll, "surrender"): NO_FALL,
    (c05_council.Losses, "switch"): AFTER_LOSSES,
    (c08_redeployment.LeaderDraw, "surrender"): NO_FALL,
    (c08_redeployment.LeaderRoll, "surrender"): NO_FALL,
    (c08_redeployment.Sacking, "surrender"): NO_FALL,
    (c08_redeployment.Freeing, "join"): NO_VIOLATION,
    (c08_redeployment.Freeing, "surrender"): NO_FALL,
    (c08_redeployment.Freeing, "switch"): AFTER_LOSSES,
    (c02_setup.Deployment, "join"): NO_VIOLATION,
    (c05_council.SubsidyRoll, "surrender"): NO_FALL,
}
WITHOUT_POSITION = {
    "Closing": "no question: a side wants no more sieges this turn",
}


DECISIONS = [
    (name, kind)
    for name in LEDGERS
    for kind in sorted(decision_kinds(name), key=lambda kind: kind.__name__)
    if kind.actors is not Decision.actors
]


def possible_events(name: str, state: Any) -> Iterator[Event]:
    frame = state.frames[-1]
    for event in events(name, state):
        rolls = event.word == "join" and event.power in (getattr(frame, "power", -1), getattr(frame, "nation", -1))
        if not rolls and (type(frame), event.word) not in CANNOT_OCCUR:
            yield event


class RecordingRuleset:
    def __init__(self, game: Any) -> None:
        self.game = game
        self.seen: dict[type[Any], list[Any]] = defaultdict(list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def apply(self, state: Any, actor: int, action: Any) -> Any:
        step = self.game.apply(state, actor, action)
        for one in (state, step.state):
            if one.outcome is None and (not self._last(one) or self._last(one) is not one):
                self.seen[type(one.frames[-1])].append(one)
        return step

    def _last(self, state: Any) -> Any:
        found = self.seen[type(state.frames[-1])]
        return found[-1] if found else None


@cache
def positions(name: str) -> Mapping[type[Any], list[Any]]:
    game = RecordingRuleset(load(name))
    for path in sorted(CASES.rglob("*.case")):
        for case in open_cases(path):
            if case.game == name:
                run_case(game, case)
    return game.seen


def sample_positions(name: str, kind: type[Decision], count: int) -> list[Any]:
    found = positions(name)[kind]
    return [state for state in found[:: max(1, len(found) // count)][:count] if _is_lawful(load(name), state)]


def _is_lawful(game: Any, state: Any) -> bool:
    return not first_broken_law(Turn(game, state, -1, None, (), state), 0, every=1)


def interrupted(game: Any, state: Any, event: Event) -> Turn:
    draft = game.draft(state)
    return _continue_with(game, state, event, draft)


def interrupted_after(game: Any, state: Any, event: Event, rng: Random) -> Turn:
    actor = rng.choice(game.pending(state)).actor
    action = draw(game, state, actor, rng, eager=False)
    draft = game.draft(state)
    draft.frames[-1].answer(draft, actor, action)
    return _continue_with(game, state, event, draft)


def _continue_with(game: Any, state: Any, event: Event, draft: Any) -> Turn:
    if draft.outcome is None and event.is_possible(draft):
        event.apply(draft)
    game.resolve_hexes(draft)
    if draft.outcome is None:
        run_sequence(draft, game.resolve_hexes)
    return Turn(game, state, -1, None, tuple(draft.facts), draft.freeze())


def fault_after(game: Any, state: Any, event: Event, seed: int, most: int, *, between: bool) -> str:
    rng = Random(seed)
    try:
        turn = interrupted(game, state, event) if between else interrupted_after(game, state, event, rng)
        found, number = first_broken_law(turn, 0, every=1), 0
        while not found and number < most and (pending := game.pending(turn.after)):
            number += 1
            turn = played(game, turn.after, rng.choice(pending).actor, rng)
            found = first_broken_law(turn, number)
    except Exception as error:  # any exception is a fault, reported with the pair
        found = f"the program breaks off with {type(error).__name__}: {error}"
    return found


def played(game: Any, state: Any, actor: int, rng: Random) -> Turn:
    action = draw(game, state, actor, rng, eager=False)
    step = game.apply(state, actor, action)
    return Turn(game, state, actor, action, step.facts, step.state)
