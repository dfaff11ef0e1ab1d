"""History: earlier plans, for undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field

from microveil.web.project.plan import ProjectPlan

LONGEST = 200
"""Plans that are remembered."""


@dataclass
class History:
    """A list of plans and the current position; a new plan discards those that were undone."""

    plans: list[ProjectPlan] = field(default_factory=lambda: [ProjectPlan()])
    place: int = 0

    @property
    def now(self) -> ProjectPlan:
        """The current plan."""
        return self.plans[self.place]

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier plan."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether a plan was undone."""
        return self.place < len(self.plans) - 1

    def add(self, plan: ProjectPlan) -> bool:
        """Make another plan the current one; False if it is the same."""
        if plan == self.now:
            return False
        self.plans = [*self.plans[: self.place + 1], plan][-LONGEST:]
        self.place = len(self.plans) - 1
        return True

    def undo(self) -> None:
        """Return to the previous plan."""
        self.place = max(self.place - 1, 0)

    def redo(self) -> None:
        """Restore the plan that was undone."""
        self.place = min(self.place + 1, len(self.plans) - 1)
