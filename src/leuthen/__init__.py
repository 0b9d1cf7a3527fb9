"""Leuthen: the campaign game of the Seven Years War, with an umpire who knows every rule and keeps every secret."""

from __future__ import annotations

__version__ = "0.1.0"
