"""What experiment trust says to someone who has a minute."""

from dataclasses import dataclass

import pandas as pd

from mnar import measures
from mnar.core.palette import BLACK, BLUE, GREEN, GREY, RED
from mnar.experiments.trust.cases import Case, cases_of
from mnar.reporting.figure_format import Canvas, subplots
from mnar.reporting.page_findings import Finding, Numbers

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
    def shown(self) -> str:
        return f"{self.tau:.2f} [{self.low:.2f}, {self.high:.2f}]".replace("-", "−")


class Looks:
    """The estimators of recall@10 in the cases of a page: random selection, and the hardest one."""

    def __init__(self, numbers: Numbers):
        self.table = numbers.table("trust", "trust")
        self.prices = numbers.table("trust", "price")
        self.numbers = numbers
        cases = cases_of(self.table) if len(self.table) else []
        drawn = [case for case in cases if case.point is not None]
        self.random = next((case for case in drawn if not any(case.point or ())), None)
        real = [case for case in cases if case.point is None or numbers.is_real(case.dataset)]
        biased = [case for case in real or drawn if case is not self.random]
        taus = {case: self.of(case, "naive") for case in biased}
        self.hardest = min(taus, key=lambda case: taus[case].tau) if taus else None

    def of(self, case: Case, estimator: str) -> Look:
        rows = case.of(self.table)
        row = rows[(rows["measure"] == MEASURE) & (rows["estimator"] == estimator)].iloc[0]
        return Look(
            row["tau"], row["tau_low"], row["tau_high"], 100 * row["right"], 100 * row["wrong"]
        )

    def where(self, case: Case) -> str:
        """The case in words, with date and commit where it was not run here."""
        recorded = self.numbers.recorded(case.of(self.table))
        if case.point is None:
            return f"{case.dataset}{recorded}, with users' own choice,"
        return f"{case.dataset} data{recorded}, where popular and liked items are rated more often,"

    def has(self, case: Case | None, estimator: str) -> bool:
        return case is not None and estimator in set(case.of(self.table)["estimator"])

    def price(self) -> pd.DataFrame:
        """τ and regret by the number of random ratings a user, as a test set, in the hardest case."""
        if self.hardest is None or "use" not in self.prices:
            return pd.DataFrame()
        rows = self.hardest.of(self.prices)
        rows = rows[rows["use"] == "test alone"]
        return rows.groupby("n")[["tau", "regret"]].mean()

    @property
    def bought(self) -> str:
        """The measure by which random ratings were tried."""
        return measures.label(str(self.prices["measure"].iloc[0]))

    def enough(self) -> tuple[int, float] | None:
        """The fewest random ratings a user that order systems much as the truth does, and τ there."""
        price = self.price()
        good = price[price["tau"] >= GOOD] if len(price) else price
        return (int(good.index[0]), float(good["tau"].iloc[0])) if len(good) else None


def answer(numbers: Numbers) -> list[str]:
    looks = Looks(numbers)
    if looks.hardest is None:
        return []
    naive = looks.of(looks.hardest, "naive")
    trusted = naive.tau >= GOOD and naive.low > 0
    start = "Often yes" if trusted else "Not without a look at how users chose"
    told = [
        f"{start}: on {looks.where(looks.hardest)} {measures.label(MEASURE)} orders systems "
        f"{naive.words}. It decides {naive.wrong:.0f} % of all pairs wrongly and {naive.right:.0f} % "
        f"rightly (τ = {naive.shown})."
    ]
    told += [_mended(looks)] if _mended(looks) else []
    return told


def _mended(looks: Looks) -> str:
    parts = []
    enough = looks.enough()
    if enough:
        word = "rating" if enough[0] == 1 else "ratings"
        parts.append(f"{enough[0]} random {word} a user as the test set (τ = {enough[1]:.2f})")
    if looks.hardest and looks.has(looks.hardest, KNOWN):
        known = looks.of(looks.hardest, KNOWN)
        if known.tau >= GOOD:
            parts.append(f"weights by the true chances of being rated (τ = {known.tau:.2f})")
    if not parts:
        return "Nothing that was tried here puts it right." if len(looks.price()) else ""
    told = f"{' or '.join(parts)} put it right."
    return told[0].upper() + told[1:]


def advice(numbers: Numbers) -> list[str]:
    looks = Looks(numbers)
    told: list[str] = []
    if looks.hardest is None:
        return told
    if looks.random:
        even = looks.of(looks.random, "naive")
        if even.tau >= GOOD:
            told.append(
                "Find out whether some items were seen far more often than others. If not, the plain "
                f"mean is fine (τ = {even.tau:.2f} under random selection)."
            )
    enough = looks.enough()
    if enough:
        told.append(f"Collect {enough[0]} or more random ratings a user, and test on those alone.")
    if looks.has(looks.hardest, LOGISTIC):
        guessed, naive = looks.of(looks.hardest, LOGISTIC), looks.of(looks.hardest, "naive")
        better = "does better" if guessed.low > naive.high else "is not surely better"
        told.append(
            "If you cannot, log what is shown and weight by it. Chances guessed from counts and means: "
            f"τ = {guessed.tau:.2f}, which {better} than the plain mean ({naive.tau:.2f}).".replace(
                "-", "−"
            )
        )
    if looks.random and looks.has(looks.random, POPULARITY):
        spoilt, even = looks.of(looks.random, POPULARITY), looks.of(looks.random, "naive")
        if spoilt.high < even.low:
            told.append(
                "Do not divide by popularity out of habit: where nothing was wrong, it takes τ from "
                f"{even.tau:.2f} to {spoilt.tau:.2f}.".replace("-", "−")
            )
    return told


def findings(numbers: Numbers) -> list[Finding]:
    looks = Looks(numbers)
    if looks.hardest is None:
        return []
    found = [_trusted(looks, numbers)]
    return found + ([_bought(looks, numbers)] if len(looks.price()) else [])


def _trusted(looks: Looks, numbers: Numbers) -> Finding:
    case = looks.hardest
    assert case is not None
    naive = looks.of(case, "naive")
    rows = {"users' choice, plain mean": (case, "naive")}
    sentence = f"On {looks.where(case)} it orders systems {naive.words}."
    brief = f"{_chosen(case)} (τ = {naive.tau:.2f})"
    if looks.random:
        even = looks.of(looks.random, "naive")
        sentence += f" Under random selection it orders them {even.words} (τ = {even.tau:.2f})."
        rows = {"random selection, plain mean": (looks.random, "naive"), **rows}
        brief += f"; {_says(even)} if items are rated at random (τ = {even.tau:.2f})"
    if looks.has(case, LOGISTIC):
        rows["users' choice, guessed weights"] = (case, LOGISTIC)
    if looks.has(case, KNOWN):
        rows["users' choice, true weights"] = (case, KNOWN)
    return Finding(
        question=f"May I trust {measures.label(MEASURE)} on my clicks?",
        sentence=sentence,
        number=f"τ = {naive.tau:.2f}".replace("-", "−"),
        about=f"agreement with the truth, 95 % interval {naive.low:.2f} to {naive.high:.2f}".replace(
            "-", "−"
        ),
        answer=_says(naive),
        brief=brief.replace("-", "−"),
        picture=_tau_picture({name: looks.of(*where) for name, where in rows.items()}),
        alt="Kendall's τ with the truth for plain and weighted means.",
        link=numbers.link("trust", case.dataset, "trust_plot"),
    )


def _says(look: Look) -> str:
    return "yes" if look.tau >= GOOD else "no" if look.low <= 0 else "partly"


def _chosen(case: Case) -> str:
    return (
        f"on {case.dataset}" if case.point is None else "if popular and liked items are rated more"
    )


def _tau_picture(rows: dict[str, Look]) -> Canvas:
    canvas, axis = subplots(figsize=(3.4, 2.1))
    for position, look in enumerate(list(rows.values())[::-1]):
        colour = RED if look.low <= 0 else BLUE if look.tau >= GOOD else GREY
        gaps = [[max(look.tau - look.low, 0)], [max(look.high - look.tau, 0)]]
        axis.errorbar(look.tau, position, xerr=gaps, fmt="o", color=colour, ms=5, lw=1.2)
    axis.axvline(0, color=BLACK, lw=0.8)
    axis.set_yticks(range(len(rows)), list(rows)[::-1], fontsize=8)
    axis.set(xlim=(-1.05, 1.05), ylim=(-0.5, len(rows) - 0.5), xlabel="τ with the truth")
    return canvas


def _bought(looks: Looks, numbers: Numbers) -> Finding:
    case = looks.hardest
    assert case is not None
    price, enough = looks.price(), looks.enough()
    naive = looks.of(case, "naive")
    n, tau = enough or (int(price.index[-1]), float(price["tau"].iloc[-1]))
    word = "rating" if n == 1 else "ratings"
    if enough:
        sentence = f"{n} random {word} a user order systems much as the truth does (τ = {tau:.2f})"
    else:
        sentence = f"Even {n} random {word} a user do not order systems well (τ = {tau:.2f})"
    return Finding(
        question="How many random ratings would I have to buy?",
        sentence=f"{sentence}; all ratings that users chose give {naive.tau:.2f}.".replace(
            "-", "−"
        ),
        number=str(n) if enough else f"more than {n}",
        about=f"random ratings a user for τ of {GOOD} or more ({looks.bought})",
        answer="",
        brief=f"{n if enough else f'more than {n}'} a user for τ ≥ {GOOD}",
        picture=_price_picture(price, naive.tau),
        alt="τ with the truth against the number of random ratings a user.",
        link=numbers.link("trust", case.dataset, "price"),
    )


def _price_picture(price: pd.DataFrame, naive: float) -> Canvas:
    canvas, axis = subplots(figsize=(3.4, 2.1))
    axis.plot(price.index, price["tau"], "o-", color=GREEN)
    axis.axhline(naive, color=GREY, ls="--", lw=1)
    axis.text(price.index[-1], naive, "users' choice alone", ha="right", va="bottom", fontsize=8)
    axis.set_xscale("log")
    axis.set_xticks(list(price.index), [f"{n:g}" for n in price.index])
    axis.minorticks_off()
    axis.set(ylim=(min(-0.3, naive - 0.1), 1.05), xlabel="random ratings a user", ylabel="τ")
    return canvas
