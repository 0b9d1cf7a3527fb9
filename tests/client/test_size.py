import gzip
import re
from pathlib import Path

from leuthen.load import table_sheet

CLIENT = Path(__file__).parents[2] / "src" / "leuthen" / "client"
CLIENT_FILES = {".html", ".css", ".js", ".svg"}
MAX_BYTES = 330_000
XML_NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/1999/xhtml"}


def compressed(text: bytes) -> int:
    return len(gzip.compress(text, 9))


def test_the_client_and_its_map_are_under_330_kb() -> None:
    files = [path for path in CLIENT.rglob("*") if path.suffix in CLIENT_FILES]
    assert len(files) > 40
    sheet = compressed(table_sheet("frederick").encode())
    assert sheet + sum(compressed(path.read_bytes()) for path in files) < MAX_BYTES


def test_the_client_names_no_other_host() -> None:
    for path in CLIENT.rglob("*"):
        if path.suffix in CLIENT_FILES:
            found = set(re.findall(r"https?://[^\"'`\s)]+", path.read_text(encoding="utf-8")))
            assert found <= XML_NAMESPACES, path
