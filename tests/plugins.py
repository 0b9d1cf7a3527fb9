"""Plug-ins of other packages, as an installer leaves them."""

from pathlib import Path
from typing import Final

FORDS: Final = Path(__file__).parent.parent / "examples" / "fords"


def install(site: Path, value: str, name: str = "fords", package: str = "leuthen-fords") -> Path:
    about = site / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[leuthen.rulesets]\n{name} = {value}\n")
    return site
