"""The base of this rule set's decisions. Each chapter's module defines its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Self, TypeVar

import msgspec

from leuthen.engine import decision
from leuthen.engine.choice import Action
from leuthen.engine.decision import A, Roll
from leuthen.engine.ruleset import Side, ViewerId
from leuthen.rulesets.campaigns.model.forces import heads
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.state import Draft, Position

TWO_DICE: Final[tuple[tuple[Action, Fraction], ...]] = tuple(
    (Roll(total), Fraction(6 - abs(7 - total), 36)) for total in range(2, 13)
)


D = TypeVar("D", bound="Decision")
_NAMING: Final = ("lead", "leader", "mover", "unit", "wagon", "only")  # fields that name one leader or wagon
_NAMING_SEVERAL: Final = ("group", "leaders")
_LISTS: Final = (*_NAMING_SEVERAL, "tried", "fought", "unfed")  # fields that list leaders and wagons


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    """A decision of this rule set."""

    VARIANT: ClassVar[str] = ""  # the rule number in the variant, if different
    # fields that only the deciding side knows, as all others see them (R1.11)
    VEILED: ClassVar[Mapping[str, object]] = {}
    LEADERLESS: ClassVar[bool] = False  # the group continues without its leader

    def rule(self, pos: Position) -> str:
        return self.VARIANT if self.VARIANT and pos.options.einhorn else self.RULE

    def mask_for(self, pos: Position, viewer: ViewerId) -> Self:
        """Return the decision as a viewer sees it who may not know everything (R1.8, option `hidden`).

        Of a group, the viewer sees its leader and its commander (R1.11).
        """
        if viewer == getattr(self, "side", viewer):
            return self
        group = self._group()
        return self.with_values({**self.VEILED, **({} if group is None else {"group": heads(pos, group)})})

    def fill_hidden(self, pos: Position, viewer: ViewerId) -> Self:
        """Return a covered decision completed for a position sampled from a viewer's view."""
        return self

    def after_removal(self, pos: Position) -> Self | None:
        """Return the rest of the decision after a unit has left the map or a nation the war (R17.5, R17.7).

        It is None without the subject, the leader or the only unit; a group keeps its remaining members.
        """
        values: dict[str, tuple[int, ...]] = {}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name in _NAMING and value >= 0 and value not in pos.units:
                return None
            if name in _LISTS:
                values[name] = tuple(number for number in value if number in pos.units)
            if name == "group" and values[name][:1] != value[:1] and not self.LEADERLESS:
                return None
            if name == "leaders" and not values[name]:
                return None
        return self.with_values(values)

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return the decision with other values, or itself if nothing differs."""
        same = all(getattr(self, name) == value for name, value in values.items())
        return self if same else msgspec.structs.replace(self, **values)

    def fighters(self) -> Iterable[LeaderId]:
        """The leaders whose strengths it reveals, because they fight (R1.9)."""
        return ()

    def named(self) -> tuple[LeaderId, ...]:
        """The leaders and wagons that it names; their positions are visible."""
        found: list[LeaderId] = []
        for name in self.__struct_fields__:
            if name in _NAMING or name in _NAMING_SEVERAL:
                value = getattr(self, name)
                found += [value] if name in _NAMING else value
        return tuple(found)

    def visible_commanders(self) -> tuple[LeaderId, ...]:
        """The named units that visibly have TP: the commander of a group on the move."""
        return (self._group() or ())[-1:]

    def _group(self) -> tuple[LeaderId, ...] | None:
        """The field `group`; in some decisions that name is a method."""
        group: tuple[LeaderId, ...] | None = getattr(self, "group", None)
        return group if "group" in self.__struct_fields__ else None


def innermost(frames: Sequence[Decision], kind: type[D]) -> D | None:
    """Return the innermost decision of a kind among those in progress, or None."""
    return next((frame for frame in reversed(frames) if isinstance(frame, kind)), None)


class SideDecision(Decision[A]):
    side: Side


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    pass


class SideRoll(DieRoll):
    side: Side


class DiceRoll(DieRoll):
    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        return TWO_DICE
