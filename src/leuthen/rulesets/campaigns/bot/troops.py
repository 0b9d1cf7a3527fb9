"""Distribution of men: garrisons, leaders of a force, losses (R3.2, R10.4, V2.1)."""

from collections.abc import Iterator, Sequence
from operator import mul
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.situation import Situation, skill
from leuthen.rulesets.campaigns.model.actions import Arrange, Leave, Lose
from leuthen.rulesets.campaigns.model.data import CITY, FORT
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r03_turn import Arranging, Shares
from leuthen.rulesets.campaigns.rules.r05_hex_actions import exchangers
from leuthen.rulesets.campaigns.rules.r09_supply import need
from leuthen.rulesets.campaigns.rules.r12_fight import Spreading
from leuthen.wargame.board import Hex

WANTED: Final = {CITY: 1, FORT: 2}
STRONG: Final = 3  # TP of a garrison in a fortress
COLUMN: Final = 19  # TP that need no supply (V3)
SHED: Final = 5  # TP that an army leaves behind for that


def leaving_garrison(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    """Yield garrisons for a place that has too few men, from the strongest unit first."""
    here = units[0].hex
    if units[0].inside or here not in s.data.strongholds:
        return
    able = exchangers(s.pos, s.side, units, units[0].number, leaves=True)
    lacking = wanted(s, here) - inside_tp(s.pos, here, s.side)
    for unit in sorted(units, key=lambda unit: (-unit.strength, unit.number)):
        may, kept = able.get(unit.number, ()), s.weights.min_army_per_garrison
        over = unit.strength - COLUMN  # the few TP without which a leader without SP needs no supply (V3)
        sheds = over <= SHED and not unit.sp and not need(s.pos, COLUMN) and need(s.pos, unit.strength)
        numbers = [n for n in may if (sheds and n == over) or (n <= lacking and unit.strength - n >= kept * n)]
        if numbers:
            yield Leave(unit.number, max(numbers))


def wanted(s: Situation, here: Hex) -> int:
    return WANTED.get(s.data.strongholds[here].kind, STRONG)


CORPS: Final = 6  # TP from which a garrison can become a corps
AFRAID: Final = 0.4  # skill lost by a demoralized leader
MARGIN: Final = 0.05
LARGE_FORCE: Final = 25  # TP from which a leader without men gets two instead of one


def arrange_actions(s: Situation, frame: Arranging) -> Iterator[Action]:
    for stand in frame.stands(s.pos):
        points = divide_tp(s, Shares(s.pos, stand))
        if points is not None:
            yield Arrange(*stand, points)
    yield Done()


def divide_tp(s: Situation, share: Shares) -> tuple[int, ...] | None:
    """Return the TP of each leader of a force: none for those who would command instead of the ablest.

    Lower leaders without men get a few from the one with most, the ablest first. Return None if nothing changes.
    """
    led = len(share.units)
    now = tuple(unit.strength for unit in share.units)
    stands = (*now, share.garrison) if share.is_open else now
    points = list(best_shares(s, share) or stands)
    chief = next((n for n in range(led) if points[n]), None)
    if chief is None:
        return None
    part = 1 + (sum(points[:led]) >= LARGE_FORCE)
    lacking = [n for n in range(chief + 1, led) if not points[n]]
    for place in sorted(lacking, key=lambda n: (-merit(s, share.units[n]), n)):
        giver = max(range(led), key=lambda n: (points[n], -n))
        if points[giver] > 2 * part:
            points[giver] -= part
            points[place] += part
    return tuple(points) if tuple(points) != stands else None


def best_shares(s: Situation, share: Shares) -> tuple[int, ...] | None:
    """Return the best division of a force's TP; None if nothing changes."""
    now = tuple(unit.strength for unit in share.units)
    garrison = 0
    if share.is_open:
        others = inside_tp(s.pos, share.stand[0], s.side) - share.garrison
        own_inside = sum(unit.strength for unit in share.units if unit.inside)
        lacking = max(0, wanted(s, share.stand[0]) - max(0, others - own_inside))
        garrison = min(share.most_garrison, lacking, share.sum)
    if not any(now) and share.garrison - garrison < CORPS:
        return None
    rated: list[tuple[float, int, tuple[int, ...]]] = []
    for first, unit in enumerate(share.units):
        points = _from(s, share, first, garrison)
        if points is not None:
            rated.append((merit(s, unit), -first, points))
    if not rated:
        return None
    value, _, best = max(rated)
    commander = next((n for n, tp in enumerate(now) if tp), None)
    if commander is not None and best[commander] and merit(s, share.units[commander]) + MARGIN > value:
        best = _from(s, share, commander, garrison) or best
    return best if best != ((*now, share.garrison) if share.is_open else now) else None


def merit(s: Situation, unit: Unit) -> float:
    return skill(s.pos.leader(unit.number)) - AFRAID * bool(unit.daunted or unit.shaken)


def _from(s: Situation, share: Shares, first: int, garrison: int) -> tuple[int, ...] | None:
    left = share.sum - garrison * share.is_open
    points = [0] * len(share.units)
    below = sorted(range(first + 1, len(points)), key=lambda n: (-merit(s, share.units[n]), n))
    for place in (first, *below):
        points[place] = min(left, share.limit(place, place == first))
        left -= points[place]
    if not share.is_open:
        return tuple(points) if not left else None
    return (*points, garrison + left) if garrison + left <= share.most_garrison else None


def loss_actions(s: Situation, frame: Spreading) -> Iterator[Action]:
    """Take losses from the least able leaders, where a rule leaves the choice (R12.6, V6.1)."""
    units = [s.pos.units[number] for number in frame.losers(s.pos)]
    value = [merit(s, unit) for unit in units]
    splits = frame.splits(s.pos)
    if splits:
        yield Lose(min(splits, key=lambda split: (sum(map(mul, split, value)), split)))
        return
    left, points = frame.points, [0] * len(units)
    for place in sorted(range(len(units)), key=lambda n: (value[n], -n)):
        points[place] = min(left, units[place].strength)
        left -= points[place]
    yield Lose(tuple(points))
