"""Laws of whole games, which hold after every action of every player. Each raises AssertionError."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import CHANCE
from leuthen.wargame.strength import PowerId, of
from tests.laws import campaigns, frederick
from tests.laws.ledger import Ledger, ReportedChanges, Troops, named, no_check

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


def decisions_are_pending_until_the_end(turn: Turn) -> None:
    game, state = turn.game, turn.after
    pending = [one.actor for one in game.pending(state)]
    assert bool(pending) == (game.outcome(state) is None), f"pending: {pending}, the outcome is {game.outcome(state)}"


def every_pending_actor_has_an_answer(turn: Turn) -> None:
    game, state = turn.game, turn.after
    for actor in [one.actor for one in game.pending(state)]:
        if actor == CHANCE:
            assert game.chances(state), "chance is pending without probabilities"
        else:
            answer = next(iter(game.legal_actions(state, actor)), None)
            assert answer is not None, f"{game.sides[actor]} is pending without an answer"


def every_piece_is_valid(turn: Turn) -> None:
    found = list(turn.ledger.invalid_pieces(turn.after))
    assert not found, "; ".join(found)


def every_leader_is_in_one_place(turn: Turn) -> None:
    found: dict[int, str] = {}
    for leader, place in turn.ledger.places(turn.after):
        assert leader not in found, f"leader {leader}: {found[leader]} and {place}"
        found[leader] = place
    due = turn.ledger.leaders(turn.after)
    assert found == due, f"leaders, as found and by the roster: {set(found.items()) ^ set(due.items())}"


def events_report_every_leader_change(turn: Turn) -> None:
    before, after = turn.before.roster, turn.after.roster
    if before == after:
        return
    changed = {number for number, status in enumerate(after) if status != before[number]}
    changed -= {leader for fact in turn.facts for leader in named(fact, NAMES_LEADERS)}
    nations = {nation for fact in turn.facts for nation in named(fact, NAMES_NATIONS)}
    silent = {n: after[n] for n in changed if turn.ledger.nation(turn.after, n) not in nations}
    assert not silent, f"leaders moved without an event: {silent}"


def events_report_every_strength_change(turn: Turn) -> None:
    ledger = turn.ledger
    reported = ledger.reported(turn.before, turn.facts)
    rest, moved = _unexplained(turn, reported), _has_changes(reported)
    if not moved:
        assert not rest, f"troops by nation without an event: {dict(rest)}"
        return
    for side in (0, 1):
        _check_side(turn, reported, side, rest)


def _has_changes(reported: ReportedChanges) -> bool:
    return any(reported)


def _unexplained(turn: Turn, reported: ReportedChanges) -> Troops:
    ledger = turn.ledger
    before, after = ledger.troops(turn.before), ledger.troops(turn.after)
    found: Troops = Counter()
    for nation in map(PowerId, range(ledger.nations)):
        change = of(after, nation) - of(before, nation) - reported.came[nation] + reported.lost[nation]
        if nation in reported.left:
            assert not of(after, nation), f"nation {nation} has left, and {of(after, nation)} of its men have not"
        elif change:
            found[nation] = change
    return found


def _check_side(turn: Turn, reported: ReportedChanges, side: int, rest: Troops) -> None:
    nations = [nation for nation in map(PowerId, range(turn.ledger.nations)) if side in _sides(turn, nation)]
    came, lost = reported.side_came[side], reported.side_lost[side]
    least = -lost - sum(max(0, -rest[nation]) for nation in nations if nation in reported.halved)
    free = reported.left & set(nations) or reported.halved & set(nations)
    total = sum(rest[nation] for nation in nations)
    assert (least <= total <= came) if free else total == came - lost, (
        f"side {side}: {dict(rest)}, reported {came} - {lost}"
    )
    assert all(-lost <= rest[n] <= came for n in nations if n not in reported.halved), f"side {side}: {dict(rest)}"


def _sides(turn: Turn, nation: PowerId) -> set[int]:
    return {turn.ledger.side_of(turn.before, nation), turn.ledger.side_of(turn.after, nation)}


def the_dead_never_return(turn: Turn) -> None:
    ledger, dead = turn.ledger, turn.ledger.dead
    if dead is None:
        return
    before, after = (ledger.troops(state) + dead(state) for state in (turn.before, turn.after))
    if before == after:
        return
    reported = ledger.reported(turn.before, turn.facts)
    for nation in map(PowerId, range(ledger.nations)):
        assert of(after, nation) - of(before, nation) == reported.came[nation], f"nation {nation}, living and dead"


def pending_decisions_name_existing_pieces(turn: Turn) -> None:
    found = list(missing_pieces(turn.ledger, turn.after))
    assert not found, "; ".join(found)


def missing_pieces(ledger: Ledger, state: Any) -> Iterator[str]:
    if state.outcome is not None or not state.frames:
        return
    for frame in state.frames:
        yield from ledger.check_any(state, frame)
    yield from ledger.checks.get(type(state.frames[-1]), no_check)(state, state.frames[-1])


LAWS: Final[Mapping[Callable[[Turn], None], int]] = {
    decisions_are_pending_until_the_end: 1,
    every_pending_actor_has_an_answer: 20,  # expensive, and players draw from the legal actions
    every_piece_is_valid: 2,
    every_leader_is_in_one_place: 2,
    events_report_every_leader_change: 1,
    events_report_every_strength_change: 1,
    the_dead_never_return: 1,
    pending_decisions_name_existing_pieces: 1,
}


def first_broken_law(turn: Turn, number: int, every: int = 0) -> str:
    for law, often in LAWS.items():
        if number % (every or often) == 0:
            try:
                law(turn)
            except AssertionError as error:
                return f"{law.__name__}: {error}"
    return ""


def decision_kinds(name: str, base: type[Decision] = Decision) -> Iterator[type[Decision]]:
    """Yield the decisions of a rule set that have no variants of their own."""
    for kind in base.__subclasses__():
        if kind.__subclasses__():
            yield from decision_kinds(name, kind)
        elif f".{name}.rules." in kind.__module__:
            yield kind
