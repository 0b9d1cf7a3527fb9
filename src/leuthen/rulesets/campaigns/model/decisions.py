"""What a decision of this rule set is. Each chapter's module defines its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Self

import msgspec

from leuthen.engine import decision
from leuthen.engine.choice import Action
from leuthen.engine.decision import A, Roll
from leuthen.engine.ruleset import ViewerId
from leuthen.rulesets.campaigns.model.forces import heads
from leuthen.wargame.strength import LeaderId

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.model.state import Draft, Position

TWO_DICE: Final[tuple[tuple[Action, Fraction], ...]] = tuple(
    (Roll(total), Fraction(6 - abs(7 - total), 36)) for total in range(2, 13)
)
"""Two dice, by their sum."""


_NAMING: Final = ("lead", "leader", "mover", "unit", "wagon", "only")
"""The fields of decisions in progress that name a leader or a wagon."""
_NAMING_SEVERAL: Final = ("group", "leaders")
_LISTS: Final = (*_NAMING_SEVERAL, "tried", "fought", "unfed")
"""The fields that list leaders and wagons."""


class Decision(decision.Decision["Position", "Draft", A], Generic[A]):
    """A decision of this rule set."""

    VARIANT: ClassVar[str] = ""
    """The number of its rule in the variant, where that is another."""
    VEILED: ClassVar[Mapping[str, object]] = {}
    """The fields that only its side knows, as all others see them (R1.11)."""
    LEADERLESS: ClassVar[bool] = False
    """Whether its group goes on without its leader."""

    def rule(self, pos: Position) -> str:
        return self.VARIANT if self.VARIANT and pos.options.einhorn else self.RULE

    def covered(self, pos: Position, viewer: ViewerId) -> Self:
        """What a viewer who may not know everything sees of it (R1.8, option `hidden`).

        Of a group its leader, and who commands (R1.11).
        """
        if viewer == getattr(self, "side", viewer):
            return self
        group = self._group()
        return self.with_values({**self.VEILED, **({} if group is None else {"group": heads(pos, group)})})

    def restored(self, pos: Position, viewer: ViewerId) -> Self:
        """A covered decision as it may be in a position that was drawn from a viewer's view."""
        return self

    def kept(self, pos: Position) -> Self | None:
        """What is left of it once somebody has left the map or the war; None if nothing is (R17.5, R17.7).

        Without whom it is about, its leader or its only unit, nothing is left; of a group those who are still there.
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
        """It with other values; itself if they are no others."""
        same = all(getattr(self, name) == value for name, value in values.items())
        return self if same else msgspec.structs.replace(self, **values)

    def fighters(self) -> Iterable[LeaderId]:
        """The leaders whose strengths it shows, because they fight (R1.9)."""
        return ()

    def named(self) -> tuple[LeaderId, ...]:
        """The leaders and wagons that it names; where they stand is seen."""
        found: list[LeaderId] = []
        for name in self.__struct_fields__:
            if name in _NAMING or name in _NAMING_SEVERAL:
                value = getattr(self, name)
                found += [value] if name in _NAMING else value
        return tuple(found)

    def chiefs(self) -> tuple[LeaderId, ...]:
        """Who of those that it names is seen to have TP, if he has any: who commands a group on its way."""
        return (self._group() or ())[-1:]

    def _group(self) -> tuple[LeaderId, ...] | None:
        """The field `group`, if it has one; in some it is a method."""
        group: tuple[LeaderId, ...] | None = getattr(self, "group", None)
        return group if "group" in self.__struct_fields__ else None


class DieRoll(decision.DieRoll["Position", "Draft"], Decision[Roll]):
    """One die, in this rule set."""


class DiceRoll(DieRoll):
    """Two dice."""

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        return TWO_DICE
