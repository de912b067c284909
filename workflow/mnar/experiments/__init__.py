"""Tables, figures and claims of each paper, one folder each.

__init__.py    OUTLINE: the studies a paper needs on a dataset, its tables and figures
tables.py      a function for each table, given the Results
figures.py     a function for each figure, given the Results
rules.smk      the rules that show them
published/     the paper's own numbers
"""
