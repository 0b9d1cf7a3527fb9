"""The English of orders in the making: what may be done, by decision, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from leuthen.core.choice import Slot
from leuthen.frederick.decisions import Decision
from leuthen.frederick.gamedata import MINORS

if TYPE_CHECKING:
    from leuthen.frederick.forms import Questions

NOTHING_MORE: Final[Mapping[str, str]] = {"leader": "nobody else", "path": "to here"}
"""The end of a list, by what it is a list of."""

WORDS: Final[Mapping[str, str]] = {
    "done": "End this",
    "march": "March a force",
    "go": "March on",
    "halt": "End this march",
    "drop": "Leave somebody here",
    "take": "Pick somebody up",
    "shift": "Go inside or come out",
    "attack": "Declare an attack",
    "besiege": "Roll for a siege",
    "garrison": "Put a garrison inside",
    "build": "Begin a depot",
    "remove": "Remove a depot",
    "quarter": "Put a stack into winter quarters",
    "retreat": "Retreat to the next hex",
    "shelter": "End the retreat",
    "follow": "Follow the enemy",
    "refuge": "Choose where to go",
    "place": "Place a force",
    "depot-at": "Place the depot",
    "seal": "Seal the deployment",
    "reopen": "Open the sealed choice again",
    "clear": "Take everything back",
    "envoys": "Send envoys",
    "raise": "Raise new forces",
    "lose": "Take SP off the map",
    "sack": "Dismiss a leader",
    "free": "Bring freed men back",
    "offer": "Offer a captive leader",
    "inside 0": "in the field",
    "inside 1": "inside the fortress",
    "overwhelm 0": "an ordinary march",
    "overwhelm 1": "overwhelm the enemy there",
}
"""What may be done, and what a flag says."""

SPECIAL: Final[Mapping[tuple[str, str], str]] = {
    ("march-phase", "done"): "End the March Phase",
    ("force-march-phase", "done"): "End the Force March Phase",
    ("force-march-phase", "march"): "Try a force march",
    ("depot-phase", "done"): "End the Depot Phase",
    ("combat-phase", "done"): "Declare no more attacks",
    ("siege-phase", "done"): "End the Siege Phase",
    ("reinforcement-phase", "done"): "Leave the others in the open",
    ("routed", "done"): "Retreat: a die says how far",
    ("routed", "shelter"): "Go inside the fortress",
    ("pursuit", "done"): "Do not follow",
    ("occupation", "done"): "Leave the fortress empty",
    ("redeploying", "done"): "End the re-deployment",
    ("redeploying", "place"): "Re-deploy a force",
    ("reinforcing", "done"): "Nobody can be placed any more",
    ("reinforcing", "place"): "Place new forces",
    ("losses", "done"): "No SP are left to lose",
    ("shift", "inside 0"): "come out into the field",
    ("shift", "inside 1"): "go inside",
}
"""The same where a decision, or a kind of action, has words of its own."""

ASKED: Final[Mapping[str, str]] = {
    "do": "What to do",
    "leader": "Who leads",
    "companions": "Who goes along",
    "leaders": "Which leaders",
    "path": "The way",
    "overwhelm": "Overwhelming attack",
    "inside": "Where to stand",
    "hex": "Where",
    "power": "Whose",
    "start": "From which stack",
    "points": "How many",
}


def word_for(frame: Decision, word: str, kind: str = "") -> str:
    """What an answer is called in a decision; `kind` is the action that it belongs to."""
    tag = str(frame.__struct_config__.tag)
    return SPECIAL.get((tag, word)) or SPECIAL.get((kind, word)) or WORDS.get(word, word)


def question(asked: Questions, slot: Slot) -> str:
    """What a slot asks."""
    if slot.name == "sp" and slot.index is not None:
        return f"SP of {asked.data.powers[slot.index].name}"
    if slot.name == "points" and slot.index is not None:
        return f"Points on {asked.data.powers[MINORS[slot.index]].name}"
    return ASKED.get(slot.name, slot.name)
