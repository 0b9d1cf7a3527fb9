"""What a browser is, in plain words: from what it says of itself, but only ever one of the words that stand here."""

from __future__ import annotations

from typing import Final

_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""By a word of the header User-Agent; the first that fits counts, since browsers also name those they are like."""
_SYSTEMS: Final = {
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "a Mac",
    "Linux": "Linux",
}


def device_of(user_agent: str) -> str:
    """«Firefox on Windows», «a browser», «a program»."""
    browser = next((name for word, name in _BROWSERS.items() if word in user_agent), "")
    system = next((name for word, name in _SYSTEMS.items() if word in user_agent), "")
    if not browser and not system:
        return "a browser" if user_agent.startswith("Mozilla/") else "a program"
    return f"{browser or 'a browser'} on {system}" if system else browser
