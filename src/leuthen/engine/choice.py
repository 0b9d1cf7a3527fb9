"""Legal sets as scripts that fill in an action slot by slot.

A script is a generator: it yields one `Slot` after another, receives the chosen value, and returns the action. The same
script answers which values may come next, why others may not, and why an action is illegal; it also draws random
actions and lists a canonical subset.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, NoReturn, Protocol, Self, TypeAlias, dataclass_transform

import msgspec
from typing_extensions import TypeVar

from leuthen.engine.refusal import Illegal
from leuthen.engine.refusal import Refusal as Refusal

BETWEEN_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tag_of(name: str) -> str:
    """Return the tag of a class: "party-choice" for `PartyChoice`."""
    return BETWEEN_WORDS.sub("-", name).lower()


class Kind(msgspec.StructMeta):
    """Metaclass of actions, decisions and events: `class Attack(Decision, rule="O9.2", name="Attack")` sets `RULE` and
    `NAME`.

    A keyword sets the constant of the same name in capitals, if a base has it; other keywords are for `msgspec`.
    `SETTINGS` of a base are `msgspec` settings for its subclasses, which do not inherit them.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **head: Any) -> "Kind":
        said = {key.upper(): head.pop(key) for key in tuple(head) if any(hasattr(base, key.upper()) for base in bases)}
        settings = next((base.SETTINGS for base in bases if hasattr(base, "SETTINGS")), head)
        return super().__new__(mcs, name, bases, namespace | said, **(settings | head))


K = TypeVar("K")
C = TypeVar("C")
R = TypeVar("R")
ByKind: TypeAlias = Mapping[type[K], Callable[[C, Any], R]]
"""Functions by the type of an event, action or decision; each gets its context and a value of that type."""
Token: TypeAlias = int | str
STOP = -1  # token that ends a list, such as companions or a path


class RandomSource(Protocol):
    """A source of random numbers in [0, 1)."""

    def random(self) -> float: ...


FRUITLESS: Final = 10_000  # failed draws after which a legal set counts as empty


class Slot(msgspec.Struct, eq=False):
    """One question of a script.

    `name` is the field of the action that the answer fills, `index` its place if the field is a list. `values` are the
    legal answers; if there are none, this branch leads nowhere. `refuse` explains an illegal value, or is the same for
    all; `explain` explains a whole action with an illegal value; `refused` lists illegal values worth showing. `price`
    returns the cost of a value as text. `canon` is the subset used by iteration. `about` is the subject of the
    question, such as a moving force, for display.
    """

    name: str
    values: Sequence[Token]
    refuse: Callable[[Token], Refusal] | Refusal
    index: int | None = None
    refused: Callable[[], Sequence[Token]] | None = None
    price: Callable[[Token], str] | None = None
    canon: Sequence[Token] | None = None
    about: object = None
    explain: "Callable[[Action], Refusal | None] | None" = None

    def why_not(self, action: "Action", token: Token) -> Refusal:
        """Return why an action with this answer is illegal, preferably from all its fields."""
        return (self.explain(action) if self.explain is not None else None) or self.refusal(token)

    def refusal(self, token: Token) -> Refusal:
        """Return why a value is illegal."""
        return self.refuse if isinstance(self.refuse, Refusal) else self.refuse(token)


@dataclass_transform(frozen_default=True)
class Action(msgspec.Struct, metaclass=Kind, frozen=True, tag_field="do", tag=tag_of):
    """An actor's answer to a decision; `do` is its word in the record.

    `READABLE` formats field values as readable expressions, by the name of the field's type.
    """

    READABLE: ClassVar[Mapping[str, Callable[[Any], str]]] = {}
    IDLE: ClassVar[bool] = False
    """Whether the action changes nothing, so that it may be given for a side that is absent."""

    def reply(self, slot: Slot) -> Token:
        """Return this action's answer to a question of a script."""
        value = getattr(self, slot.name)
        token: Token = value if slot.index is None else value[slot.index] if slot.index < len(value) else STOP
        return token

    def __repr__(self) -> str:
        told = []
        for field in msgspec.structs.fields(self):
            name, value = field.name, getattr(self, field.name)
            kind = next(kind.__annotations__[name] for kind in type(self).__mro__ if name in kind.__annotations__)
            if value != field.default:
                told.append(f"{name}={self.READABLE.get(kind, repr)(value)}")
        return f"{type(self).__name__}({', '.join(told)})"

    def doubt(self, view: Any) -> str:
        """Return what a player should know before giving this order; "" if it is not suspicious."""
        return ""

    @property
    def do(self) -> str:
        return str(self.__struct_config__.tag)


A = TypeVar("A", bound=Action, default=Action, covariant=True)
M = TypeVar("M", bound=Token)
Script: TypeAlias = Generator[Slot, Token, A]


class Options(msgspec.Struct, frozen=True):
    """The possible next values of a partial action, with prices, and refused values with reasons.

    `action` is the finished action if nothing is left to fill in; `slot` is then empty.
    """

    slot: str
    values: tuple[Token, ...] = ()
    prices: tuple[str, ...] = ()
    refused: tuple[tuple[Token, Refusal], ...] = ()
    action: Action | None = None
    index: int | None = None  # the place in the field, if it is a list; for SP the power


class LegalSet(Generic[A]):
    """The legal actions of an actor in a position."""

    __slots__ = ("_explain_unknown", "_rule", "_script", "vetted")

    def __init__(
        self,
        script: Callable[[], Script[A]],
        rule: str = "",
        explain_unknown: Callable[[Action], Refusal | None] | None = None,
    ) -> None:
        """`rule` is quoted for an action with superfluous fields; `explain_unknown` may explain them better."""
        self._script = script
        self._rule = rule
        self._explain_unknown = explain_unknown
        self.vetted: Action | None = None

    @classmethod
    def empty(cls, refusal: Refusal) -> Self:
        """Return a set that refuses every action with the same refusal."""

        def script() -> Script[A]:
            yield Slot("do", (), refusal)
            raise Illegal(refusal)

        return cls(script)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a LegalSet cannot be pickled: send the view's bytes and ask legal_actions of a world of it")

    def sample(self, rng: RandomSource) -> A:
        """Draw an action slot by slot; every legal action has a chance.

        Raise Illegal if the set is empty, RuntimeError if no draw succeeds, which is a fault of the rule set.
        """
        draw = rng.random
        for _ in range(FRUITLESS):
            script = self._script()
            try:
                slot = next(script)
                if not slot.values:
                    raise Illegal(slot.refusal(""))
                while values := slot.values:
                    slot = script.send(values[int(draw() * len(values))])
            except StopIteration as end:
                action: A = end.value
                self.vetted = action
                return action
        raise RuntimeError(f'after {FRUITLESS} draws there is no legal answer to "{slot.name}"')

    def why_not(self, action: Action) -> Refusal | None:
        """Return the refusal of an action, or None if it is legal."""
        if action is self.vetted:
            return None
        script = self._script()
        try:
            slot = next(script)
            while True:
                try:
                    token = action.reply(slot)
                except AttributeError:
                    token = ""
                if token not in slot.values:
                    return slot.why_not(action, token)
                slot = script.send(token)
        except StopIteration as end:
            if end.value != action:
                why = self._explain_unknown(action) if self._explain_unknown is not None else None
                return why or Refusal(self._rule, '"{}" names what is not there', (action.do,))
            self.vetted = action
            return None

    def default(self) -> A:
        """Return the action that commits least: the first of the canonical subset, `done` if it is legal.

        Raise Illegal if the set is empty.
        """
        for action in self:
            return action
        slot = self.first()
        raise Illegal(slot.refusal("") if slot else Refusal(self._rule, "there is no legal answer"))

    def only_action(self) -> A | None:
        """Return the only legal action; None if there are several or none."""
        return self.fill(lambda slot: slot.values[0] if len(slot.values) == 1 else None)

    def __contains__(self, action: Action) -> bool:
        return self.why_not(action) is None

    def first(self) -> Slot | None:
        """Return the first question; None if there is none."""
        return next(self._script(), None)

    def options(self, partial: Sequence[Token] = ()) -> Options:
        """Return what may follow the tokens of `partial`. Raise ValueError if one of them is illegal."""
        asked, tokens = list[Slot](), iter(partial)

        def answer(slot: Slot) -> Token | None:
            asked.append(slot)
            return next(tokens, None)

        action = self.fill(answer)
        return options_of(asked[-1]) if action is None else Options("", action=action)

    def fill(self, answer: Callable[[Slot], Token | None]) -> A | None:
        """Return the action with these answers; None as soon as `answer` returns None.

        Raise ValueError if an answer is illegal.
        """
        script = self._script()
        try:
            slot = next(script)
            while (token := answer(slot)) is not None:
                if token not in slot.values:
                    raise ValueError(slot.refusal(token).text)
                slot = script.send(token)
        except StopIteration as end:
            action: A = end.value
            return action
        return None

    def __iter__(self) -> Iterator[A]:
        return self.walk(lambda slot, taken: slot.values if slot.canon is None else slot.canon)

    def walk(self, choose: Callable[[Slot, Sequence[Token]], Sequence[Token]]) -> Iterator[A]:
        """Yield the actions that follow from the answers that `choose` returns for each question, depth first.

        `choose` gets the question and the answers before it; it must return legal values, or none to end the branch.
        """
        stack: list[tuple[Token, ...]] = [()]
        while stack:
            taken = stack.pop()
            script = self._script()
            try:
                slot = next(script)
                for token in taken:
                    slot = script.send(token)
                while answers := choose(slot, taken):
                    stack.extend((*taken, token) for token in reversed(answers[1:]))
                    taken = (*taken, answers[0])
                    slot = script.send(answers[0])
            except StopIteration as end:
                yield end.value


def script_of(actions: Sequence[A], rule: str, reason: str) -> Script[A]:
    """Ask for one of some actions, field by field; `reason` refuses all others."""
    left, names = list(actions), ["do"]
    while names:
        name = names.pop(0)
        values = tuple(dict.fromkeys(getattr(action, name) for action in left))
        token = yield Slot(name, values, lambda token: Refusal(rule, reason, (token,)))
        left = [action for action in left if getattr(action, name) == token]
        names = names if name != "do" else list(left[0].__struct_fields__)
    return left[0]


def ask_members(
    name: str,
    pool: Sequence[M],
    why_not: Callable[[tuple[M, ...], Token], Refusal],
    *,
    can_add: Callable[[tuple[M, ...], Sequence[M]], bool] | None = None,
    can_stop: Callable[[tuple[M, ...]], bool] | None = None,
    refused: Callable[[tuple[M, ...], Sequence[M]], Sequence[Token]] | None = None,
) -> Generator[Slot, Token, tuple[M, ...]]:
    """Ask for some members of a pool in its order, until STOP.

    `why_not` refuses a token after those already chosen. `can_add` gets the chosen tokens with the new one, and the
    rest of the pool after it; `can_stop` gets the chosen tokens. `refused` lists refused tokens to show.
    """
    left, chosen = tuple(pool), tuple[M, ...]()
    while True:
        values: list[Token] = [
            one for place, one in enumerate(left) if can_add is None or can_add((*chosen, one), left[place + 1 :])
        ]
        if can_stop is None or can_stop(chosen):
            values.append(STOP)
        shown = partial(refused, chosen, left) if refused is not None else None
        token = yield Slot(name, values, partial(why_not, chosen), index=len(chosen), refused=shown)
        if token == STOP:
            return chosen
        place = next(place for place, one in enumerate(left) if one == token)
        chosen, left = (*chosen, left[place]), left[place + 1 :]


def options_of(slot: Slot) -> Options:
    """Return the legal and the refused answers to a question."""
    price = slot.price
    shown = tuple(slot.values)
    refused = [token for token in (slot.refused() if slot.refused else ()) if token not in slot.values]
    return Options(
        slot.name,
        shown,
        tuple(price(token) for token in shown) if price else (),
        tuple((token, slot.refusal(token)) for token in refused),
        index=slot.index,
    )
