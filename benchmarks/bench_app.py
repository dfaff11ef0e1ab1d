"""The browser app at 1,000,000 × 15: what a click costs, and what a session holds in memory.

Goals: a change of the keys is answered within 300 ms, whatever the keys; every other click within
a second or with progress; a session holds at most four times its frame in memory.

Found (frame 107 MB, two cores that others used, too): another choice of keys is counted as an
assessment counts it, which takes 0.2 s of CPU for five keys, 0.3 s with a measure of many values
and 0.5 s for fourteen. (Codes of every column, kept for the session, took 0.1 to 0.2 s, but were a
second count that knew neither people nor wildcards.) Tables are mapped, not held: the server keeps
1.0 × the frame for a session, 3.2 × at most for a moment.

Each job has a process of its own while it lasts. The library that it loads takes 70 MB before the
data, whatever their size; compiled code and scikit-learn add 150 MB in compare, whatever the table.
Beyond the 70 MB, in MB and × the frame:

| job | at first | packed keys | now |
|---|---|---|---|
| open | 635 (5.9) | 229 (2.1) | 224 (2.1) |
| a step | 556 (5.2) | 181 (1.7) | 180 (1.7) |
| check | | 27 (0.3) | 13 (0.1) |
| risk in depth | 1,372 (12.8) | 526 (4.9) | 240 (2.2) |
| compare, all measures | 1,694 (15.8) | 1,012 (9.4) | 347 (3.2) |
| local suppression, 14 keys | | 660 (6.2) | 411 (3.8) |
| a release with its reports | | 504 (4.7) | 405 (3.8) |

What dominated was the grouping of fourteen keys by Polars (458 MB; packed into numbers 53 MB, in a
seventh of the time), freed memory that the allocator kept, and then measures that held both tables
and their intermediate results as matrices of floats: replicated uniques (7.5 × alone, now 1.4),
record linkage (6.8, 3.4), value disclosure (5.9, 2.4), information loss (5.7, 2.2), confidence
overlap (4.7, 2.8), interval disclosure (4.3, 2.2), and the keys of every class in an assessment
(3.4, 2.0). They now go through the records column by column or in blocks. All measures of compare
take about 50 s; the slowest are confidence intervals (7 s) and record linkage (4 s). Of labels that
a suggestion made, compare takes 375 MB (3.5 ×); the suggestion itself takes 2.7 ×. Local
suppression held several copies of the keys and all pairs of rare rows and sets of columns; it now
goes through them in passes (36 s). With wildcards it takes 4.5 × if every record is unique. Reports
held the unique records of both tables, which are listed only when they are asked for now.

Clicks: a page shows within 0.5 s (on compare its bars follow), a key ticked in 0.3 to 0.9 s,
another role and "find me", also after a step, in 0.3 to 0.4 s, forms, undo and a variant pinned
within 0.5 s; a step and a check are jobs with progress (0.9 to 1.5 s). The editor of a column with
a million values shows in 0.8 s, and its preview when it is counted (1.4 s). Others used the two
cores, too; while they had them twice over, pages took up to 0.9 s, the editor 1.4 s with a bar, its
preview up to 5 s and the jobs 2 to 4 s.

`python benchmarks/bench_app.py` measures the keys, `python benchmarks/bench_app.py browser` the
pages in Chromium, with the memory of the server and of its jobs, `python benchmarks/bench_app.py
jobs` the jobs one by one.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from timing import medians, seconds

from microveil.risk import assess_table
from microveil.tables import Roles, Table

N = 1_000_000
ROOT = Path(__file__).parents[1]


def frame(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    few = {f"c{i}": rng.integers(0, 9, n) for i in range(8)}
    return pl.DataFrame(
        {
            "age": rng.integers(17, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "postcode": rng.choice([f"{one:05}" for one in range(3_000)], n),
            "occupation": rng.choice([f"job {one}" for one in range(80)], n),
            "education": rng.choice([f"level {one}" for one in range(16)], n),
            "income": rng.normal(30_000, 9_000, n).round(2),
            "visits": rng.poisson(3, n),
            **few,
        }
    )


def keys() -> None:
    table = frame(N)

    def count(keys: list[str]) -> None:
        assess_table(Table(table, Roles(quasi_identifiers=keys)), n_worst=0, records=False)

    sets = {
        "two keys": ["age", "sex"],
        "five keys": ["age", "sex", "postcode", "occupation", "education"],
        "with a measure": ["age", "sex", "income"],
        "all fifteen": table.columns,
    }
    first = {name: seconds(lambda keys=keys: count(keys)) for name, keys in sets.items()}
    again = medians({name: lambda keys=keys: count(keys) for name, keys in sets.items()})
    print(f"| keys of {N:,} × {table.width} | first time | then |\n|---|---|---|")
    for name in sets:
        print(f"| {name} | {first[name] * 1000:.0f} ms | {again[name] * 1000:.0f} ms |")


class Memory(threading.Thread):
    """Looks at a server and its jobs now and then; keeps the largest of what it saw."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.server, self.jobs = pid, 0, 0

    def run(self) -> None:
        """Look five times a second, as long as the benchmark runs."""
        while True:
            self.server = max(self.server, anonymous(self.pid))
            self.jobs = max([self.jobs, *map(anonymous, children(self.pid))])
            time.sleep(0.2)


def anonymous(pid: int) -> int:
    """Bytes that a process holds for itself; files it only looks into do not count."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(status.split("RssAnon:")[1].split()[0]) * 1024
    except (OSError, IndexError):
        return 0


def children(pid: int) -> list[int]:
    try:
        told = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(one) for one in told.split()]


class Visit:
    """One person at the pages, with what each click took."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        self.took: dict[str, float] = {}

    def time(self, name: str, click: Callable[[], Any]) -> None:
        """Note how long a click takes until its answer is there."""
        self.took[name] = seconds(click)

    def open(self, path: Path) -> None:
        """Send a file and wait for its preview."""
        self.page.set_input_files("#data-file", path)
        self.page.get_by_role("heading", name=path.name).wait_for()

    def go(self, name: str) -> None:
        """Show a page."""
        self.page.goto(f"{self.address}/{name}")
        self.page.wait_for_selector("h1")

    def turn(self) -> None:
        """The next rows of the preview."""
        self.page.locator("[data-key='rows after']").click()
        self.page.get_by_text("rows 11 to 20").wait_for()

    def tick(self) -> None:
        """A key more, or less."""
        asked = self.page.get_by_role("button", name="Take these as keys")
        state = "detached" if asked.count() else "visible"
        self.page.locator("[data-key='key c0']").click()
        asked.wait_for(state=state)

    def find(self) -> None:
        """Find anybody, before and after each step."""
        self.page.get_by_role("button", name="Take anybody").click()
        self.page.locator("td", has_text="Original").first.wait_for()

    def role(self) -> None:
        """Another role for a column."""
        self.page.locator("article[data-name='c7']").get_by_label("Harmless").check()
        self.page.locator(".stop-state", has_text="13 keys").wait_for()

    def worst(self) -> None:
        """The rarest combinations, as soon as the table is there."""
        self.page.get_by_role("button", name="Show the rarest combinations").click()
        self.page.locator("th", has_text="occupation").wait_for()

    def editor(self) -> None:
        """The hierarchy editor of a column with as many values as records."""
        self.page.locator("[data-key='form column']").select_option("income")
        self.page.locator(".histogram").wait_for()

    def cut(self) -> None:
        """A cut point less, and the preview that follows from it."""
        before = self.page.locator("h4").inner_text()
        self.page.locator("[data-key='drop cut 0']").click()
        self.page.locator("h4").filter(has_not_text=before).wait_for()

    def begin(self, family: str, method: str) -> None:
        """The form of a method."""
        self.page.locator("summary", has_text=family).click()
        self.page.locator(f"[data-key='method {method}']").click()
        self.page.locator("#step-form").wait_for()

    def step(self) -> None:
        """A step more, and its effect."""
        page = self.page
        page.locator("[data-key='form columns income']").check()
        page.locator("[data-key='form base']").fill("1000")
        page.get_by_role("button", name="Add the step").click()
        page.locator(".effect").first.wait_for()

    def pin(self) -> None:
        """A variant more to compare with."""
        self.page.get_by_role("button", name="Pin this variant").click()
        self.page.locator("[data-key='take 1']").wait_for()

    def pressed(self, name: str, then: str) -> None:
        """A button, and what it shows."""
        self.page.get_by_role("button", name=name).click()
        self.page.get_by_text(then).first.wait_for()

    def all(self, path: Path, settled: Callable[[Any], None]) -> None:
        """From the file to a step."""
        self.time("open (with progress)", lambda: self.open(path))
        settled(self.page)
        self.time("turn the preview", self.turn)
        for name in ("roles", "risk", "protect", "compare", "release", "data"):
            self.time(f"page {name}", lambda name=name: self.go(name))
        self.go("roles")
        self.time("another role", self.role)
        settled(self.page)
        self.go("risk")
        self.time("tick a key", self.tick)
        self.time("tick it again", self.tick)
        self.time("find me", self.find)
        self.protect(settled)
        self.go("compare")
        self.time("pin", self.pin)
        self.time("find me after a step", self.find)
        self.go("release")
        self.time(
            "check (with progress)", lambda: self.pressed("Check now", "Nothing was required")
        )

    def protect(self, settled: Callable[[Any], None]) -> None:
        """The hierarchy editor and a step."""
        self.go("protect")
        self.time("form of a method", lambda: self.begin("Coarser values", "generalize"))
        self.time("hierarchy editor", self.editor)
        self.page.locator("h4").wait_for()
        self.time("cut point, with preview", self.cut)
        self.time("another method", lambda: self.begin("Blank", "suppress_records"))
        self.page.locator("[data-key='method round']").click()
        self.page.locator("[data-key='form base']").wait_for()
        self.time("add a step (with progress)", self.step)
        settled(self.page)
        self.time("undo", lambda: self.pressed("Undo", "No step yet"))
        self.pressed("Redo", "1. Round")
        settled(self.page)


def browser() -> None:
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.web.browser.chromium import FLAGS, chromium, serving, settled, sign_in

    table = frame(N)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "people.parquet"
        table.write_parquet(path)
        with serving() as (address, _, pid):
            program = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = program.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(60_000)
            sign_in(page, address)
            before = anonymous(pid)
            memory = Memory(pid)
            memory.start()
            visit = Visit(page, address)
            visit.all(path, settled)
            program.close()
            report(visit, memory, before, table.estimated_size())


def jobs() -> None:
    """Each job in a process of its own: seconds, and memory beyond the library that is loaded."""
    from microveil.methods import Round
    from microveil.methods.parts.streams import Chance
    from microveil.recipes import Recipe
    from microveil.web.jobs import Workers
    from microveil.web.project import tasks
    from microveil.web.project.states import States

    table, workers = frame(N), Workers()
    size = table.estimated_size()
    print(f"frame {size / 1e6:.0f} MB\n| job | seconds | MB | × the frame |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        source, data = Path(folder) / "people.parquet", Path(folder) / "people.arrow"
        table.write_parquet(source)
        del table
        watched = Watched(workers, size)
        opened = watched.run("open", tasks.open_file, source=source, target=data, options={})
        steps = (Round(columns=("income",), base=1000),)
        recipe = Recipe(roles=opened.inspection.roles, steps=steps)
        kept = {"data": data, "states": States(data.parent), "recipe": recipe}
        drawn = {"chance": Chance.of(None, pl.DataFrame())}
        asked = {
            "step": (tasks.apply_steps, drawn),
            "risk": (tasks.assess_risk, {"key": None, "roles": recipe.roles}),
            "compare": (tasks.compare_pair, drawn | {"measures": "default"}),
            "check": (tasks.make_release, drawn | {"wanted": {"name": None}}),
        }
        for name, (task, more) in asked.items():
            watched.run(name, task, **kept, **more)
    workers.close()


class Watched:
    """A job with an eye on its memory."""

    def __init__(self, workers: Any, size: int) -> None:
        self.workers, self.size = workers, size

    def run(self, name: str, task: Any, **arguments: Any) -> Any:
        """Do it, and print what it took."""
        self.workers.warm()
        time.sleep(3)  # the library is loaded
        started = time.perf_counter()
        job = self.workers.start(name, task, lambda _: None, **arguments)
        loaded = most = anonymous(job.process.pid)
        while not job.ended.wait(0.02):
            most = max(most, anonymous(job.process.pid))
        taken, more = time.perf_counter() - started, most - loaded
        print(f"| {name} | {taken:.1f} | {more / 1e6:.0f} | {more / self.size:.1f} |", flush=True)
        return job.result


def report(visit: Visit, memory: Memory, before: int, size: int) -> None:
    print(f"| click at {N:,} × 15 | seconds |\n|---|---|")
    for name, value in visit.took.items():
        print(f"| {name} | {value:.2f} |")
    held, most = anonymous(memory.pid) - before, memory.server - before
    print(f"\nframe {size / 1e6:.0f} MB")
    print(f"server: {held / 1e6:.0f} MB at the end, {held / size:.1f} × the frame;")
    print(f"  {most / 1e6:.0f} MB at most, {most / size:.1f} ×")
    print(f"largest job: {memory.jobs / 1e6:.0f} MB, {memory.jobs / size:.1f} ×")


if __name__ == "__main__":
    {"browser": browser, "jobs": jobs}.get(" ".join(sys.argv[1:]), keys)()
