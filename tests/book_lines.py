"""What the strategies for small books share: lines with blocks below them, and conditions that are made of others."""

from __future__ import annotations

from hypothesis import strategies as st

Lines = list[str]
"""Lines of rules, each with its indentation."""

SO_FAR = st.sampled_from(["", " as far as possible"])
"""How a statement ends that takes something."""


def indented(lines: Lines) -> Lines:
    """The lines one step deeper."""
    return [f"    {line}" for line in lines]


def joined(atoms: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    """Conditions of at most so many atoms."""
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds("({}) and ({})".format, inner, inner),
            st.builds("({}) or ({})".format, inner, inner),
            st.builds("not ({})".format, inner),
            st.builds("({}) implies ({})".format, inner, inner),
        ),
        max_leaves=most,
    )
