"""The form input that produces a given order."""

from random import Random
from typing import Any

from leuthen.engine.choice import Action, LegalSet, Slot, Token
from leuthen.engine.ruleset import Side
from leuthen.screen.forms import FormText, key_of
from leuthen.screen.values import Form


def partial_order_of(legal: LegalSet[Any], words: FormText, action: Action) -> dict[str, str]:
    partial_order: dict[str, str] = {}

    def answer(slot: Slot) -> Token:
        token = action.reply(slot)
        partial_order[key_of(slot)] = words.choice(slot, token).token
        words.record_answer(slot, token, True)
        return token

    assert legal.fill(answer) == action
    return partial_order


def random_form(presenter: Any, state: Any, side: Side, rng: Random) -> Form:
    """Fill in a form at random until it has an order."""
    partial_order: dict[str, str] = {}
    for _ in range(300):
        form: Form = presenter.form(state, side, partial_order)
        if form.refused:  # a dead end, such as all leaders of a force left behind
            assert not form.order
            partial_order = {}
            continue
        changeable = [field for field in form.fields if len(field.choices) > 1]
        if form.order and (not changeable or rng.random() < 0.6):
            return form
        field = rng.choice(changeable) if form.order else form.fields[-1]
        before = form.fields[: form.fields.index(field)]
        partial_order = {one.key: one.value for one in before if one.is_given}
        partial_order[field.key] = rng.choice(field.choices).token
    raise AssertionError(f"no order comes of {partial_order}")
