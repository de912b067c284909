"""The papers' statements as a list that is checked: `claims.yaml` in, a verdict per dataset out.

entries      reads and checks the list
tests        a test as written in the list, made ready to be applied
quantities   the numbers a test looks at, with their intervals
outcome      verdicts and how several of them combine
identities   statements of mathematics, checked on random rankings
generated    what a statement about behaviour is worth on generated data
evaluation   every claim on every dataset of a page
report       the verdicts as CSV, Markdown and for the page
compare      verdicts of several runs side by side (a command)
"""
