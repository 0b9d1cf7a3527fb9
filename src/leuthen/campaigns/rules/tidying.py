"""R17.5, R17.7: what is open when somebody leaves the map or the war is put right."""

from __future__ import annotations

from leuthen.campaigns.decisions import Decision
from leuthen.campaigns.rules.fight import Fight
from leuthen.campaigns.state import Draft


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
