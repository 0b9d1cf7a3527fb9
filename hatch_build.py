"""The build of a wheel: the client goes into it bundled, or as separate modules where esbuild is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from tools.bundle import CLIENT, bundle, find_esbuild


class ClientHook(BuildHookInterface[Any]):
    """Puts the client into a wheel. An editable installation serves the modules of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle the client into a temporary folder, which is there as long as the hook."""
        if version == "editable":
            return
        folder, esbuild = CLIENT, find_esbuild()
        if esbuild is None:
            self.app.display_warning("esbuild is missing: pages will load the client's modules one by one")
        else:
            self._made = TemporaryDirectory(prefix="leuthen-client-")
            folder = Path(self._made.name)
            bundle(esbuild, folder)
        build_data["force_include"][str(folder)] = "leuthen/client"
