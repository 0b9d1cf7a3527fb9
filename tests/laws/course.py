"""The laws of whole games: what holds after every action, whoever played it. Each raises AssertionError."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from leuthen.engine.ruleset import CHANCE
from leuthen.wargame.strength import PowerId, of
from tests.laws import campaigns, frederick
from tests.laws.ledger import Ledger, Men, Told, named

LEDGERS: dict[str, Ledger] = {"frederick": frederick.LEDGER, "campaigns": campaigns.LEDGER}
NAMES_LEADERS = ("leader", "leaders", "unit", "units", "lead", "commander", "commanders", "companions", "instead")
NAMES_NATIONS = ("power", "nation")


class Turn(NamedTuple):
    """What an action did."""

    game: Any
    before: Any
    actor: int
    action: Any
    facts: tuple[Any, ...]
    after: Any

    @property
    def ledger(self) -> Ledger:
        return LEDGERS[self.game.name]


def somebody_is_asked_until_the_end(turn: Turn) -> None:
    game, state = turn.game, turn.after
    asked = [one.actor for one in game.pending(state)]
    assert bool(asked) == (game.outcome(state) is None), f"asked are {asked}, the outcome is {game.outcome(state)}"


def who_is_asked_has_an_answer(turn: Turn) -> None:
    """Each side that is asked has a legal answer, and chance has odds."""
    game, state = turn.game, turn.after
    for actor in [one.actor for one in game.pending(state)]:
        if actor == CHANCE:
            assert game.chances(state), "chance is asked and has no odds"
        else:
            answer = next(iter(game.legal_actions(state, actor)), None)
            assert answer is not None, f"{game.sides[actor]} is asked and has no answer"


def nothing_stands_for_nobody(turn: Turn) -> None:
    """There is no stack, unit or mark without men or a leader behind it."""
    found = list(turn.ledger.ghosts(turn.after))
    assert not found, "; ".join(found)


def every_leader_is_in_one_place(turn: Turn) -> None:
    """He is where the roster says, and nowhere else."""
    found: dict[int, str] = {}
    for leader, place in turn.ledger.places(turn.after):
        assert leader not in found, f"leader {leader}: {found[leader]} and {place}"
        found[leader] = place
    due = turn.ledger.leaders(turn.after)
    assert found == due, f"leaders, as found and by the roster: {set(found.items()) ^ set(due.items())}"


def leaders_move_by_events(turn: Turn) -> None:
    """A leader goes on the map, into captivity, to the grave only by an event that names him or his nation."""
    before, after = turn.before.roster, turn.after.roster
    if before == after:
        return
    changed = {number for number, status in enumerate(after) if status != before[number]}
    changed -= {leader for fact in turn.facts for leader in named(fact, NAMES_LEADERS)}
    nations = {nation for fact in turn.facts for nation in named(fact, NAMES_NATIONS)}
    silent = {n: after[n] for n in changed if turn.ledger.nation(turn.after, n) not in nations}
    assert not silent, f"leaders who went where no event says: {silent}"


def men_come_and_go_by_events(turn: Turn) -> None:
    """The men of each nation: those before, and what came, less what was lost, are those after.

    Where an event tells a loss by side alone, the nations of the side bear it together.
    """
    ledger = turn.ledger
    told = ledger.told(turn.before, turn.facts)
    rest, moved = _unexplained(turn, told), _tells(told)
    if not moved:
        assert not rest, f"men by nation: {dict(rest)}, of which no event tells"
        return
    for side in (0, 1):
        _check_side(turn, told, side, rest)


def _tells(told: Told) -> bool:
    return any(told)


def _unexplained(turn: Turn, told: Told) -> Men:
    """By nation, what changed and was not told of that nation."""
    ledger = turn.ledger
    before, after = ledger.men(turn.before), ledger.men(turn.after)
    found: Men = Counter()
    for nation in map(PowerId, range(ledger.nations)):
        change = of(after, nation) - of(before, nation) - told.came[nation] + told.lost[nation]
        if nation in told.left:
            assert not of(after, nation), f"nation {nation} has left, and {of(after, nation)} of its men have not"
        elif change:
            found[nation] = change
    return found


def _check_side(turn: Turn, told: Told, side: int, rest: Men) -> None:
    """What the side bears together is what was told of it; who left or was halved may have borne any of it."""
    nations = [nation for nation in map(PowerId, range(turn.ledger.nations)) if side in _sides(turn, nation)]
    came, lost = told.side_came[side], told.side_lost[side]
    least = -lost - sum(max(0, -rest[nation]) for nation in nations if nation in told.halved)
    free = told.left & set(nations) or told.halved & set(nations)
    total = sum(rest[nation] for nation in nations)
    assert (least <= total <= came) if free else total == came - lost, (
        f"side {side}: {dict(rest)}, told {came} - {lost}"
    )
    assert all(-lost <= rest[n] <= came for n in nations if n not in told.halved), f"side {side}: {dict(rest)}"


def _sides(turn: Turn, nation: PowerId) -> set[int]:
    return {turn.ledger.side_of(turn.before, nation), turn.ledger.side_of(turn.after, nation)}


def the_dead_stay_dead(turn: Turn) -> None:
    """Where the lost are kept account of, living and dead together grow only by those who came."""
    ledger, dead = turn.ledger, turn.ledger.dead
    if dead is None:
        return
    before, after = (ledger.men(state) + dead(state) for state in (turn.before, turn.after))
    if before == after:
        return
    told = ledger.told(turn.before, turn.facts)
    for nation in map(PowerId, range(ledger.nations)):
        assert of(after, nation) - of(before, nation) == told.came[nation], f"nation {nation}, living and dead"


def open_decisions_name_who_is_there(turn: Turn) -> None:
    """Nobody is asked about a power, a leader or a stack that has left."""
    found = list(strangers(turn.ledger, turn.after))
    assert not found, "; ".join(found)


def strangers(ledger: Ledger, state: Any) -> Iterator[str]:
    """Whom the decisions in progress name though they are not there."""
    if state.outcome is not None or not state.frames:
        return
    for frame in state.frames:
        yield from ledger.anywhere(state, frame)
    yield from ledger.judges[type(state.frames[-1])](state, state.frames[-1])


LAWS: Final[Mapping[Callable[[Turn], None], int]] = {
    somebody_is_asked_until_the_end: 1,
    who_is_asked_has_an_answer: 20,  # dear; and whoever plays draws his answer from what is legal
    nothing_stands_for_nobody: 2,
    every_leader_is_in_one_place: 2,
    leaders_move_by_events: 1,
    men_come_and_go_by_events: 1,
    the_dead_stay_dead: 1,
    open_decisions_name_who_is_there: 1,
}
"""The laws, and each how often: at one action in so many."""


def broken(turn: Turn, number: int, every: int = 0) -> str:
    """The first law that the action of that number breaks, and how, or nothing. `every` overrides how often."""
    for law, often in LAWS.items():
        if number % (every or often) == 0:
            try:
                law(turn)
            except AssertionError as error:
                return f"{law.__name__}: {error}"
    return ""
