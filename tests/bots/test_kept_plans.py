from itertools import islice

from leuthen.engine.ruleset import as_side, as_viewer
from leuthen.rulesets.campaigns.bot.goals import outlook_of
from leuthen.rulesets.campaigns.bot.marching import Prospects
from leuthen.rulesets.campaigns.bot.situation import Memory, Situation
from leuthen.rulesets.campaigns.knowledge import make_view
from leuthen.wargame.board import Hex
from leuthen.wargame.bot.ranking import best_first
from tests.bots.decisions import War
from tests.bots.fields import situation

WAR = War("campaigns", "1757", (1757, 4), {"hidden": "yes"})
DECISIONS = 240
APART = 3


def test_an_outlook_is_what_a_captain_without_memory_finds() -> None:
    memory, kept, made = Memory(WAR.rules.data.board), 0, 0
    for state, side in islice(WAR.positions(5), 0, DECISIONS, APART):
        view = make_view(state, as_viewer(side))
        s = Situation(state.data, view, memory)
        before = [outlook for _, outlook in memory.outlooks.values()]
        found, forgetful = outlook_of(s), Memory(s.board)
        forgetful.ways, forgetful.odds = memory.ways, memory.odds
        anew = outlook_of(Situation(state.data, view, forgetful))
        assert (found.facts, found.targets) == (anew.facts, anew.targets)
        is_kept = any(found is one for one in before)
        kept, made = kept + is_kept, made + (not is_kept)
    assert min(kept, made) > 10


def test_no_end_of_a_march_left_out_is_better() -> None:
    spared = 0
    for state, side in islice(WAR.positions(6), 0, DECISIONS, 5 * APART):
        s = situation(state, as_side(side))
        for unit in s.generals:
            goal, ends = s.plan[unit.number], (unit.hex, *s.board.neighbours[unit.hex])
            prospects = Prospects(s, [unit], goal, dict.fromkeys(ends, 3))
            scores = {here: prospects.score(here) for here in ends}
            bounds = [(prospects.at_best(here), here) for here in ends]
            ranking = [(value, here) for here, value in sorted(scores.items(), key=lambda one: (-one[1], one[0]))]
            judged = Judged(scores)
            ranked = best_first(bounds, judged.__getitem__)
            assert next(ranked) == ranking[0]
            spared += len(ends) - judged.looked_at
            assert list(ranked) == ranking[1:]
    assert spared > 50


class Judged(dict[Hex, float]):
    looked_at = 0

    def __getitem__(self, here: Hex) -> float:
        self.looked_at += 1
        return super().__getitem__(here)
