"""The skeleton of a bot that plans, and of a player's staff.

A decision follows from the view, the thought before and the bot's seed alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import CHANCE, Look, Pending, Ruleset, Side, as_side
from leuthen.wargame.board import Hex
from leuthen.wargame.missions import Limits, Mission, Missions, Thought, encode_thought, expect_known, recall
from leuthen.wargame.search import Stream, seed_of
from leuthen.wargame.strength import LeaderId

Proposals: TypeAlias = Mapping[type[Decision], Callable[[Any, Any], Iterator[Action]]]
"""Functions by decision that propose actions, the best first; other decisions get the default action."""
NOTHING: Final = (("done",), ("hold",))  # answers given without a look at the position where they are the default


class Assault(NamedTuple):
    """An attack that an order begins: its place, the chance of victory, and the army's mission."""

    place: str
    odds: float
    mission: Mission | None


V = TypeVar("V", bound=Any)  # a view, with the decisions in progress as `frames`
S = TypeVar("S")


class Commander(Generic[V, S]):
    """A bot that follows a plan, and a player's staff.

    A rule set provides the situation, the proposals, the possible missions, and what its plans foresee.
    """

    PROPOSALS: ClassVar[Proposals]
    FORESEEN: ClassVar[tuple[type[Decision], ...]]
    """decisions that a plan has orders for; the player decides all others"""
    AFFAIRS: ClassVar[Mapping[type[Decision], str]]  # topics of a player's staff, by the decision that begins them
    RULES_OF_THUMB: ClassVar[Mapping[type[Decision], str]]  # by decision, as sentences

    def __init__(self, ruleset: str, data: Any, side: Side, seed: int) -> None:
        self._data = data  # the game's data
        self._fresh = self._mind = Thought(ruleset, side, seed)
        self.word = ""
        self._bytes: bytes | None = b""

    @property
    def thought(self) -> bytes:
        """The thought as bytes, which a table stores in secret with the seat."""
        if self._bytes is None:
            self._bytes = encode_thought(self._mind)
        return self._bytes

    @thought.setter
    def thought(self, data: bytes) -> None:
        """Load a thought; one that cannot be used is dropped and explained in `word`."""
        expect = partial(expect_known, leaders=len(self._data.leaders), board=self._data.board)
        self._mind, self.word = recall(data, self._fresh, expect)
        self._bytes = data if not self.word else b""

    @property
    def mind(self) -> Thought:
        return self._mind

    def take_up(self, mind: Thought) -> None:
        if mind is not self._mind:
            self._mind, self._bytes = mind, None

    # --- orders -------------------------------------------------------------------------------------------------------

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        asked = legal.first()
        if asked is None or tuple(asked.values) in NOTHING:
            return next(iter(legal))
        view: V = look()
        if type(view.frames[-1]) not in self.PROPOSALS:
            return next(iter(legal))
        action, after = self.pick(view, *self.consider(view, self._mind), legal)
        self.take_up(after)
        return action

    def consider(self, view: V, before: Thought) -> tuple[S, Thought]:
        """Return the estimated position, and the thought with a new plan if it is time for one."""
        raise NotImplementedError

    def adopt(self, s: S, mind: Thought) -> None:
        """Follow the plan of a thought in a situation."""
        raise NotImplementedError

    def pick(self, view: V, s: S, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        """Return the order of the plan, and the thought with it."""
        return next(self.orders(view, s, mind, legal)), mind

    def orders(self, view: V, s: S, mind: Thought, legal: LegalSet) -> Iterator[Action]:
        """Yield the legal proposals of the plan, the best first, then the default action."""
        self.adopt(s, mind)
        frame = view.frames[-1]
        yield from (action for action in self.PROPOSALS[type(frame)](s, frame) if action in legal)
        yield next(iter(legal))

    # --- staff --------------------------------------------------------------------------------------------------------

    def turn(self, view: V) -> int:
        """Return a number that changes with each turn for which the side is asked again."""
        raise NotImplementedError

    def think(self, view: V) -> S:
        """Return the estimated position, and make this turn's plan if there is none."""
        s, after = self.consider(view, self._mind)
        self.take_up(after)
        return s

    def missions(self, view: V) -> Missions:
        """Return the missions that may be given, with this turn's plan."""
        raise NotImplementedError

    def assault(self, view: V, action: Action) -> Assault | None:
        """Return the attack that an order begins, if any."""
        raise NotImplementedError

    def set_mission(self, view: V, words: str) -> None:
        """Give a mission, such as "Frederick besiege Prague". Raise Invalid or Illegal."""
        missions = self.missions(view)
        self.take_up(msgspec.structs.replace(self.mind, plan=missions.after(missions.read(words))))

    def topic(self, view: V) -> str:
        """Return the topic that a player may delegate here, such as a battle or a council; "" for the order at hand
        only.
        """
        return next((self.AFFAIRS[type(frame)] for frame in reversed(view.frames) if type(frame) in self.AFFAIRS), "")

    def doubt(self, view: V, action: Action) -> str:
        """Return a reason to ask the player: a decision without plan, or an attack at worse odds than allowed."""
        frame = view.frames[-1]
        if not isinstance(frame, self.FORESEEN):
            return f"{frame.NAME} ({frame.RULE}) is not part of the plan"
        found = self.assault(view, action)
        least = (found.mission.limits if found and found.mission else Limits()).least_odds
        if found is None or found.odds >= least:
            return ""
        return f"an attack at {found.place} wins only {found.odds:.0%} of the time; you asked for {least:.0%}"

    def rule_of_thumb(self, view: V) -> str:
        """Return the rule of thumb for the innermost decision."""
        frame = view.frames[-1]
        return self.RULES_OF_THUMB.get(type(frame), f"The safest choice: {frame.NAME} ({frame.RULE}).")


Staff: TypeAlias = Commander[Any, Any]  # the staff of a player of any rule set
LAST: Final = 4  # halts remembered for each leader
_SIZE: Final = 4096  # more than the hexes of a board
_STOOD: Final = "stood "


def with_halts(notes: Mapping[str, int], stands: Iterable[tuple[LeaderId, Hex]]) -> Mapping[str, int]:
    """Return the notes with the leaders' hexes added, packed into a number for each; staying is no new halt."""
    kept = dict(notes)
    for leader, here in stands:
        stood = kept.get(key := f"{_STOOD}{leader}", 0)
        if stood % _SIZE != here + 1:
            kept[key] = (stood * _SIZE + here + 1) % _SIZE**LAST
    return kept


def halts_in(notes: Mapping[str, int]) -> dict[LeaderId, tuple[Hex, ...]]:
    """Return the last halts of each leader, the latest first."""
    found: dict[LeaderId, tuple[Hex, ...]] = {}
    for key, value in notes.items():
        if key.startswith(_STOOD):
            digits = [value // _SIZE**place % _SIZE for place in range(LAST)]
            found[LeaderId(int(key[len(_STOOD) :]))] = tuple(Hex(digit - 1) for digit in digits if digit)
    return found


def play_out(
    rules: Ruleset, state: Any, heads: Sequence[Commander[Any, Any]], is_over: Callable[[Any], bool], seed: int
) -> Any:
    """Return the position when `is_over` holds or the game ends, played by the bots `heads`.

    Each kind of roll, by its rule, has its own dice, so that plans differ only by their actions.
    """
    dice: dict[str, Stream] = {}
    while not is_over(state) and (awaited := rules.pending(state)):
        actor, rule = awaited[0].actor, awaited[0].rule
        if actor == CHANCE:
            if rule not in dice:
                dice[rule] = Stream(seed_of(seed, "dice", rule))
            action = dice[rule].pick(rules.chances(state))
        else:
            side = as_side(actor)
            legal, look = rules.legal_actions(state, side), partial(rules.view, state, side)
            action = heads[side].choose(look, legal, next(one for one in awaited if one.actor == side))
        state = rules.apply(state, actor, action).state
    return state
