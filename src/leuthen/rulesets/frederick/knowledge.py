"""Views of a position for a side, a spectator or the umpire (O3), and positions completed from a view."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations
from typing import Final

import msgspec

from leuthen.engine.choice import LegalSet, RandomSource
from leuthen.engine.memo import Memo, memo_of
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId, Side, ViewerId
from leuthen.engine.state import PositionView
from leuthen.rulesets.frederick.model.data import ALL_POWERS, PRUSSIA, GameData
from leuthen.rulesets.frederick.model.decisions import Covered, Decision, Secret, SecretChoice, keep_secret
from leuthen.rulesets.frederick.model.pieces import ON_MAP, SIDES, UNKNOWN, Depot, SeenStack, Stack, knows
from leuthen.rulesets.frederick.model.state import FIELDS, TABLE, Draft, Position, SharedFields, State, state_of
from leuthen.rulesets.frederick.rules.c04_sequence import GrandStrategy
from leuthen.rulesets.frederick.rules.c05_council import granted
from leuthen.rulesets.frederick.rules.c08_redeployment import Freeing, countable, countable_prisoners, havens
from leuthen.rulesets.frederick.rules.o05_forces import allowance
from leuthen.rulesets.frederick.rules.o05_march import ForceDie, ForceMarchDie, ForceMarchPhase, Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o10_supply import MOST_DEPOTS
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice, StrayRoll
from leuthen.rulesets.frederick.rules.o13_siege import Departure
from leuthen.wargame.board import Hex, StackKey
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, largest, lose, of, powers, total


class View(PositionView, SharedFields):
    """A position as `viewer` may know it: the value that bots get and from which worlds are drawn.

    Hidden are strengths and junior leaders of the enemy, his depots under construction, his reinforcements, his sealed
    choices and the movement points of his leaders. Where leaders are (map, pool, prison), RP, prisoners and owners of
    fortresses are open (O3.5).
    """

    stacks: tuple[SeenStack, ...]
    """In the order of the board."""
    moving: SeenStack | None

    def knows(self, side: OwnerId) -> bool:
        return knows(self.viewer, side)


def make_view(pos: Position, viewer: ViewerId) -> View:
    return View.of({**TABLE.seen(pos, viewer), "viewer": viewer})


class Filler:
    """Supplies what a view hides.

    By default a hidden stack has the least SP that it may have and no juniors, and nothing unseen has happened.
    """

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Return the SP of each hidden stack, ignored for leaders alone. `pos` has all known facts except stacks."""
        return [seen.least for seen in hidden]

    def stacks(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[Stack]:
        """Return the hidden stacks, each of the nation that it shows."""
        return [
            complete_stack(
                pos.lasting, view.viewer, seen, EMPTY if seen.alone else bag(seen.nation, points),
                (seen.commander,) if seen.commander >= 0 else (),
            )
            for seen, points in zip(hidden, self.strengths(pos, view, hidden), strict=True)
        ]  # fmt: skip

    def fill_rest(self, pos: State, view: View) -> State:
        """Return the position, which has its stacks, with everything else that is hidden."""
        return pos


def complete_stack(lasting: Memo, viewer: ViewerId, seen: SeenStack, sp: Bag, leaders: tuple[LeaderId, ...]) -> Stack:
    """Return a stack of a view with these SP and known leaders; the same object as before if it looks the same."""
    before: dict[StackKey, tuple[SeenStack, Bag, Stack]] = lasting.get_or_compute(("completed", viewer), dict)
    last = before.get(seen.key)
    if last is None or last[0] is not seen or last[1] != sp:
        last = before[seen.key] = seen, sp, seen.completed(sp, leaders)
    return last[2]


_MOST: Final = 200
"""Arrangements of allegiances, owners and depots for which memos are stored with the data."""
AT_LEAST: Final = Filler()


def complete_view(data: GameData, view: View, filler: Filler) -> State:
    """Return a position with all that a viewer knows; `filler` supplies the rest."""
    data = data.of(view.scenario)
    values = {**{name: getattr(view, name) for name in FIELDS}, "stacks": {}, "moving": None}
    memo, lands = memo_of(data, "positions", _MOST), (view.allegiance, view.surrendered, view.german_open)
    memos = {  # shared by positions with equal allegiances, with equal owners too, and with equal depots too
        "lasting": memo.get_or_compute(lands, Memo),
        "by_owners": memo.get_or_compute((lands, "owners", tuple(view.owners.items())), Memo),
        "by_depots": memo.get_or_compute((lands, "depots", tuple(view.depots.items())), Memo),
    }
    force = view.moving
    seen = view.stacks if force is None else (*view.stacks, force)
    filled = iter(filler.stacks(state_of(data, values, memos), view, [one for one in seen if one.sp is None]))
    values["stacks"] = {
        one.key: next(filled)
        if one.sp is None
        else complete_stack(memos["lasting"], view.viewer, one, one.sp, one.leaders or ())
        for one in view.stacks
    }
    if force is not None:
        values["moving"] = next(filled) if force.sp is None else force.completed(force.sp, force.leaders or ())
    return filler.fill_rest(state_of(data, values, memos), view)


DEPOT_CHANCE: Final = 0.15
"""Probability of a hidden depot under construction beneath a field stack."""
MARCHED_CHANCE: Final = 0.3
"""Probability that a leader or stack of the marching side has marched before."""
SUPPLIED_CHANCE: Final = 0.8


class HiddenStack:
    """A hidden stack while its leaders and powers are drawn; its commander and nation stay as seen."""

    def __init__(self, pos: Position, seen: SeenStack, strength: int, powers: tuple[PowerId, ...]) -> None:
        self.pos = pos
        self.seen = seen
        self.leaders: tuple[LeaderId, ...] = (seen.commander,) if seen.commander >= 0 else ()
        parts = sum(bag(power, 1) for power in powers)
        wanted = (bag(seen.nation, strength - len(powers)) + parts,) if len(powers) < strength else ()
        fitting = (sp for sp in chain(wanted, self.mixtures(strength)) if self.fits(sp, self.leaders))
        self.sp = next(fitting, bag(max(seen.nation, PRUSSIA), strength))

    def mixtures(self, strength: int) -> Iterable[Bag]:
        """Yield possible contents of the stack: its nation alone, then with some SP of another power of its side.

        The last ones have equal parts of two powers and one SP of a third: the commander may then belong to the other
        power, above leaders of the nation, which requires equal parts (O2.5).
        """
        if self.seen.alone:
            yield EMPTY
            return
        nation, side = self.seen.nation, self.seen.side
        commands = self.pos.leader(self.seen.commander).power if self.seen.commander >= 0 else nation
        allies = (power for power in ALL_POWERS if self.pos.side_of(power) == side and power != nation)
        friends = sorted(allies, key=lambda power: power != commands)  # the commander's power first
        yield bag(nation, strength)
        for power in friends:
            for part in (1, strength // 2, (strength - 1) // 2, strength // 3):
                if 0 < part < strength:
                    yield bag(nation, strength - part) + bag(power, part)
        half, odd = divmod(strength, 2)
        for power, third in permutations(friends, 2) if half and odd else ():
            yield bag(nation, half) + bag(power, half) + bag(third, odd)

    def fits(self, sp: Bag, leaders: tuple[LeaderId, ...]) -> bool:
        """Return whether SP and leaders show the seen nation and commander (O2.5, O3.1)."""
        if sp and largest(sp) != self.seen.nation:
            return False
        return self.pos.commander_of(sp, self.pos.by_seniority(leaders)) == self.seen.commander

    def admit(self, leader: LeaderId, *, mixed: bool) -> bool:
        """Take a junior in if the stack then looks the same; with `mixed` its SP may be redrawn for that."""
        if self.seen.commander < 0:
            return False
        leaders, now, tried = (*self.leaders, leader), total(self.sp), iter((self.sp,))
        if mixed:
            least, most = (now - 1, now + 1) if self.seen.alone else (max(1, self.seen.low), self.seen.high)
            near = [strength for strength in (now, now + 1, now - 1) if least <= strength <= most]
            tried = chain.from_iterable(map(self.mixtures, near))
        sp = next((sp for sp in tried if self.fits(sp, leaders)), None)
        if sp is None:
            return False
        self.leaders, self.sp = leaders, sp
        return True

    def stack(self) -> Stack:
        return self.seen.completed(self.sp, self.pos.by_seniority(self.leaders))


class RandomFill(Filler):
    def __init__(self, rng: RandomSource) -> None:
        self.rng = rng

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Share out the SP that each power may have among its hidden stacks, within the bounds of each."""
        rng, strengths = self.rng, [0 if stack.alone else max(1, stack.low) for stack in hidden]
        for power in ALL_POWERS:
            camp = [n for n, stack in enumerate(hidden) if stack.nation == power and not stack.alone]
            if not camp:
                continue
            whole = int(expected(pos.data, view, power) * (LOWEST + (HIGHEST - LOWEST) * rng.random()))
            alone = {n: hidden[n].commander < 0 or hidden[n].inside for n in camp}
            weights = {n: (0.2 + rng.random()) * (ALONE_SHARE if alone[n] else 1.0) for n in camp}
            for n in camp:
                if hidden[n].high < UNKNOWN:
                    strengths[n] += int(rng.random() * (hidden[n].high - strengths[n] + 1))
            free = [n for n in camp if hidden[n].high >= UNKNOWN]
            left = max(0, whole - sum(strengths[n] for n in camp))
            heavy = sum(weights[n] for n in free)
            for n in free:
                strengths[n] += int(left * weights[n] / heavy)
        return strengths

    def stacks(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[Stack]:
        """Draw strengths first, then juniors, then the powers in the stacks."""
        strengths = self.strengths(pos, view, hidden)
        going = [frame for frame in view.frames if isinstance(frame, Departure)]
        candidates: list[HiddenStack] = []
        for one, points in zip(hidden, strengths, strict=True):
            place = one.hex, one.side, one.inside  # powers that leave it with the honours of war are known (O13.3)
            held = {frame.power for frame in going if (frame.hex, frame.side, True) == place} - {one.nation}
            candidates.append(HiddenStack(pos, one, points, tuple(sorted(held))))
        seen = [*view.stacks, *([view.moving] if view.moving is not None else [])]
        known = {leader for stack in seen for leader in (stack.leaders or (stack.commander,))}
        known |= {frame.leader for frame in view.frames if isinstance(frame, RefugeChoice)}
        unseen = (n for n in pos.data.leader_ids if pos.roster[n] == ON_MAP and n not in known)
        theirs = tuple(n for n in unseen if not view.knows(pos.side_of(pos.leader(n).power)))
        for leader in pos.by_seniority(theirs):
            self._assign_leader(pos, view, leader, candidates)
        return [candidate.stack() for candidate in candidates]

    def _assign_leader(self, pos: Position, view: View, leader: LeaderId, candidates: Sequence[HiddenStack]) -> None:
        side = pos.side_of(pos.leader(leader).power)
        strays = any(isinstance(frame, StrayRoll) and frame.leader == leader for frame in view.frames)
        friends = [candidate for candidate in candidates if candidate.seen.side == side]
        likely = [candidate for candidate in friends if candidate.seen.alone == strays]
        own = [candidate for candidate in likely if candidate.seen.nation == pos.leader(leader).power]
        for group, mixed in ((own, False), (likely, False), (friends, False), (friends, True)):
            left = list(group)
            for candidate in [left.pop(int(self.rng.random() * len(left))) for _ in group]:
                if candidate.admit(leader, mixed=mixed):
                    return
        raise ValueError(f"no stack of the view can hold {pos.leader(leader).name}")

    def fill_rest(self, pos: State, view: View) -> State:
        draft = Draft(pos)
        draft.forget()
        for frame in view.frames:
            if isinstance(frame, Freeing) and not view.knows(frame.side):
                _make_room(draft, frame)
        draft.depots = {**draft.depots, **_draw_depots(view, self.rng)}
        _draw_march(draft, view, self.rng)
        if any(isinstance(frame, GrandStrategy) for frame in view.frames):  # new SP of the other side (C6.5)
            for power in [power for power in ALL_POWERS if not view.knows(view.side_of(power))]:
                draft.waiting += bag(power, int(self.rng.random() * expected(pos.data, view, power) / 3))
        for side in SIDES:
            if isinstance(view.sealed[side], Covered):
                _choose(draft, side, self.rng)
        draft.forget()
        return draft.freeze()


def _make_room(draft: Draft, frame: Freeing) -> None:
    """Thin out powers with a limit until as many men can return as the exchange demands (C7.5, C11.1)."""
    while sum(countable(draft, frame.side).values()) < frame.left:
        thinner = next(_thinned_stacks(draft, frame.side), None)
        if thinner is None:
            return
        draft.stacks = {**draft.stacks, thinner.key: thinner}
        draft.forget()


def _thinned_stacks(pos: Position, side: Side) -> Iterator[Stack]:
    """Yield stacks with 1 SP less of a power that has no room for all its prisoners, the strongest first."""
    full = [
        power for power in powers(pos.prisoners[OTHER[side]])
        if countable_prisoners(pos, side, power) < of(pos.prisoners[OTHER[side]], power) and havens(pos, side, power)
    ]  # fmt: skip
    for stack in sorted(pos.own(side), key=lambda one: (-one.strength, one.key)):
        for power in full if stack.strength > max(1, stack.low) else ():
            left = stack.sp - bag(power, 1) if of(stack.sp, power) else EMPTY
            if left and largest(left) == stack.nation and pos.commander_of(left, stack.leaders) == stack.commander:
                yield msgspec.structs.replace(stack, sp=left)


def _draw_march(draft: Draft, view: View, rng: RandomSource) -> None:
    side = next((f.side for f in view.frames if isinstance(f, MarchPhase | ForceMarchPhase)), NOBODY)
    if view.knows(side):
        return
    table, force = draft.data.leaders, draft.moving
    crew = force.leaders if force is not None else ()
    others = [n for n in draft.data.leader_ids if draft.roster[n] == ON_MAP and draft.side_of(table[n].power) == side]
    spent = {n: 1 + int(5 * rng.random()) for n in others if n not in crew and rng.random() < MARCHED_CHANCE}
    die = next((frame.die for frame in view.frames if isinstance(frame, Marching)), 0)
    if force is not None and die:
        points = int(max(0, allowance(draft, die, force)) * rng.random())
        spent |= dict.fromkeys(crew, points) if points else {}
    draft.spent = {**draft.spent, **spent}
    for key, stack in list(draft.stacks.items()):
        if stack.side == side:
            part = int(stack.strength * rng.random()) if rng.random() < MARCHED_CHANCE else 0
            draft.stacks[key] = msgspec.structs.replace(stack, marched=lose(stack.sp, part))
    draft.frames = tuple([_draw_frame(frame, rng) for frame in draft.frames])


def _draw_frame(frame: Decision, rng: RandomSource) -> Decision:
    if isinstance(frame, Marching):
        return msgspec.structs.replace(frame, supplied=rng.random() < SUPPLIED_CHANCE)
    if isinstance(frame, ForceDie | ForceMarchDie):
        return msgspec.structs.replace(frame, march=_draw_frame(frame.march, rng))
    return frame


def _draw_depots(view: View, rng: RandomSource) -> Mapping[Hex, Depot]:
    """Draw the depots under construction that the viewer cannot see (O3.1), under strong field stacks."""
    taken = set(view.depots) | {s.hex for s in view.stacks if not s.inside and view.knows(s.side)}
    counts = [sum(depot.power == power for depot in view.depots.values()) for power in ALL_POWERS]
    found: dict[Hex, Depot] = {}
    for stack in view.stacks:
        if stack.sp is not None or stack.alone or stack.inside or stack.quartered or stack.hex in taken:
            continue
        if rng.random() < DEPOT_CHANCE and counts[stack.nation] < MOST_DEPOTS and stack.high >= 10:
            counts[stack.nation] += 1
            found[stack.hex] = Depot(stack.nation, False)
    return found


def _choose(draft: Draft, side: OwnerId, rng: RandomSource) -> None:
    def is_sealed() -> bool:
        secret: Secret | None = draft.sealed[side]
        return secret is not None and secret.sealed

    frame = draft.frames[-1]
    keep_secret(draft, side, None)
    while isinstance(frame, SecretChoice) and not is_sealed():
        action = LegalSet(lambda: frame.choose(draft, side)).sample(rng)
        if action.do != "clear":
            frame.chosen(draft, side, action)
    if not is_sealed():
        keep_secret(draft, side, Covered(True))


LOWEST, HIGHEST = 0.35, 1.15
"""Bounds of a power's share of its possible SP: losses in battle appear in no view."""
YEARLY: Final = 0.15
"""Yearly growth of a minor power by the commitment table, about (C7.2)."""
PER_POINT: Final = 0.1
"""Growth of a major per Resource Point (C6.3)."""
ALONE_SHARE: Final = 0.25
"""Weight of a stack without a leader, or inside, relative to a led field stack."""


def expected(data: GameData, view: View, power: PowerId) -> int:
    """Estimate the SP of a power from open facts: its set-up, years, RP spent, limit, prisoners."""
    plan = data.scenarios[view.scenario]
    start, limit = plan.begun[power], data.powers[power].limit
    lost = sum(of(held, power) for held in view.prisoners)
    years = max(0, view.year - plan.year)
    if limit:
        return max(0, int(min(limit, start * (1 + YEARLY * years))) - lost)
    spent = 0  # Resource Points of a major, of those it began with or was granted (C6.1, C6.3)
    if view.year != 1756 and power in SIDES:
        spent = max(0, (granted(view.options) if plan.par is None else plan.rp)[power] - view.rp[power])
    return max(0, int(start * (1 + PER_POINT * spent)) - lost)
