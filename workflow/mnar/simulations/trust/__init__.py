"""Trust: many systems ordered by every estimator, and by the truth (docs/trust.md).

systems      which systems are compared, and their training
scenes       what is rated, trained on, held out, and true: simulated selection, or real data
looks        the gains of every system on all sets of a scene
kernels      Kendall's τ and paired signs over bootstrap samples
orders       from estimates and truth to bias, τ, regret, decisions
price        the price of truth: random ratings collected against what they buy
gammas       how often an order is right, by the Γ that would turn it
redraw       known chances: held-out sets drawn again and again for fixed systems
experiment   all mechanisms and seeds of a dataset, as tables
proposed.yaml  mechanisms, systems, measures and estimators, fixed before the first run
"""
