"""What experiment trust says to someone who has a minute; every number is of one measure."""

from mnar import measures
from mnar.core.palette import BLACK, BLUE, GREEN, GREY, RED
from mnar.experiments.trust.cases import Case
from mnar.experiments.trust.evidence import (
    GOOD,
    KNOWN,
    LOGISTIC,
    MEASURE,
    POPULARITY,
    Bought,
    Evidence,
    Look,
    minus,
)
from mnar.reporting.figure_format import Canvas, subplots
from mnar.reporting.page_findings import Finding, Numbers, listed

NAME = measures.label(MEASURE)
UNEVEN = "some items are shown or found far more often than others"
# What came out on real data, for a run that has none.
REAL_DATA = "docs/trust.md"


def answer(numbers: Numbers) -> list[str]:
    evidence = Evidence(numbers)
    case = evidence.hardest
    if case is None:
        return []
    naive = evidence.of(case, "naive")
    trusted = naive.tau >= GOOD and naive.low > 0
    plain = "a plain mean over their ratings"
    start = f"Often even {plain}" if trusted else f"Not {plain}, before you know how they chose"
    where = _where(evidence, case)
    told = (
        f"{start}: {where[0].lower()}{where[1:]}, the plain mean of {NAME} orders systems {naive.words} "
        f"(τ = {naive.shown}; of the pairs that truly differ, {naive.wrong:.0f} % are decided wrongly "
        f"and {naive.right:.0f} % rightly)"
    )
    if evidence.others:
        told += f"; on other real data τ is {_others(evidence)}"
    return [f"{told}{evidence.recorded()}.", *_mended(evidence)]


def headline(numbers: Numbers) -> list[str]:
    """The dataset that the answer speaks of."""
    hardest = Evidence(numbers).hardest
    return [hardest.dataset] if hardest else []


def elsewhere(numbers: Numbers) -> list[tuple[str, str]]:
    """What a run on generated data alone must not hide: a text, and the file that it points to."""
    case = Evidence(numbers).hardest
    if case is None or numbers.is_real(case.dataset):
        return []
    return [("The τ above are from generated data. What real data say, and what to do:", REAL_DATA)]


def _where(evidence: Evidence, case: Case) -> str:
    data = evidence.data(case)
    if case.point is None:
        return f"On {data}, with users' own choice"
    return f"On {data}, where {UNEVEN} and liked ones are rated more often"


def _others(evidence: Evidence) -> str:
    """τ of the hardest case of each further dataset."""
    looks = {case: evidence.of(case, "naive") for case in evidence.others}
    kinds = {case: "users' own choice" if case.point is None else "uneven" for case in looks}
    return listed([f"{look.shown} ({case.dataset}, {kinds[case]})" for case, look in looks.items()])


def _mended(evidence: Evidence) -> list[str]:
    parts = []
    enough = evidence.enough()
    if enough:
        parts.append(f"with {enough.words} as the test set (τ = {enough.tau:.2f})")
    if evidence.hardest and evidence.has(evidence.hardest, KNOWN):
        known = evidence.of(evidence.hardest, KNOWN)
        if known.tau >= GOOD:
            parts.append(f"with weights by the true chances of being rated (τ = {known.tau:.2f})")
    if not parts:
        return []
    told = ", or ".join(parts)
    return [f"{told[0].upper()}{told[1:]}, {NAME} orders systems much as the truth does."]


def advice(numbers: Numbers) -> list[str]:
    evidence = Evidence(numbers)
    case, even_case = evidence.hardest, evidence.even
    told: list[str] = []
    if case is None:
        return told
    if even_case:
        even = evidence.of(even_case, "naive")
        if even.tau >= GOOD:
            told.append(
                f"Find out whether {UNEVEN}. If not, the plain mean is fine (τ = {even.tau:.2f} "
                "under random selection)."
            )
    enough = evidence.enough()
    if enough:
        told.append(
            f"Collect at least {enough.a_user} a user (tried with {enough.users:,} users), "
            "and test on those alone."
        )
    if evidence.has(case, LOGISTIC):
        guessed, naive = evidence.of(case, LOGISTIC), evidence.of(case, "naive")
        against = "against" if guessed.low > naive.high else "not surely better than"
        told.append(
            "If you cannot, log what is shown and weight by it. Without logs, guess the chances from "
            "counts and means: "
            + minus(f"τ = {guessed.tau:.2f}, {against} {naive.tau:.2f} by the plain mean.")
        )
    if even_case and evidence.has(even_case, POPULARITY):
        spoilt, even = evidence.of(even_case, POPULARITY), evidence.of(even_case, "naive")
        if spoilt.high < even.low:
            told.append(
                "Do not divide by popularity out of habit: under random selection it takes τ from "
                + minus(f"{even.tau:.2f} to {spoilt.tau:.2f}.")
            )
    return told


def findings(numbers: Numbers) -> list[Finding]:
    evidence = Evidence(numbers)
    if evidence.hardest is None:
        return []
    found = [_trusted(evidence, evidence.hardest)]
    return found + ([_bought(evidence, evidence.hardest)] if evidence.price() else [])


def _trusted(evidence: Evidence, case: Case) -> Finding:
    naive = evidence.of(case, "naive")
    rows = {"users' choice, plain mean": (case, "naive")}
    sentence = f"{_where(evidence, case)}, the plain mean orders systems {naive.words}."
    on = evidence.data(case).split(" (")[0]
    brief = f"on {on} (τ = {naive.tau:.2f})"
    if case.point is not None:
        on_what = f"{on}, simulated" if evidence.numbers.is_real(case.dataset) else on
        brief = (
            f"if {UNEVEN} and liked ones are rated more often (τ = {naive.tau:.2f} on {on_what})"
        )
    if evidence.even:
        even = evidence.of(evidence.even, "naive")
        sentence += f" Under random selection it orders them {even.words} (τ = {even.tau:.2f})."
        rows = {"random selection, plain mean": (evidence.even, "naive"), **rows}
        brief += f"; {even.says} if items are rated at random (τ = {even.tau:.2f})"
    if evidence.others:
        sentence += f" On other real data τ is {_others(evidence)}."
        told = [f"{c.dataset} {evidence.of(c, 'naive').tau:.2f}" for c in evidence.others]
        whose = (
            "of users' own choice" if all(one.point is None for one in evidence.others) else "on"
        )
        brief += f"; τ {whose}: {', '.join(told)}"
    if evidence.has(case, LOGISTIC):
        rows["users' choice, guessed weights"] = (case, LOGISTIC)
    if evidence.has(case, KNOWN):
        rows["users' choice, true weights"] = (case, KNOWN)
    return Finding(
        question=f"May I trust {NAME} on my clicks?",
        sentence=f"{sentence[:-1]}{evidence.recorded()}.",
        number=minus(f"τ = {naive.tau:.2f}"),
        about=minus(
            f"agreement with the truth, 95 % interval {naive.low:.2f} to {naive.high:.2f} ({on})"
        ),
        answer=naive.says,
        brief=minus(brief),
        picture=_tau_picture({name: evidence.of(*where) for name, where in rows.items()}),
        alt="Kendall's τ with the truth for plain and weighted means.",
        link=evidence.numbers.link("trust", case.dataset, "trust_plot"),
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


def _bought(evidence: Evidence, case: Case) -> Finding:
    price, enough = evidence.price(), evidence.enough()
    naive = evidence.of(case, "naive")
    bought = enough or price[-1]
    if enough:
        order = f"{'orders' if bought.n == 1 else 'order'} systems much as the truth does"
    else:
        order = f"{'does' if bought.n == 1 else 'do'} not order systems well"
    sentence = f"{'' if enough else 'Even '}{bought.words} {order} (τ = {bought.tau:.2f})"
    number = str(bought.n) if enough else f"more than {bought.n}"
    return Finding(
        question="How many random ratings would I have to buy?",
        sentence=minus(
            f"{sentence}; all ratings that users chose give {naive.tau:.2f} on {evidence.data(case)}."
        ),
        number=number,
        about=f"random rating{'' if number == '1' else 's'} a user for τ of {GOOD} or more "
        f"({NAME}, {bought.users:,} users)",
        answer="",
        brief=f"{number} a user for τ ≥ {GOOD} ({NAME}, {bought.users:,} users)",
        picture=_price_picture(price, naive.tau),
        alt="τ with the truth against the number of random ratings a user.",
        link=evidence.numbers.link("trust", case.dataset, "price"),
    )


def _price_picture(price: list[Bought], naive: float) -> Canvas:
    canvas, axis = subplots(figsize=(3.4, 2.1))
    axis.plot([one.n for one in price], [one.tau for one in price], "o-", color=GREEN)
    axis.axhline(naive, color=GREY, ls="--", lw=1)
    axis.text(price[-1].n, naive, "users' choice alone", ha="right", va="bottom", fontsize=8)
    axis.set_xscale("log")
    axis.set_xticks([one.n for one in price], [f"{one.n:g}" for one in price])
    axis.minorticks_off()
    axis.set(ylim=(min(-0.3, naive - 0.1), 1.05), xlabel="random ratings a user", ylabel="τ")
    return canvas
