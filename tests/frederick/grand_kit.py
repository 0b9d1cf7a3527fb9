"""What the tests of the campaign chapters share: small positions, and decisions answered one by one."""

from __future__ import annotations

from typing import Any

from leuthen.engine.choice import Action, LegalSet, Refusal
from leuthen.engine.decision import Done, Roll
from leuthen.engine.events import Event
from leuthen.engine.ruleset import CHANCE, NOBODY, as_side, as_viewer
from leuthen.rulesets.frederick.model.actions import Draw
from leuthen.rulesets.frederick.model.data import PRUSSIA, GameOptions, power_named
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.model.names import Names
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, ON_MAP, POOL, PRUSSIAN
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, State, make_state
from leuthen.rulesets.frederick.rules.c02_setup import new_position
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import StackKey, parse_hex, stack_key
from leuthen.wargame.strength import PowerId, bag, of
from tests.frederick.handmade import game_data, hexagon, leader

NAMES = Names(game_data())
PEACE = (PRUSSIAN, AUSTRIAN, *(NOBODY,) * 6)


class Bottom(Decision, frozen=True, gc=False, tag="test-bottom"):
    """What lies under the decisions of a test: nobody is asked any more."""

    def actors(self, pos: Position) -> tuple[Any, ...]:
        return (NOBODY + 1,)


class Scene:
    """A small position in which decisions are answered one by one; `facts` and `learned` are of the last answer."""

    def __init__(self, year: int = 1757, turn: int = 18, options: GameOptions | None = None, **fields: Any) -> None:
        data = game_data()
        owners = {here: fort.power if fort.power in (0, 1) else NOBODY for here, fort in data.fortresses.items()}
        values = {
            "options": options or GameOptions(),
            "year": year,
            "turn": turn,
            "allegiance": PEACE,
            "owners": owners,
            "roster": tuple(POOL for _ in data.leaders),
            "arrival": tuple(one.start for one in data.leaders),
        }
        self.draft = Draft(make_state(data, **{**values, **fields}))
        self.draft.frames = (Bottom(),)
        self.facts: list[Event] = []
        self.learned: Any = 0

    @property
    def pos(self) -> State:
        """The position as it stands."""
        return self.draft.freeze()

    def sides(self, **powers: int) -> Scene:
        """Powers by name that are on a side, with their home fortresses."""
        for name, side in powers.items():
            power = self._power(name)
            self.draft.set_allegiance(power, as_side(side))
            for here, fort in game_data().fortresses.items():
                if fort.power == power:
                    self.draft.set_owner(here, as_side(side))
        return self

    @staticmethod
    def _power(name: str) -> PowerId:
        return power_named(name)

    def put(
        self, place: str, side: int, power: PowerId = PRUSSIA, points: int = 0, *who: str, inside: bool = False,
        band: tuple[int, int, int] = (1, 999, 0),
    ) -> Scene:  # fmt: skip
        """SP and leaders in a hex, on top of those that stand there."""
        here = hexagon(place)
        old = self.draft.stacks.get(stack_key(here, as_side(side), inside))
        numbers = tuple(leader(name) for name in who)
        for number in numbers:
            self.draft.set_roster(number, ON_MAP)
        sp, leaders = (old.sp, old.leaders) if old is not None else (0, ())
        whole = sp + bag(power, points)
        self.draft.put(make_stack(self.draft, here, as_side(side), inside, whole, (*leaders, *numbers), None, band))
        self.draft.touched.clear()
        return self

    def begin(self, decision: Decision) -> Scene:
        """Starts a decision or a phase."""
        self.draft.push(decision)
        self._run()
        return self

    @property
    def frame(self) -> Any:
        """The decision in progress."""
        return self.draft.frames[-1]

    @property
    def asked(self) -> Any:
        """Who is asked; nobody when all is done."""
        return () if isinstance(self.frame, Bottom) else self.frame.actors(self.pos)

    def legal(self, side: int | None = None) -> LegalSet[Any]:
        """What may be answered."""
        pos, frame = self.pos, self.frame
        actor = self.asked[0] if side is None else side
        return LegalSet(lambda: frame.script(pos, actor))

    def why_not(self, action: Action, side: int | None = None) -> Refusal | None:
        """Why an action is not legal, or None."""
        return self.legal(side).why_not(action)

    def rule_against(self, action: Action, side: int | None = None) -> str:
        """The number of the rule that forbids an action."""
        refusal = self.why_not(action, side)
        assert refusal is not None, f"{action} is legal"
        assert refusal.text
        return refusal.rule

    def do(self, *actions: Action, side: int | None = None) -> Scene:
        """Answers as a side, each action only if it is legal."""
        for action in actions:
            refusal = self.why_not(action, side)
            assert refusal is None, refusal.text
            self._answer(self.asked[0] if side is None else side, action)
        return self

    def roll(self, *dice: int) -> Scene:
        """Answers as chance with dice."""
        for die in dice:
            assert Roll(die) in dict(self.frame.chances(self.pos))
            self._answer(CHANCE, Roll(die))
        return self

    def draw(self, *names: str) -> Scene:
        """Answers as chance with leaders drawn."""
        for name in names:
            assert Draw(leader(name)) in dict(self.frame.chances(self.pos))
            self._answer(CHANCE, Draw(leader(name)))
        return self

    def done(self) -> Scene:
        """The side that is asked has done."""
        return self.do(Done())

    def _answer(self, actor: int, action: Action) -> None:
        frame = self.frame
        self.draft = Draft(self.draft)
        frame.answer(self.draft, actor, action)
        resolve_hexes(self.draft)
        self._run()

    def _run(self) -> None:
        while not self.frame.actors(self.draft) and self.draft.outcome is None:
            self.frame.step(self.draft)
            resolve_hexes(self.draft)
        self.facts, self.learned = self.draft.facts, self.draft.learned
        for fact in self.facts:
            for viewer in (0, 1, 2, 3):
                seen = fact.seen_by(as_viewer(viewer))
                assert seen is None or seen.tell(NAMES)

    def told(self, viewer: int = 3) -> str:
        """What a viewer is told of the last answer, a line each."""
        seen = (fact.seen_by(as_viewer(viewer)) for fact in self.facts)
        return "\n".join(event.tell(NAMES) for event in seen if event is not None)

    def sp(self, place: str, side: int, power: PowerId) -> tuple[int, int]:
        """The SP of a power in a hex, in the field and inside."""
        here = hexagon(place)
        stacks = (self.draft.field(here, as_side(side)), self.draft.inside(here, as_side(side)))
        field, inside = (of(stack.sp, power) if stack is not None else 0 for stack in stacks)
        return field, inside

    def key(self, place: str, side: int, inside: bool = False) -> StackKey:
        """The key of a stack."""
        return stack_key(hexagon(place), as_side(side), inside)


def opening(**options: Any) -> Scene:
    """The set-up of the campaign, with both majors about to deploy."""
    scene = Scene()
    scene.draft = Draft(new_position(game_data(), "campaign", GameOptions(**options), (Bottom(),)))
    return scene


__all__ = ["NAMES", "Bottom", "Scene", "game_data", "hexagon", "leader", "opening", "parse_hex"]
