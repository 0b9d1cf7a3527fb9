"""The rules of the Fords, chapter by chapter."""

from __future__ import annotations

from typing import Any, Final

from fords.events import FellBack, Fired, Lost, Met, Moved, Placed, TurnBegun
from fords.model import AWAY, ROOM, TABLE, TURNS, Area, Block, Decision, DieRoll, Draft, Land, Position
from leuthen.engine.choice import Action, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done, refuse_with
from leuthen.engine.ruleset import OTHER, SIDES, WATCHER, ActorId, Outcome, Side, as_side
from leuthen.engine.state import Values

MOVES: Final = 4
ROUNDS: Final = 3


# --- what is ordered --------------------------------------------------------------------------------------------------


class Place(Action):
    """Set up a block of a strength in an area."""

    strength: int
    area: Area


class Move(Action):
    """Move a block to an area."""

    block: int
    area: Area


class Press(Action):
    """Fight another round."""


class Withdraw(Action):
    """Withdraw to the areas from which the attack came."""


# --- F1 the sequence --------------------------------------------------------------------------------------------------


class War(Decision):
    """The sequence of play, at the bottom of the stack: both set up, then move and fight in turn (F1.2)."""

    at: int = 0

    def step(self, draft: Draft) -> None:
        """Push the next part of the sequence."""
        turn, part = divmod(self.at - 2, 4)
        draft.swap(War(self.at + 1))
        if self.at < 2:
            draft.push(Setup(SIDES[self.at]))
        elif turn == TURNS:
            end(draft, "points", "F6.1", winner_by_points(draft))
        else:
            if part == 0:
                draft.turn = turn + 1
                draft.emit(TurnBegun(turn=draft.turn))
            draft.push((Moves(0), Battles(0), Moves(1), Battles(1))[part])


def winner_by_points(pos: Position) -> Side | None:
    """Return the side with more points (F6.1)."""
    north, south = pos.points(0), pos.points(1)
    return None if north == south else as_side(south > north)


def end(draft: Draft, how: str, rule: str, winner: Side | None) -> None:
    """End the game."""
    draft.outcome = Outcome(winner, how, rule, draft.turn)
    draft.frames = draft.frames[:1]


def judge(draft: Draft) -> None:
    """Give towns to the side that is there alone (F6.2); a side without blocks has lost (F6.3)."""
    owners = list(draft.owners)
    for area in draft.data.towns:
        holders = {block.side for block in draft.blocks if block.area == area}
        if len(holders) == 1:
            (owners[area],) = holders
    draft.owners = tuple(owners)
    for side in SIDES:
        if draft.outcome is None and draft.turn and all(b.area == AWAY for b in draft.blocks if b.side == side):
            end(draft, "conquest", "F6.3", OTHER[side])


# --- F3 setting up ----------------------------------------------------------------------------------------------------


class Setup(Decision[Place], rule="F3.1", name="Set-up"):
    """A side sets up its blocks at home, one after another (F3.1)."""

    side: Side

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"set up a block; {len(pos.left(self.side))} are left"

    def script(self, pos: Position, actor: Side) -> Script[Place]:
        """Choose a remaining strength and a home area with room."""
        yield Slot("do", ("place",), refuse_with("F3.1", "first all blocks are set up"))
        strengths = sorted(set(pos.left(self.side)), reverse=True)
        strength = yield Slot("strength", strengths, refuse_with("F3.1", "no block of {} is left"))
        homes = [area for area, home in enumerate(pos.data.homes) if home == self.side]
        free = [area for area in homes if len(pos.at(area, self.side)) < ROOM]
        area = yield Slot("area", free, lambda token: _no_home(pos, self.side, token))
        return Place(int(strength), int(area))

    def answer(self, draft: Draft, actor: Side, action: Place) -> None:
        """Set up the block; only its side knows its strength."""
        draft.blocks = (*draft.blocks, Block(actor, action.area, action.strength, action.strength))
        draft.emit(Placed(side=actor, area=action.area, strength=action.strength))
        if not draft.left(actor):
            draft.pop()


def _no_home(pos: Position, side: Side, token: Token) -> Refusal:
    if token in range(len(pos.data.homes)) and pos.data.homes[int(token)] == side:
        return no_room(pos.data, token)
    return Refusal("F3.1", "{} is no home area", (name_of(pos.data, token),))


def no_room(land: Land, token: Token) -> Refusal:
    """Return the refusal for a full area."""
    return Refusal("F2.3", "{} blocks stand at {} already", (ROOM, name_of(land, token)))


def name_of(land: Land, token: Token) -> str:
    """Return the name of an area, or the number if there is no such area."""
    return land.names[int(token)] if token in range(len(land.names)) else str(token)


# --- F4 moving --------------------------------------------------------------------------------------------------------


class Moves(Decision[Move | Done], rule="F4.1", name="Move", neutral=Done()):
    """A side moves up to four blocks (F4.1)."""

    side: Side

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return (self.side,)

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"move a block, or done; {MOVES - pos.moves} moves are left"

    def script(self, pos: Position, actor: Side) -> Script[Move | Done]:
        """Choose a block that has not moved, and an area that it can reach."""
        able = {n: goals for n in movers(pos, self.side) if (goals := reach(pos, n))} if pos.moves < MOVES else {}
        do = yield Slot("do", ("done", "move") if able else ("done",), refuse_with("F4.1", "nothing can move any more"))
        if do == "done":
            return Done()
        block = yield Slot("block", tuple(able), refuse_with("F4.1", "that block cannot move"))
        goals = able[int(block)]
        area = yield Slot("area", tuple(sorted(goals)), lambda token: _no_goal(pos, int(block), token))
        return Move(int(block), int(area))

    def answer(self, draft: Draft, actor: Side, action: Move | Done) -> None:
        """Move the block, or end the phase."""
        if isinstance(action, Done):
            draft.pop()
            return
        start = draft.blocks[action.block].area
        draft.put(action.block, area=action.area, came=start)
        draft.moves += 1
        draft.emit(Moved(side=actor, start=start, area=action.area))


def movers(pos: Position, side: Side) -> list[int]:
    """Return the blocks that may still move: each moves once (F4.1), and none out of a battle (F4.3)."""
    own = [n for n, block in enumerate(pos.blocks) if (block.side, block.came) == (side, AWAY) and block.area != AWAY]
    return [n for n in own if not pos.at(pos.blocks[n].area, OTHER[side])]


def reach(pos: Position, number: int) -> set[Area]:
    """Return the areas in reach: one area away, or two without fords and enemies (F4.2, F4.3)."""
    block, land = pos.blocks[number], pos.data
    near = set(land.ways[block.area])
    dry = [a for a in near if (block.area, a) not in land.fords and not pos.at(a, OTHER[block.side])]
    far = {b for a in dry for b in land.ways[a] if (a, b) not in land.fords and not pos.at(b, OTHER[block.side])}
    return {area for area in near | far - {block.area} if len(pos.at(area, block.side)) < ROOM}


def _no_goal(pos: Position, number: int, token: Token) -> Refusal:
    if token in pos.data.ways[pos.blocks[number].area]:
        return no_room(pos.data, token)
    return Refusal("F4.2", "{} is out of reach", (name_of(pos.data, token),))


# --- F5 fighting ------------------------------------------------------------------------------------------------------


class Battles(Decision):
    """Battles in all areas with blocks of both sides, in the order of the areas (F5.1)."""

    side: Side

    def step(self, draft: Draft) -> None:
        """Begin the next battle, or end the phase."""
        fights = [a for a in range(len(draft.data.names)) if draft.at(a, 0) and draft.at(a, 1)]
        if fights:
            open_blocks(draft, fights[0])
            draft.push(Battle(fights[0], self.side))
            return
        for number in range(len(draft.blocks)):
            draft.put(number, came=AWAY)
        draft.moves = 0
        draft.pop()


def open_blocks(draft: Draft, area: Area) -> None:
    """Reveal all blocks in an area (F5.1)."""
    numbers = draft.at(area, 0), draft.at(area, 1)
    for side, covered in enumerate(numbers):
        if any(not draft.blocks[number].is_open for number in covered):
            draft.learn(OTHER[side], WATCHER)
        for number in covered:
            draft.put(number, is_open=True)
    north, south = (tuple(draft.blocks[number].strength for number in own) for own in numbers)
    draft.emit(Met(area=area, strengths=(north, south)))


class Battle(Decision[Press | Withdraw], rule="F5.6", name="Battle"):
    """A battle: in each round the defender rolls, then the attacker, who may then go on or withdraw (F5.2, F5.6)."""

    area: Area
    attacker: Side
    round: int = 1
    part: int = 0

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        is_asked = self.part == 2 and self.round < ROUNDS and not self._is_over(pos)
        return (self.attacker,) if is_asked else ()

    def prompt(self, pos: Position, actor: Side) -> str:
        return f"press the attack on {pos.data.names[self.area]}, or withdraw"

    def script(self, pos: Position, actor: Side) -> Script[Press | Withdraw]:
        """Ask for another round or the withdrawal."""
        do = yield Slot("do", ("withdraw", "press"), refuse_with("F5.6", "the battle goes on, or it does not"))
        return Press() if do == "press" else Withdraw()

    def answer(self, draft: Draft, actor: Side, action: Action) -> None:
        """Fight on or withdraw."""
        if isinstance(action, Press):
            draft.swap(Battle(self.area, self.attacker, self.round + 1))
        else:
            fall_back(draft, self)

    def step(self, draft: Draft) -> None:
        """Begin the next volley, end the battle, or after the last round make the attacker retreat (F5.7)."""
        if self._is_over(draft):
            draft.pop()
        elif self.part == 2:
            fall_back(draft, self)
        else:
            draft.swap(Battle(self.area, self.attacker, self.round, self.part + 1))
            side = self.attacker if self.part else OTHER[self.attacker]
            draft.push(Volley(self.area, side, tuple(draft.at(self.area, side))))

    def _is_over(self, pos: Position) -> bool:
        return not (pos.at(self.area, 0) and pos.at(self.area, 1))


class Volley(DieRoll, rule="F5.3", name="Volley"):
    """Each block of a side rolls a die (F5.3)."""

    area: Area
    side: Side
    blocks: tuple[int, ...]

    def actors(self, pos: Position) -> tuple[ActorId, ...]:
        return super().actors(pos) if self._can_fire(pos) else ()

    def chances(self, pos: Position) -> Any:
        return super().chances(pos) if self._can_fire(pos) else ()

    def _can_fire(self, pos: Position) -> bool:
        return bool(self.blocks and pos.at(self.area, OTHER[self.side]))

    def step(self, draft: Draft) -> None:
        """End the volley."""
        draft.pop()

    def rolled(self, draft: Draft, die: int) -> None:
        """Score a hit if the die is at most the strength."""
        first, *rest = self.blocks
        need = need_of(draft, first)
        draft.push(Volley(self.area, self.side, tuple(rest)))
        draft.emit(Fired(side=self.side, area=self.area, die=die, need=need))
        if die <= need:
            hit(draft, self.area, OTHER[self.side])


def need_of(pos: Position, number: int) -> int:
    """Return the highest die that hits: the strength, less one if the block came over a ford (F5.4)."""
    block = pos.blocks[number]
    return block.strength - ((block.came, block.area) in pos.data.fords)


def hit(draft: Draft, area: Area, side: Side) -> None:
    """Reduce the strongest block of a side by one; remove it at 0 (F5.5)."""
    number = max(draft.at(area, side), key=lambda number: (draft.blocks[number].strength, -number))
    strength = draft.blocks[number].strength - 1
    draft.put(number, strength=strength, area=area if strength else AWAY)
    if not strength:
        draft.emit(Lost(side=side, area=area))


def fall_back(draft: Draft, battle: Battle) -> None:
    """Move each attacker back to the area it came from; one that cannot return is lost (F5.7)."""
    side = battle.attacker
    draft.pop()
    draft.emit(FellBack(side=side, area=battle.area))
    for number in draft.at(battle.area, side):
        came = draft.blocks[number].came
        if came != AWAY and not draft.at(came, OTHER[side]) and len(draft.at(came, side)) < ROOM:
            draft.put(number, area=came)
        else:
            draft.put(number, area=AWAY, strength=0)
            draft.emit(Lost(side=side, area=battle.area, by="F5.7"))


def first_values(land: Land) -> Values:
    """Return the values before the set-up; a town belongs to its home side (F6.2)."""
    return TABLE.filled(owners=land.homes, frames=(War(),))
