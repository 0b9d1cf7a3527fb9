"""The form input that produces a given order."""

from typing import Any

from leuthen.engine.choice import Action, LegalSet, Slot, Token
from leuthen.screen.forms import FormText, key_of


def partial_order_of(legal: LegalSet[Any], words: FormText, action: Action) -> dict[str, str]:
    partial_order: dict[str, str] = {}

    def answer(slot: Slot) -> Token:
        token = action.reply(slot)
        partial_order[key_of(slot)] = words.choice(slot, token).token
        words.record_answer(slot, token, True)
        return token

    assert legal.fill(answer) == action
    return partial_order
