"""Packing: a folder as one file to fetch, and a file that came packed as a folder."""

from __future__ import annotations

import re
import stat
import zipfile
from pathlib import Path, PurePosixPath

from microveil.errors import FileError

MOST_FILES = 2_000
"""Files of one package; more are no hand-made folder."""


def pack_folder(folder: Path, target: Path) -> Path:
    """All files of a folder as one ZIP file, without times: equal folders, equal packages."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            name.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(name, path.read_bytes())
    return target


def unpack_files(source: Path, folder: Path, *, flat: bool = False) -> list[Path]:
    """Unpack a ZIP file into a new folder; nothing of it can lie elsewhere.

    With ``flat`` the folders in it are left away, as long as no two names are alike.
    """
    folder.mkdir(mode=0o700)
    found: list[Path] = []
    try:
        with zipfile.ZipFile(source) as packed:
            members = [one for one in packed.infolist() if not one.is_dir() and _is_plain(one)]
            if len(members) > MOST_FILES:
                raise FileError("The file packs more than {n:,} files.", n=MOST_FILES)
            for member in members:
                target = folder.joinpath(*_parts(member.filename)[-1 if flat else 0 :])
                if target.exists():
                    raise FileError(
                        "Two files of the package are called '{name}'.", name=target.name
                    )
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.read(member))
                found.append(target)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
        raise FileError("The file is damaged: it cannot be unpacked.") from None
    if not found:
        raise FileError("The file packs no files.")
    return found


def _is_plain(member: zipfile.ZipInfo) -> bool:
    """Whether it is a file that somebody meant: none of a system's own, no link."""
    parts = PurePosixPath(member.filename).parts
    link = stat.S_ISLNK(member.external_attr >> 16)
    return (
        bool(parts) and not link and not any(part.startswith((".", "__MACOSX")) for part in parts)
    )


def _parts(name: str) -> list[str]:
    r"""The parts of a name in a package, without any that leads elsewhere.

    >>> _parts("../a\\b/c.csv")
    ['a', 'b', 'c.csv']
    """
    parts = re.split(r"[\\/]+", re.sub(r"[\x00-\x1f\x7f:]", "", name))
    return [part for part in parts if part.strip(". ")]
