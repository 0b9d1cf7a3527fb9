"""The part of a rule set that does not depend on rules: asking, checking and applying."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeVar

from leuthen.engine.choice import Action, LegalSet, Refusal, script_of
from leuthen.engine.decision import Roll
from leuthen.engine.refusal import Illegal, require, shorten
from leuthen.engine.ruleset import CHANCE, SIDES, ActorId, Outcome, Pending, Ruleset, Transition
from leuthen.engine.state import DraftPosition, FieldTable, FrozenPosition, PositionView, Values

S = TypeVar("S", bound=FrozenPosition)  # a rule set's states
D = TypeVar("D", bound=DraftPosition[Any])  # a rule set's drafts
RUNAWAY: Final = 10_000  # steps without a question after which the sequence counts as endless


class RulesetBase(Ruleset[S], ABC, Generic[S, D]):
    """The implementation of `Ruleset` for states with a stack of decisions, the innermost last."""

    data: Any  # the game's data
    names: Any  # the names used in sentences about events
    TABLE: ClassVar[FieldTable]  # the fields of its positions (`leuthen.engine.state`), which define the codec
    STATE: ClassVar[type[FrozenPosition]]
    VIEW: ClassVar[type[PositionView]]
    TWO_PLAYERS: ClassVar[str]  # the rule that limits the game to two players
    NOT_ASKED: ClassVar[str]  # the rule quoted to an actor who is not asked
    NOT_THERE: ClassVar[str]  # the rule quoted for an action that names something absent

    @abstractmethod
    def draft(self, state: S) -> D:
        """Return a draft of the next state."""

    @abstractmethod
    def resolve_hexes(self, draft: D) -> None:
        """Resolve the hexes that an answer or a step has changed."""

    def state_of(self, values: Values) -> S:
        """Return the state with these values of the fields in `TABLE`."""
        raise NotImplementedError

    def dump(self, state: S) -> bytes:
        return self.TABLE.dump(state)

    def restore(self, data: bytes) -> S:
        return self.state_of(self.TABLE.restore(self.data, data))

    def encode_view(self, view: PositionView) -> bytes:
        return self.TABLE.dump_view(self.data, view)

    def decode_view(self, data: bytes) -> PositionView:
        return self.VIEW.of(self.TABLE.restore_view(self.data, data))

    def pending(self, state: S) -> tuple[Pending, ...]:
        if state.outcome is not None:
            return ()
        if not state.pending:
            frame = state.frames[-1]
            rule, asked = frame.rule(state), list[Pending]()
            for actor in state.asked[0] if state.asked else _asked_actors(state):
                asked.append(Pending(actor, frame.NAME, rule, frame.prompt(state, actor)))
            state.pending.append(tuple(asked))
        return state.pending[0]

    def legal_actions(self, state: S, actor: ActorId) -> LegalSet:
        legal = state.legal.get(actor)
        if legal is None:
            legal = state.legal[actor] = self._legal(state, actor)
        return legal

    def _legal(self, state: S, actor: ActorId) -> LegalSet:
        if state.outcome is not None:
            return LegalSet.empty(Refusal(state.outcome.rule, "the game has ended"))
        frame = state.frames[-1]
        if actor == CHANCE:
            answers = [answer for answer, _ in frame.chances(state)]
            if not answers:
                return LegalSet.empty(Refusal(self.NOT_ASKED, "chance is not being asked"))
            return LegalSet(lambda: script_of(answers, frame.rule(state), "{} is not an answer of chance here"))
        if actor not in SIDES:
            return LegalSet.empty(Refusal(self.TWO_PLAYERS, "there are two players"))
        if not self.is_asked(state, actor):
            return LegalSet.empty(Refusal(self.NOT_ASKED, "the {} is not being asked", (self.names.side(actor),)))
        return LegalSet(lambda: frame.script(state, actor), self.NOT_THERE, partial(self.explain_unknown, state))

    def explain_unknown(self, state: S, action: Action) -> Refusal | None:
        """Return a refusal that names what an action gets wrong, if the rule set can tell."""
        return None

    def chances(self, state: S) -> tuple[tuple[Action, Fraction], ...]:
        if state.outcome is not None:
            return ()
        found: tuple[tuple[Action, Fraction], ...] = state.frames[-1].chances(state)
        return found

    def apply(self, state: S, actor: ActorId, action: Action) -> Transition:
        refusal = self.why_not(state, actor, action)
        if refusal is not None:
            raise Illegal(refusal)
        draft = self.draft(state)
        draft.frames[-1].answer(draft, actor, action)
        self.resolve_hexes(draft)
        run_sequence(draft, self.resolve_hexes)
        return Transition(draft.freeze(), tuple(draft.facts), draft.learned, self.is_open(state))

    def forced(self, state: S, actor: ActorId) -> Action | None:
        if state.outcome is not None or actor not in SIDES or actor not in _asked_actors(state):
            return None
        if not (self.is_open(state) or state.frames[-1].is_evident(state, actor)):
            return None
        return self.legal_actions(state, actor).only_action()

    def neutral(self, state: S, actor: ActorId) -> Action | None:
        if state.outcome is not None or actor not in SIDES or actor not in _asked_actors(state):
            return None
        legal = self.legal_actions(state, actor)
        found = state.frames[-1].neutral(state, actor)
        return found if found is not None and found in legal else legal.only_action()

    def is_open(self, state: S) -> bool:
        """Return whether the game has no hidden facts."""
        return False

    def why_not(self, state: S, actor: ActorId, action: Action) -> Refusal | None:
        """Return the refusal of an action, or None if it is legal."""
        if actor == CHANCE and state.outcome is None:
            frame = state.frames[-1]
            answers = [answer for answer, _ in frame.chances(state)]
            if action in answers:
                return None
            rolls = [answer.die for answer in answers if isinstance(answer, Roll)]
            if rolls and isinstance(action, Roll):
                reason = "{} cannot be rolled: it is {} to {}"
                return Refusal(frame.rule(state), reason, (action.die, min(rolls), max(rolls)))
            return Refusal(frame.rule(state), "{} is not an answer of chance here", (action.do,))
        return (state.legal.get(actor) or self.legal_actions(state, actor)).why_not(action)

    def is_asked(self, state: S, actor: ActorId) -> bool:
        """Return whether a side may answer now: it is asked, or may reopen its sealed answer."""
        frame = state.frames[-1]
        asked = state.asked[0] if state.asked else _asked_actors(state)
        return actor in SIDES and (actor in asked or frame.is_open_to(state, actor))

    def outcome(self, state: S) -> Outcome | None:
        return state.outcome

    def date(self, state: S) -> tuple[int, int]:
        return state.year, state.turn


def _asked_actors(state: FrozenPosition) -> tuple[ActorId, ...]:
    asked = state.asked
    if not asked:
        asked.append(state.frames[-1].actors(state))
    return asked[0]


def run_sequence(draft: D, resolve_hexes: Callable[[D], None]) -> None:
    """Run the sequence until an actor is asked or the game ends, and resolve the changed hexes after each step."""
    for _ in range(RUNAWAY):
        if draft.outcome is not None:
            return
        frame = draft.frames[-1]
        if frame.actors(draft):
            return
        frame.step(draft)
        resolve_hexes(draft)
    raise RuntimeError(f"the sequence of play runs away in {frame.NAME}")


def resolve_options(known: Mapping[str, tuple[str, ...]], given: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every option; a number stands for its text. Raise Invalid for an unknown option or value."""
    chosen = {name: values[0] for name, values in known.items()}
    for name, value in given.items():
        require(name in known, f'"{shorten(name)}" is not a valid option: {", ".join(known)}')
        chosen[name] = str(value)
        other = f'option {name}: "{shorten(chosen[name])}" is not among {", ".join(known[name])}'
        require(chosen[name] in known[name], other)
    return chosen
