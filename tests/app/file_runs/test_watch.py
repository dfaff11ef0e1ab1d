from __future__ import annotations

from microveil.app.file_runs.watch import Watch


def test_a_watch_times_each_phase_once() -> None:
    watch = Watch()
    for done, what in [(0, "rows"), (1, "rows"), (0, "drop"), (1, "drop"), (1, "done")]:
        watch(done, 2, what)
    assert [phase.name for phase in watch.phases] == ["rows", "drop", "drop"]
