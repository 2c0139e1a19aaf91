"""The proof: what is shown of simulated children whose ability, habits and memory are known.

`python -m tools.proof [--long]` prints the tables of docs/learning.md.
"""
