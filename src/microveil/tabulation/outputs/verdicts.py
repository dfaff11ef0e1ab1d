"""The verdict on each output: the worst of what was found in it, or with it."""

from __future__ import annotations

from microveil.tabulation.outputs.checking import OutputsCheck, Verdict

ORDER: tuple[Verdict, ...] = ("pass", "review", "fail")


def verdicts_by_output(found: OutputsCheck) -> dict[str, Verdict]:
    """Each table and each other file with its verdict; files without a table need a person.

    A cell that several outputs give away together fails all of them: leaving one out may do.
    """
    verdicts: dict[str, Verdict] = {
        **dict.fromkeys(found.tables, "pass"),
        **dict.fromkeys(found.others, "review"),
    }
    for one in found.findings:
        for name in one.tables:
            if name in verdicts:
                verdicts[name] = max(verdicts[name], one.verdict, key=ORDER.index)
    return verdicts
