"""The English of orders in the making: what may be done, by decision, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.screen.form_builder import FormWords

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
    ("reinforcement-phase", "done"): "Leave all others in the open",
    ("routed", "done"): "Retreat: a die says how far",
    ("routed", "shelter"): "Go inside the fortress",
    ("pursuit", "done"): "Do not follow",
    ("occupation", "done"): "Leave the fortress empty",
    ("redeploying", "done"): "End the re-deployment",
    ("redeploying", "place"): "Re-deploy a force",
    ("reinforcing", "done"): "End: nobody else can be placed",
    ("reinforcing", "place"): "Place new forces",
    ("losses", "done"): "No SP are left to lose",
    ("freeing", "free"): "Bring freed SP back",
    ("leader-return", "free"): "Bring a freed leader back",
    ("departure", "refuge"): "Choose where the garrison goes",
    ("refuge", "refuge"): "Choose where the leader flees",
    ("shift", "inside 0"): "come out into the field",
    ("shift", "inside 1"): "go inside the fortress",
}
"""The same where a decision, or a kind of action, has words of its own."""

ASKED: Final[Mapping[str, str]] = {
    "do": "What to do",
    "leader": "Who leads",
    "companions": "Who goes along",
    "leaders": "Which leaders",
    "overwhelm": "Overwhelming attack",
    "inside": "Field or fortress",
    "hex": "Where",
    "power": "Whose",
    "start": "From which stack",
    "points": "How many",
    "sp": "SP of {}",
}

ASKED_FOR: Final[Mapping[tuple[str, str], str]] = {
    ("attack", "hex"): "Where to attack",
    ("besiege", "hex"): "Which fortress",
    ("build", "hex"): "Where to begin it",
    ("remove", "hex"): "Which depot",
    ("quarter", "hex"): "Which stack",
    ("retreat", "hex"): "To which hex",
    ("refuge", "hex"): "To which hex",
    ("shift", "hex"): "At which fortress",
    ("shift", "inside"): "In or out",
    ("place", "hex"): "To which fortress",
    ("free", "hex"): "To which fortress",
    ("depot-at", "hex"): "To which hex",
    ("sack", "leader"): "Whom to dismiss",
    ("offer", "leader"): "Whom to offer",
    ("free", "leader"): "Who returns",
    ("drop", "leaders"): "Who stays",
    ("take", "leaders"): "Who is picked up",
    ("garrison", "leaders"): "Who goes inside",
    ("shift", "leaders"): "Who goes",
    ("follow", "leaders"): "Who follows",
    ("place", "leaders"): "Who is placed",
    ("drop", "sp"): "SP of {} that stay",
    ("take", "sp"): "SP of {} picked up",
    ("garrison", "sp"): "SP of {} that go inside",
    ("raise", "points"): "Resource Points to spend",
    ("free", "points"): "How many SP return",
    ("lose", "points"): "How many SP go",
    ("lose", "start"): "Of which stack",
    ("envoys", "points"): "Points on {}",
}
"""The question by the kind of action; `{}` stands for the power."""

FORM_WORDS: Final = FormWords(WORDS, SPECIAL, ASKED, ASKED_FOR)
