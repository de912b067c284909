"""What trust's tables tell of one measure: in each kind of selection, and by random ratings."""

from dataclasses import dataclass

import pandas as pd

from mnar.experiments.trust.cases import Case, cases_of
from mnar.reporting.page_findings import Numbers

MEASURE = "recall@10"
KNOWN, LOGISTIC, POPULARITY = "snips(known)", "snips(logistic)", "snips(popularity, gamma=1)"
# From this τ on, an order is said to be much like the truth.
GOOD = 0.7


@dataclass(frozen=True)
class Look:
    """One estimator in one case."""

    tau: float
    low: float
    high: float
    right: float
    wrong: float

    @property
    def words(self) -> str:
        if self.high < 0:
            return "against the truth"
        if self.low <= 0:
            return "no better than chance"
        return "much as the truth does" if self.tau >= GOOD else "only partly as the truth does"

    @property
    def says(self) -> str:
        return "yes" if self.tau >= GOOD else "no" if self.low <= 0 else "partly"

    @property
    def shown(self) -> str:
        return minus(f"{self.tau:.2f} [{self.low:.2f}, {self.high:.2f}]")


@dataclass(frozen=True)
class Bought:
    """Random ratings of each of some users as the test set, and how well they order systems."""

    n: int
    tau: float
    users: int

    @property
    def a_user(self) -> str:
        return f"{self.n} random {'rating' if self.n == 1 else 'ratings'}"

    @property
    def words(self) -> str:
        return f"{self.a_user} from each of {self.users:,} users"


class Evidence:
    """The hardest case of each dataset, those of real data first, and the one without selection."""

    def __init__(self, numbers: Numbers):
        self.numbers = numbers
        self.table, self.prices = (_of_measure(numbers, name) for name in ("trust", "price"))
        cases = cases_of(self.table) if len(self.table) else []
        even = [case for case in cases if case.point is not None and not any(case.point)]
        hardest: dict[str, Case] = {}
        for case in sorted(cases, key=lambda one: self.of(one, "naive").tau):
            if case not in even:
                hardest.setdefault(case.dataset, case)
        real = [case for case in hardest.values() if numbers.is_real(case.dataset)]
        found = real or list(hardest.values())
        self.hardest = found[0] if found else None
        self.others = real[1:]
        # Of the same data where they have it.
        even.sort(key=lambda one: not self.hardest or one.dataset != self.hardest.dataset)
        self.even = even[0] if even else None

    def of(self, case: Case, estimator: str) -> Look:
        rows = case.of(self.table)
        row = rows[rows["estimator"] == estimator].iloc[0]
        return Look(
            row["tau"], row["tau_low"], row["tau_high"], 100 * row["right"], 100 * row["wrong"]
        )

    def has(self, case: Case | None, estimator: str) -> bool:
        return case is not None and estimator in set(case.of(self.table)["estimator"])

    def data(self, case: Case) -> str:
        """What the data are: nobody should take generated ones, or simulated choices, for real."""
        if not self.numbers.is_real(case.dataset):
            return f"generated data ({case.dataset})"
        simulated = " (real ratings, simulated selection)" if case.point else ""
        return f"{case.dataset}{simulated}"

    def recorded(self) -> str:
        """Which of the datasets of the answer were not run here."""
        cases = [self.hardest, *self.others] if self.hardest else []
        return self.numbers.recorded(pd.concat([case.of(self.table) for case in cases]))

    def price(self) -> list[Bought]:
        """By the number of random ratings a user, in the hardest case."""
        if self.hardest is None or self.prices.empty:
            return []
        rows = self.hardest.of(self.prices)
        grouped = rows[rows["use"] == "test alone"].groupby("n")[["tau", "users"]].mean()
        return [Bought(int(n), row["tau"], round(row["users"])) for n, row in grouped.iterrows()]

    def enough(self) -> Bought | None:
        """The fewest random ratings a user that order systems much as the truth does."""
        return next((one for one in self.price() if one.tau >= GOOD), None)


def _of_measure(numbers: Numbers, name: str) -> pd.DataFrame:
    table = numbers.table("trust", name)
    return table[table["measure"] == MEASURE] if len(table) else table


def minus(text: str) -> str:
    """Numbers with a minus of their own width."""
    return text.replace("-", "−")
