"""Locales that write 0,5 for 0.5."""

import locale
import shutil
import subprocess
from pathlib import Path

NAMES = ("de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "German_Germany.1252")
SOURCE = Path("/usr/share/i18n/locales/de_DE")


def has_comma(name):
    """Return whether the system has a locale of this name, and it has a comma."""
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        locale.setlocale(locale.LC_NUMERIC, name)
        return locale.localeconv()["decimal_point"] == ","
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


def installed():
    """Return the name of one that the system has, or None."""
    return next(filter(has_comma, NAMES), None)


def check_that_there_is_one():
    """Raise LookupError if there is none and none can be made."""
    if not (installed() or (shutil.which("localedef") and SOURCE.exists())):
        raise LookupError("there is no locale with a comma, and no localedef to make one of")


def environment(folder):
    """Return variables with which a process has one, which may be made in a folder."""
    if name := installed():
        return {"COMMA_LOCALE": name}
    made = folder / "de_DE.UTF-8"
    subprocess.run(["localedef", "-c", "-i", SOURCE, "-f", "UTF-8", made], check=True)
    return {"COMMA_LOCALE": made.name, "LOCPATH": str(folder)}
