"""Benchmarks of the `Ruleset` interface, and of random play over whole campaigns."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from bench.measure import Figure, measure
from leuthen.bots import make_bot
from leuthen.engine.ruleset import CHANCE, Player, Side, is_side
from leuthen.play.dice import Key
from leuthen.screen.presenter import TableRuleset


class Campaigns:
    """Random campaigns, played one after another."""

    def __init__(self, ruleset: TableRuleset, scenario: str, options: Mapping[str, str] | None = None) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.options = options or {}
        self.number = 0

    def play(self) -> float:
        """Play a campaign and return its number of player actions."""
        rules, rng, dice = self.ruleset, random.Random(self.number), Key.from_seed("bench", self.number).dice()
        self.number += 1
        state, actions = rules.new_game(self.scenario, self.options), 0
        while awaited := rules.pending(state):
            actor = awaited[0].actor
            if actor == CHANCE:
                transition = rules.apply(state, CHANCE, dice.pick(rules.chances(state)))
            else:
                transition = rules.apply(state, actor, rules.legal_actions(state, actor).sample(rng))
                actions += 1
            transition.events(0)
            transition.events(1)
            state = transition.state
        return actions

    def positions(self, count: int) -> Iterator[tuple[Any, Side, Any]]:
        """Yield positions from all parts of a campaign, each with the player to act and a legal action."""
        rules, rng, dice = self.ruleset, random.Random(1), Key.from_seed("positions").dice()
        state, found = rules.new_game(self.scenario, self.options), []
        while awaited := rules.pending(state):
            actor = awaited[0].actor
            if not is_side(actor):
                state = rules.apply(state, CHANCE, dice.pick(rules.chances(state))).state
                continue
            action = rules.legal_actions(state, actor).sample(rng)
            found.append((state, actor, action))
            state = rules.apply(state, actor, action).state
        yield from found[:: max(1, len(found) // count)]


def state_counts(ruleset: TableRuleset, scenario: str) -> str:
    """Return the number of decisions in a campaign, and of forced ones, which make up the rate of random play."""
    sample = list(Campaigns(ruleset, scenario).positions(1 << 30))
    forced = sum(len(list(islice(ruleset.legal_actions(state, actor), 2))) < 2 for state, actor, _ in sample)
    return f"one campaign: {len(sample)} actions of players, {forced} of them forced"


def ruleset_figures(ruleset: TableRuleset, scenario: str) -> Iterator[Figure]:
    """Time each function of the interface over positions of a campaign."""
    campaigns = Campaigns(ruleset, scenario)
    yield measure("actions of random play", campaigns.play)
    sample = list(campaigns.positions(200))
    rng = random.Random(0)
    views = [ruleset.view(state, actor) for state, actor, _ in sample]
    texts = [ruleset.dump(state) for state, _, _ in sample]

    def over(work: Any) -> Any:
        def all_of_them() -> float:
            for item in sample:
                work(*item)
            return len(sample)

        return all_of_them

    yield measure("legal_actions and a draw", over(lambda s, a, _: ruleset.legal_actions(s, a).sample(rng)))
    yield measure("apply", over(lambda s, a, action: ruleset.apply(s, a, action)))
    yield measure("apply and both sides' events", over(lambda s, a, x: present_events(ruleset.apply(s, a, x))))
    yield measure("view", over(lambda s, a, _: ruleset.view(s, a)))
    yield measure("worlds", lambda: sum(ruleset.sample_state(view, rng) is not None for view in views))
    yield measure("dump", over(lambda s, _a, _x: ruleset.dump(s)))
    yield measure("restore", lambda: sum(ruleset.restore(text) is not None for text in texts))
    yield measure("scene", lambda: sum(ruleset.presenter.scene(view) is not None for view in views))
    yield measure("form with nothing chosen", over(lambda s, a, _: ruleset.presenter.form(s, a, {})))
    yield measure("what may follow half an order", over(lambda s, a, action: complete_word(ruleset, s, a, action)))
    captain = make_bot("captain", ruleset.name, 0, 0)
    yield measure("an order of the captain", over(lambda s, a, _: choose_order(ruleset, captain, s, a)))


def complete_word(ruleset: TableRuleset, state: Any, actor: Side, action: Any) -> object:
    words = ruleset.format_action(state, actor, action).split(" ")
    return ruleset.complete(state, actor, "".join(f"{word} " for word in words[: len(words) // 2]))


def choose_order(ruleset: TableRuleset, captain: Player, state: Any, actor: Side) -> object:
    pending = next(one for one in ruleset.pending(state) if one.actor == actor)
    return captain.choose(lambda: ruleset.view(state, actor), ruleset.legal_actions(state, actor), pending)


def present_events(transition: Any) -> None:
    transition.events(0)
    transition.events(1)
