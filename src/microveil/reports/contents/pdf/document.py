"""Document: the bytes of a PDF file, from pages of drawing commands (ISO 32000-1)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

WIDTH, HEIGHT = 595.0, 842.0
"""A4, in points."""


@dataclass(frozen=True)
class Picture:
    """A figure as JPEG, with its pixels."""

    jpeg: bytes
    width: int
    height: int


@dataclass
class Document:
    """Pages with their pictures; text is in Helvetica (F1) and its bold (F2)."""

    title: str
    pages: list[list[str]] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)

    def to_bytes(self) -> bytes:
        """The file."""
        first = 5  # catalogue, pages, two fonts
        n_pictures = len(self.pictures)
        bodies = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"",
            _font("Helvetica"),
            _font("Helvetica-Bold"),
            *(_picture(one) for one in self.pictures),
        ]
        named = "".join(f"/P{place} {first + place} 0 R " for place in range(n_pictures))
        kids = []
        for commands in self.pages:
            content = zlib.compress("\n".join(commands).encode("cp1252", errors="replace"))
            bodies.append(_stream("/Filter /FlateDecode", content))
            kids.append(f"{len(bodies) + 1} 0 R")
            bodies.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {HEIGHT:g}] /Contents "
                f"{len(bodies)} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << "
                f"{named}>> >> >>".encode()
            )
        bodies[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
        bodies.append(f"<< /Title ({escape_text(self.title)}) >>".encode("cp1252", "replace"))
        return _file(bodies)


def escape_text(text: str) -> str:
    """Text between the parentheses of a string."""
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _font(name: str) -> bytes:
    said = f"/Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding"
    return f"<< {said} >>".encode()


def _picture(one: Picture) -> bytes:
    said = (
        f"/Type /XObject /Subtype /Image /Width {one.width} /Height {one.height} "
        "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"
    )
    return _stream(said, one.jpeg)


def _stream(said: str, content: bytes) -> bytes:
    return f"<< {said} /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"


def _file(bodies: list[bytes]) -> bytes:
    """The objects one after the other, and the table that says where each begins."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R /Info {len(bodies)} 0 R >>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())
