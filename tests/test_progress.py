from __future__ import annotations

import io
import pickle
import signal
import time
from types import SimpleNamespace

import pytest

import microveil as mv
from microveil import progress
from microveil.progress import (
    Doing,
    Progress,
    describe_work,
    ending_as_planned,
    listening_to_step,
    showing,
    shows_progress,
    silent,
    step_progress,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=screen, modules={}))
    monkeypatch.setattr(progress, "PATIENCE", 0.02)
    monkeypatch.setattr(progress, "_PAUSE", 0.01)
    return screen


def wait_for(screen: io.StringIO, text: str) -> None:
    end = time.monotonic() + 20
    while text not in screen.getvalue() and time.monotonic() < end:
        time.sleep(0.005)
    assert text in screen.getvalue()


def test_long_work_is_shown_on_a_terminal_and_wiped_away(terminal: Terminal) -> None:
    with showing("mondrian") as told:
        wait_for(terminal, "Microveil: mondrian")
        told(1, 4, "checks")
        wait_for(terminal, "Microveil: checks (25% done)")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_quick_work_says_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    mv.Round(columns="x", base=10).protect({"x": [1, 2]})
    assert terminal.getvalue() == ""


def test_nobody_is_told_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=io.StringIO(), modules={}))
    with showing("mondrian") as told:
        assert told is silent


def test_a_notebook_gets_a_line_each(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = SimpleNamespace(stderr=terminal, modules={"ipykernel": None})
    monkeypatch.setattr(progress, "sys", seen)
    with showing("mondrian"):
        wait_for(terminal, "Microveil: mondrian\n")
    assert terminal.getvalue() == "Microveil: mondrian\n"


def test_inner_work_adds_no_line(terminal: Terminal) -> None:
    with showing("outer"):
        with showing("inner") as told:
            assert told is silent
        wait_for(terminal, "outer")
    assert "inner" not in terminal.getvalue()


def test_the_line_ends_when_the_work_fails(terminal: Terminal) -> None:
    def fail() -> None:
        with showing("one"):
            wait_for(terminal, "one")
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    with showing("two"):
        wait_for(terminal, "two")


def test_a_caller_s_own_progress_is_used_instead(terminal: Terminal) -> None:
    @shows_progress
    def work(*, progress: Progress = silent) -> Progress:
        return progress

    assert work(progress=silent) is silent
    assert work() is not silent
    assert terminal.getvalue() == ""


def test_a_run_shows_its_steps(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(self: mv.Round, table: mv.Table, rng: object) -> object:
        wait_for(terminal, "round (0% done)")
        return plain(self, table, rng)  # type: ignore[arg-type]

    plain = mv.Round.apply
    monkeypatch.setattr(mv.Round, "apply", slow)
    recipe = mv.Recipe(steps=[mv.Round(columns="x", base=10)], undeclared="keep")
    assert mv.run(recipe, {"x": [1, 12]}).data["x"].to_list() == [0, 10]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_a_server_is_no_interruption(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with ending_as_planned():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_a_step_says_within_the_run_how_far_it_is_and_what_it_has_found() -> None:
    told: list[tuple[float, float, str]] = []

    def tell(done: float, total: float, what: str) -> None:
        told.append((done, total, describe_work(what)))

    with listening_to_step(tell, 1, 4, "mondrian"):
        step_progress()(3, 4, Doing("cuts", "3 of 4"))
    step_progress()(1, 1, "nobody listens")
    assert told == [(1.75, 4, "mondrian: 3 of 4")]


def test_a_note_travels_to_another_process_and_leaves_the_name_as_it_is() -> None:
    copy = pickle.loads(pickle.dumps(Doing("nodes", "smallest loss so far 0.2")))  # noqa: S301  our own
    assert copy == "nodes"
    assert copy.note == "smallest loss so far 0.2"


def test_a_search_moves_the_bar_and_tells_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from microveil.search.lattice import journal

    monkeypatch.setattr(journal, "BETWEEN_NEWS", 0.0)
    told: list[tuple[float, str]] = []
    visits = {"who": [1, 1, 2, 2, 3, 4], "age": [31, 32, 31, 38, 45, 47], "sex": list("ffffmm")}
    recipe = mv.Recipe(
        roles=mv.Roles(entity="who", quasi_identifiers=["age", "sex"]),
        steps=[mv.OptimalGeneralization(k=2, suppression_share=0.4)],
    )

    def tell(done: float, total: float, what: str) -> None:
        assert done <= total
        told.append((done, describe_work(what)))

    mv.run(recipe, visits, seed=1, progress=tell)
    within = [done for done, what in told if what.startswith("optimal_generalization: ")]
    assert len(set(within)) > 1
    assert within == sorted(within)
    assert any("smallest loss so far" in what for _, what in told)
