"""Presenter of the toy: steps are pieces, bids are notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from leuthen.engine.choice import Refusal
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import ActorId
from leuthen.load import load
from leuthen.screen.presenter import Presenter
from leuthen.screen.values import (
    About,
    Barred,
    Choice,
    Form,
    FormField,
    Layer,
    Left,
    LogEntry,
    Objection,
    Odds,
    PartialOrder,
    Piece,
    Place,
    Scene,
    Score,
    Setting,
)

if TYPE_CHECKING:
    from tests.toy import Toy, ToyState, ToyView
    from tests.toy import ToyEntry as ToyTold


class ToyPresenter:
    def __init__(self, toy: Toy) -> None:
        self.toy = toy

    def setting(self) -> Setting:
        return Setting(
            ruleset=self.toy.name,
            title="The toy",
            version=self.toy.version,
            sides=self.toy.sides,
            powers=(),
            leaders=(),
            fortresses=(),
            towns=(),
            tables=(),
            layers=(),
            scenarios=(),
            options=(),
            years=(1756, 1761),
            turns=("the turn",),
        )

    def scene(self, view: ToyView) -> Scene:
        state = view.state
        pieces = {f"000{side}-{side}f": _piece(side, steps) for side, steps in enumerate(state.steps)}
        return Scene(
            viewer=view.viewer,
            title=f"Round {state.round}",
            phase=state.phase,
            year=1756 + state.round - 1,
            turn=1,
            phasing=state.turn,
            pieces=pieces,
            markers={},
            holdings={},
            scores=(Score("steps", "Steps", state.steps, "", "T4"),),
            stages=(),
            powers=(),
            musters=(),
            notes=(f"sealed {state.sealed}", f"hidden {state.hidden}", f"peeked {state.peeked}"),
        )

    def present_event(self, event: ToyTold) -> LogEntry:
        return LogEntry("told", event.text, "", is_small=getattr(event, "IS_SMALL", False))

    def form(self, state: ToyState, actor: ActorId, partial_order: PartialOrder) -> Form:
        partial: list[Any] = []
        fields: list[FormField] = []
        while True:
            options = self.toy.legal_actions(state, actor).options(partial)
            if options.action is not None:
                return Form(tuple(fields), self.toy.format_action(state, actor, options.action))
            values = {str(value): value for value in options.values}
            wish = partial_order.get(options.slot, next(iter(values), "") if len(values) == 1 else "")
            choices = tuple(Choice(token, token) for token in values)
            barred = tuple(Barred(str(token), str(token), _reason(why)) for token, why in options.refused)
            fields.append(FormField(options.slot, options.slot, "word", options.slot, choices, barred, wish))
            if wish not in values:
                return Form(tuple(fields))
            partial.append(values[wish])

    def layer(self, view: ToyView, name: str, place: Place = "") -> Layer:
        if name != "steps":
            raise Invalid(f'"{name}" is not a valid layer: steps')
        return Layer("steps", "Steps", {}, notes=(str(view.state.steps),))

    def left_undone(self, view: ToyView) -> tuple[Left, ...]:
        return (Left(f"{2 - view.state.taken} steps are left", "T3.1"),)

    def odds(self, view: ToyView, text: str) -> Odds:
        if text != "die":
            raise Invalid(f'"{text}" has no odds: die')
        return Odds("The die", "T2", ())

    def about(self, view: ToyView, place: str) -> About:
        if place not in ("0000", "0001"):
            raise Invalid(f'"{place}" is not a valid place: 0000, 0001')
        return About(place, place, (str(view.state.hidden[int(place)]),))


def present_toy(toy: Toy) -> Presenter:
    of = ToyPresenter(toy)
    return Presenter(
        of.setting,
        of.scene,
        of.present_event,
        of.form,
        of.about,
        layer=of.layer,
        left_undone=of.left_undone,
        odds=of.odds,
    )


def replace_presenter(patch: pytest.MonkeyPatch, **functions: Callable[..., Any]) -> None:
    toy: Any = load("toy")
    patch.setattr(toy, "presenter", replace(toy.presenter, **functions))


def _piece(side: int, steps: int) -> Piece:
    return Piece(f"000{side}", side, False, side, "PA"[side], "", str(steps), steps, steps, True, f"{steps} steps")


def _reason(refusal: Refusal) -> Objection:
    return Objection(refusal.rule, refusal.text)
