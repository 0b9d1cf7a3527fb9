"""R17.5, R17.7: what is open when somebody leaves the map or the war is put right."""

from __future__ import annotations

from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.state import Draft
from leuthen.rulesets.campaigns.rules.r12_battle.fight import Fight


def tidy(draft: Draft) -> None:
    """Each decision in progress goes on with those who are left, or is dropped; with a battle all that is in it."""
    frames: list[Decision] = []
    for frame in draft.frames:
        left = frame.kept(draft)
        if left is not None:
            frames.append(left)
        elif isinstance(frame, Fight):
            break
    if len(frames) != len(draft.frames) or any(a is not b for a, b in zip(frames, draft.frames, strict=True)):
        draft.frames = tuple(frames)
