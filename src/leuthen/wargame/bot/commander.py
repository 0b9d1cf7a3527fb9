"""A general with a thought: what he answers follows from the view, the thought before and his own seed; he also serves
a player as staff, who changes his missions and is asked where a plan foresees nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.wargame.board import Board
from leuthen.wargame.missions import Missions
from leuthen.wargame.plans import Limits, Mission, Plan, Thought, encode_thought, expect_known, recall

Proposals: TypeAlias = Mapping[type[Decision], Callable[[Any, Any], Iterator[Action]]]
"""By decision, what proposes actions in a situation, the best first; all others get the action that commits least."""
NOTHING: Final = (("done",), ("hold",))
"""What is answered without a look where it is all that may be said."""


class Asked(Protocol):
    """A view of a game."""

    @property
    def frames(self) -> Sequence[Decision]:
        """The decisions in progress."""
        ...


class LeadersAndBoard(Protocol):
    """The leaders and the board of a game."""

    @property
    def leaders(self) -> Sized: ...
    @property
    def board(self) -> Board: ...


class Assault(NamedTuple):
    """An attack that an order begins: where, the chance of victory, and the mission of the army."""

    place: str
    odds: float
    mission: Mission | None


V = TypeVar("V", bound=Asked)
S = TypeVar("S")
"""A view, and a position as the general sees it."""


class Commander(Generic[V, S]):
    """A bot that goes by a plan, and a player's staff.

    A rule set writes how a position is considered, what proposes orders, which missions may be given, and what its
    plans foresee. Tables that hold in any position are all else that a general keeps.
    """

    PROPOSALS: ClassVar[Proposals]
    FORESEEN: ClassVar[tuple[type[Decision], ...]]
    """What a plan has orders for; with all else the player is asked."""
    AFFAIRS: ClassVar[Mapping[type[Decision], str]]
    """What belongs together, by a decision that it begins with."""
    HABITS: ClassVar[Mapping[type[Decision], str]]
    """What he goes by, by decision."""

    def __init__(self, ruleset: str, known: LeadersAndBoard, side: Side, seed: int) -> None:
        self._known = known
        self._fresh = ruleset, side, seed
        self._mind, self.word = recall(b"", ruleset, side, seed)
        self._bytes: bytes | None = b""

    @property
    def thought(self) -> bytes:
        """The thought as bytes, which a table keeps secretly with the seat."""
        if self._bytes is None:
            self._bytes = encode_thought(self._mind)
        return self._bytes

    @thought.setter
    def thought(self, data: bytes) -> None:
        """Takes up a thought of before; one that is of no use is dropped, and `word` says so."""
        self._mind, self.word = recall(data, *self._fresh, self._expect)
        self._bytes = data if not self.word else b""

    def _expect(self, plan: Plan) -> None:
        expect_known(plan.missions, len(self._known.leaders), self._known.board)

    @property
    def mind(self) -> Thought:
        """The thought as a value."""
        return self._mind

    def take_up(self, mind: Thought) -> None:
        """Another thought is his from now on."""
        if mind is not self._mind:
            self._mind, self._bytes = mind, None

    # --- orders -------------------------------------------------------------------------------------------------------

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The order of his plan; the thought is then the one after it."""
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
        """The position as he sees it, and the thought after a look at it: with another plan if it is time for one."""
        raise NotImplementedError

    def adopt(self, s: S, mind: Thought) -> None:
        """The plan of a thought is carried out in a situation from now on."""
        raise NotImplementedError

    def pick(self, view: V, s: S, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        """The order by which a plan is carried out, and the thought with it."""
        return next(self.orders(view, s, mind, legal)), mind

    def orders(self, view: V, s: S, mind: Thought, legal: LegalSet) -> Iterator[Action]:
        """The legal proposals that serve a plan, the best first, and what commits least."""
        self.adopt(s, mind)
        frame = view.frames[-1]
        yield from (action for action in self.PROPOSALS[type(frame)](s, frame) if action in legal)
        yield next(iter(legal))

    # --- staff --------------------------------------------------------------------------------------------------------

    def think(self, view: V) -> S:
        """The position as he sees it, when he has made the plan of this turn if there was none yet."""
        s, after = self.consider(view, self._mind)
        self.take_up(after)
        return s

    def missions(self, view: V) -> Missions:
        """The plan of this turn, and the missions that may be given."""
        raise NotImplementedError

    def assault(self, view: V, action: Action) -> Assault | None:
        """The attack that an order begins; None if it begins none."""
        raise NotImplementedError

    def obey(self, view: V, words: str) -> None:
        """«Frederick besiege Prague»: the army that he commands, or he alone, gets the mission."""
        missions = self.missions(view)
        self.take_up(msgspec.structs.replace(self.mind, plan=missions.after(missions.read(words))))

    def affair(self, view: V) -> str:
        """The affair that the innermost decision is a part of: a battle, a council, an exchange of prisoners."""
        return next((self.AFFAIRS[type(frame)] for frame in reversed(view.frames) if type(frame) in self.AFFAIRS), "")

    def doubt(self, view: V, action: Action) -> str:
        """What a plan does not foresee, and attacks at worse odds than the mission allows."""
        frame = view.frames[-1]
        if not isinstance(frame, self.FORESEEN):
            return f"{frame.NAME} ({frame.RULE}) was not foreseen"
        found = self.assault(view, action)
        if found is None:
            return ""
        least = (found.mission.limits if found.mission is not None else Limits()).least_odds
        weak = f"an attack at {found.place} would be won with {found.odds:.0%}, and {least:.0%} are asked for"
        return weak if found.odds < least else ""

    def habit(self, view: V) -> str:
        """What he goes by in the innermost decision."""
        frame = view.frames[-1]
        return self.HABITS.get(type(frame), f"It commits least in what is asked: {frame.NAME} ({frame.RULE}).")
