"""Laws of whole games, which hold after every action of every player. Each raises AssertionError."""

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
    game, state = turn.game, turn.after
    for actor in [one.actor for one in game.pending(state)]:
        if actor == CHANCE:
            assert game.chances(state), "chance is asked and has no odds"
        else:
            answer = next(iter(game.legal_actions(state, actor)), None)
            assert answer is not None, f"{game.sides[actor]} is asked and has no answer"


def nothing_stands_for_nobody(turn: Turn) -> None:
    found = list(turn.ledger.ghosts(turn.after))
    assert not found, "; ".join(found)


def every_leader_is_in_one_place(turn: Turn) -> None:
    found: dict[int, str] = {}
    for leader, place in turn.ledger.places(turn.after):
        assert leader not in found, f"leader {leader}: {found[leader]} and {place}"
        found[leader] = place
    due = turn.ledger.leaders(turn.after)
    assert found == due, f"leaders, as found and by the roster: {set(found.items()) ^ set(due.items())}"


def leaders_move_by_events(turn: Turn) -> None:
    before, after = turn.before.roster, turn.after.roster
    if before == after:
        return
    changed = {number for number, status in enumerate(after) if status != before[number]}
    changed -= {leader for fact in turn.facts for leader in named(fact, NAMES_LEADERS)}
    nations = {nation for fact in turn.facts for nation in named(fact, NAMES_NATIONS)}
    silent = {n: after[n] for n in changed if turn.ledger.nation(turn.after, n) not in nations}
    assert not silent, f"leaders who went where no event says: {silent}"


def men_come_and_go_by_events(turn: Turn) -> None:
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
    found = list(strangers(turn.ledger, turn.after))
    assert not found, "; ".join(found)


def strangers(ledger: Ledger, state: Any) -> Iterator[str]:
    if state.outcome is not None or not state.frames:
        return
    for frame in state.frames:
        yield from ledger.anywhere(state, frame)
    yield from ledger.judges[type(state.frames[-1])](state, state.frames[-1])


LAWS: Final[Mapping[Callable[[Turn], None], int]] = {
    somebody_is_asked_until_the_end: 1,
    who_is_asked_has_an_answer: 20,  # expensive, and players draw from the legal actions
    nothing_stands_for_nobody: 2,
    every_leader_is_in_one_place: 2,
    leaders_move_by_events: 1,
    men_come_and_go_by_events: 1,
    the_dead_stay_dead: 1,
    open_decisions_name_who_is_there: 1,
}


def broken(turn: Turn, number: int, every: int = 0) -> str:
    for law, often in LAWS.items():
        if number % (every or often) == 0:
            try:
                law(turn)
            except AssertionError as error:
                return f"{law.__name__}: {error}"
    return ""
