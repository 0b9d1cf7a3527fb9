"""A toy rule set for the `Ruleset` interface: sealed bids, a die, hidden purses, steps and a peek.

T1 Each side seals a bid of 1 to 3, at the same time; until both have, a bid may be reopened. T2 Then a die of chance
(1: 1/2, 2: 1/3, 3: 1/6) is added to the steps of both. T3 In turn each side steps up to twice (T3.1), north or south by
1 or 2, south never below 0 (T3.2); peeks at the other's bid, once a game (T3.3); and is done (T3.4). T4 After the last
round the higher sum of steps and bids wins; bids add up hidden.

A test can create a variant: `north` is the longest step north (T3.2).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec

from leuthen.engine.choice import STOP, Action, LegalSet, RandomSource, Refusal, Script, Slot, Token
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import (
    CHANCE,
    EVERYTHING,
    SIDES,
    ActorId,
    Outcome,
    Pending,
    Side,
    Transition,
    ViewerId,
    as_side,
)
from leuthen.plugin import Plugin
from leuthen.screen.presenter import Presenter, Standing
from tests.toy_presenter import present_toy

__all__ = ["STOP", "Bid", "Die", "Done", "Peek", "Reopen", "Step", "Toy", "ToyState"]


class Bid(Action, frozen=True, tag="bid"):
    points: int


class Reopen(Action, frozen=True, tag="reopen"):
    pass


class Die(Action, frozen=True, tag="die"):
    roll: int


class Step(Action, frozen=True, tag="step"):
    way: str
    far: int


class Peek(Action, frozen=True, tag="peek"):
    pass


class Done(Action, frozen=True, tag="done"):
    pass


class ToyState(msgspec.Struct, frozen=True, omit_defaults=True):
    rounds: int
    phase: Literal["bid", "roll", "move", "over"] = "bid"
    round: int = 1
    sealed: tuple[int, int] = (0, 0)
    hidden: tuple[int, int] = (0, 0)
    steps: tuple[int, int] = (0, 0)
    turn: Side = 0
    taken: int = 0
    peeked: tuple[bool, bool] = (False, False)


class ToyView(msgspec.Struct, frozen=True):
    """A viewer's view: the state, with -1 for hidden values."""

    viewer: int
    state: ToyState


class ToyEntry(msgspec.Struct, frozen=True):
    text: str


class ToyEvent(msgspec.Struct, frozen=True):
    """An event: `text` for the viewers in the mask `full`, `public` for the others ("" for no text)."""

    text: str
    full: int = 0b1111
    public: str = ""

    def mask_for(self, viewer: ViewerId) -> ToyEntry | None:
        if self.full >> viewer & 1:
            return ToyEntry(self.text)
        return ToyEntry(self.public) if self.public else None


DICE = ((Die(1), Fraction(1, 2)), (Die(2), Fraction(1, 3)), (Die(3), Fraction(1, 6)))
WORDS: dict[str, type[Action]] = {kind.__name__.lower(): kind for kind in (Bid, Reopen, Die, Step, Peek, Done)}


def set_side(pair: tuple[Any, Any], side: ActorId, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if side == 0 else (pair[0], value)


class Toy:
    def __init__(self, endless: bool = False) -> None:
        self.name = "toy"
        self.version = "1"
        self.digest = "feedc0de"
        self.sides = ("prussia", "austria")
        self.scenarios: Mapping[str, str] = {"parley": "Two bid and step."}
        self.options: Mapping[str, tuple[str, ...]] = {"rounds": ("3", "1", "5")}
        self.north = 2
        self.endless = endless
        self.presenter: Presenter = present_toy(self)
        self.standing: Standing | None = None

    def new_game(self, scenario: str, options: Mapping[str, str]) -> ToyState:
        if scenario not in self.scenarios:
            raise Invalid(f'"{scenario}" is not a valid scenario: parley')
        for name, value in options.items():
            if name not in self.options:
                raise Invalid(f'"{name}" is not a valid option: rounds')
            if value not in self.options[name]:
                raise Invalid(f'"{value}" is not a valid value of the option {name}: 3, 1, 5')
        return ToyState(int(options.get("rounds", "3")))

    def pending(self, state: ToyState) -> tuple[Pending, ...]:
        if state.phase == "bid":
            return tuple(Pending(side, "bid", "T1", "seal a bid") for side in SIDES if not state.sealed[side])
        if state.phase == "roll":
            return (Pending(CHANCE, "die", "T2", "a die is rolled"),)
        if state.phase == "move":
            return (Pending(state.turn, "move", "T3", "step, peek or be done"),)
        return ()

    def legal_actions(self, state: ToyState, actor: ActorId) -> LegalSet[Any]:
        return LegalSet(lambda: self._script(state, actor))

    def _script(self, state: ToyState, actor: ActorId) -> Script[Any]:
        verbs = self._verbs(state, actor)
        verb = yield Slot(
            "do",
            verbs,
            lambda token: Refusal("T3", "{} is not possible now", (token,)),
            refused=lambda: ("bid", "peek"),
        )
        if verb == "bid":
            points = yield Slot("points", (1, 2, 3), lambda token: Refusal("T1", "{} is no bid", (token,)))
            return Bid(int(points))
        if verb == "step":
            way = yield Slot("way", ("north", "south"), lambda token: Refusal("T3", "{} is no way", (token,)))
            return (yield from self._step(state, actor, str(way)))
        return WORDS[str(verb)]()

    def _step(self, state: ToyState, actor: ActorId, way: str) -> Script[Any]:
        room = self.north if way == "north" else min(2, state.steps[actor])
        values = tuple(range(room + 1))
        far = yield Slot("far", values, lambda token: Refusal("T3.2", "{} is too far, {} at most", (token, room)))
        return Step(way, int(far))

    def _verbs(self, state: ToyState, actor: ActorId) -> tuple[Token, ...]:
        if state.phase == "bid":
            return ("reopen",) if state.sealed[actor] else ("bid",)
        if state.phase != "move" or state.turn != actor:
            return ()
        peek = () if state.peeked[actor] else ("peek",)
        step = ("step",) if state.taken < 2 or self.endless else ()
        return (*step, *peek) if self.endless else ("done", *step, *peek)

    def chances(self, state: ToyState) -> tuple[tuple[Action, Fraction], ...]:
        return DICE if state.phase == "roll" else ()

    def apply(self, state: ToyState, actor: ActorId, action: Action) -> Transition:
        if actor == CHANCE:
            if action not in [answer for answer, _ in self.chances(state)]:
                raise Illegal(Refusal("T2", "no such die"))
        elif refusal := self.legal_actions(state, actor).why_not(action):
            raise Illegal(refusal)
        after, fact, learned = self._do(state, actor, action)
        return Transition(after, (fact,), learned)

    def _do(self, state: ToyState, actor: ActorId, action: Action) -> tuple[ToyState, ToyEvent, int]:
        change = msgspec.structs.replace
        if isinstance(action, Bid):
            return self._sealed(state, actor, action)
        if isinstance(action, Reopen):
            return change(state, sealed=set_side(state.sealed, actor, 0)), ToyEvent("The bid is reopened."), 0
        if isinstance(action, Die):
            up = (state.steps[0] + action.roll, state.steps[1] + action.roll)
            return change(state, phase="move", steps=up, turn=0, taken=0), ToyEvent(f"The die shows {action.roll}."), 0
        name = self.sides[actor]
        if isinstance(action, Step):
            far = action.far if action.way == "north" else -action.far
            moved = set_side(state.steps, actor, state.steps[actor] + far)
            return change(state, steps=moved, taken=state.taken + 1), ToyEvent(f"{name} steps {far:+}."), 0
        if isinstance(action, Peek):
            bid = state.hidden[1 - actor]
            fact = ToyEvent(f"{name} sees {bid}.", 1 << actor | 1 << EVERYTHING, f"{name} peeks.")
            return change(state, peeked=set_side(state.peeked, actor, True)), fact, 1 << actor
        return self._next_turn(state), ToyEvent(f"{name} is done."), 0

    def _sealed(self, state: ToyState, actor: ActorId, action: Bid) -> tuple[ToyState, ToyEvent, int]:
        name = self.sides[actor]
        fact = ToyEvent(f"{name} bids {action.points}.", 1 << actor | 1 << EVERYTHING, f"{name} seals a bid.")
        sealed = set_side(state.sealed, actor, action.points)
        if not all(sealed):
            return msgspec.structs.replace(state, sealed=sealed), fact, 0
        hidden = (state.hidden[0] + sealed[0], state.hidden[1] + sealed[1])
        return msgspec.structs.replace(state, sealed=(0, 0), hidden=hidden, phase="roll"), fact, 0

    def _next_turn(self, state: ToyState) -> ToyState:
        if state.turn == 0:
            return msgspec.structs.replace(state, turn=1, taken=0)
        if state.round < state.rounds:
            return msgspec.structs.replace(state, round=state.round + 1, phase="bid")
        return msgspec.structs.replace(state, phase="over")

    def view(self, state: ToyState, viewer: ViewerId) -> ToyView:
        knows = [viewer in (side, EVERYTHING) for side in SIDES]
        sealed = tuple(bid if know or not bid else -1 for bid, know in zip(state.sealed, knows, strict=True))
        hidden = tuple(
            bid if know or (viewer < 2 and state.peeked[viewer]) else -1
            for bid, know in zip(state.hidden, knows, strict=True)
        )
        return ToyView(viewer, msgspec.structs.replace(state, sealed=sealed, hidden=hidden))

    def encode_view(self, view: ToyView) -> bytes:
        return msgspec.json.encode(view)

    def decode_view(self, data: bytes) -> ToyView:
        return msgspec.json.decode(data, type=ToyView)

    def date(self, state: ToyState) -> tuple[int, int]:
        return 1756 + state.round - 1, 1

    def sample_state(self, view: ToyView, rng: RandomSource) -> ToyState:
        state = view.state
        sealed = tuple(1 + int(3 * rng.random()) if bid < 0 else bid for bid in state.sealed)
        return msgspec.structs.replace(state, sealed=sealed, hidden=tuple(max(bid, 1) for bid in state.hidden))

    def forced(self, state: ToyState, actor: ActorId) -> Action | None:
        return None

    def neutral(self, state: ToyState, actor: ActorId) -> Action | None:
        return Done() if Done() in self.legal_actions(state, actor) else None

    def outcome(self, state: ToyState) -> Outcome | None:
        if state.phase != "over":
            return None
        sums = [steps + bid for steps, bid in zip(state.steps, state.hidden, strict=True)]
        winner = None if sums[0] == sums[1] else as_side(sums[1] > sums[0])
        return Outcome(winner, "points", "T4", 1756 + state.rounds)

    def parse_action(self, state: ToyState, actor: ActorId, text: str) -> Action:
        verb, *words = text.split() or [""]
        kind = WORDS.get(verb)
        if kind is None:
            raise Invalid(f'"{verb}" is not a valid order: {", ".join(WORDS)}')
        try:
            values = [int(word) if word.lstrip("-").isdigit() else word for word in words]
            return msgspec.convert({"do": verb, **dict(zip(kind.__struct_fields__, values, strict=True))}, kind)
        except (ValueError, msgspec.ValidationError):
            raise Invalid(f'"{text}" says too much or too little') from None

    def format_action(self, state: ToyState, actor: ActorId, action: Action) -> str:
        return " ".join([action.do, *(str(value) for value in msgspec.structs.astuple(action))])

    def complete(self, state: ToyState, actor: ActorId, text: str) -> Sequence[str]:
        words = text.split(" ")
        partial = [int(word) if word.isdigit() else word for word in words[:-1]]
        try:
            values = self.legal_actions(state, actor).options(partial).values
        except ValueError:
            return ()
        return [str(value) for value in values if str(value).startswith(words[-1])]

    def dump(self, state: ToyState) -> bytes:
        return msgspec.json.encode(state)

    def restore(self, data: bytes) -> ToyState:
        try:
            return msgspec.json.decode(data, type=ToyState)
        except msgspec.MsgspecError as error:
            raise Invalid(str(error)) from error

    def summary(self, state: ToyState) -> dict[str, Any]:
        return {"vp": list(state.steps), "year": 1756 + state.rounds}


def make_toy(files: Mapping[str, str]) -> Toy:
    """Return the toy as `load` creates it, with the digest of its one data file."""
    digest, *_ = files.get("toy.csv", "").split() or [""]
    toy = Toy()
    if not digest.startswith("digest,"):
        raise Invalid("toy.csv, line 1: no digest")
    toy.digest = digest.removeprefix("digest,")
    return toy


class ToyPlugin(Plugin):
    """Plug-in of the toy, with its data in these folders."""

    name = "toy"

    def __init__(self, *data: Path, rulebook: Path, rulings: Path | None = None) -> None:
        self.data = data
        self.rulebook = rulebook
        self.rulings = rulings

    def make(self, files: Mapping[str, str]) -> Toy:
        return make_toy(files)
