"""SVG elements for the sheet, as text."""

from xml.sax.saxutils import escape, quoteattr

from mapmaking.cartography.curve import number
from mapmaking.cartography.grid import Point


def tag(name: str, *inside: str, **attributes: object) -> str:
    """Return an element; `fill_opacity=1` becomes `fill-opacity="1"`, `class_` becomes `class`."""
    said = "".join(f" {_name(key)}={quoteattr(_value(value))}" for key, value in attributes.items())
    return f"<{name}{said}>{''.join(inside)}</{name}>" if inside else f"<{name}{said}/>"


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def group(*inside: str, **attributes: object) -> str:
    """Return a group of elements."""
    return tag("g", "\n".join(inside), **attributes)


def line(d: str, **attributes: object) -> str:
    """Return a path without a fill."""
    return tag("path", d=d, fill="none", **attributes)


def use(name: str, at: Point = (0, 0), **attributes: object) -> str:
    """Return a copy of a definition, placed at a point."""
    place = {"x": float(at[0]), "y": float(at[1])} if at != (0, 0) else {}
    return tag("use", href=f"#{name}", **place, **attributes)


def words(text: str, at: Point, **attributes: object) -> str:
    """Return a line of text that starts, or is centred, at a point."""
    return tag("text", escape(text), x=float(at[0]), y=float(at[1]), **attributes)


def dot(at: Point, radius: float, **attributes: object) -> str:
    """Return a circle."""
    return tag("circle", cx=float(at[0]), cy=float(at[1]), r=radius, **attributes)


def box(left: float, top: float, width: float, height: float, **attributes: object) -> str:
    """Return a rectangle."""
    return tag("rect", x=left, y=top, width=width, height=height, **attributes)
