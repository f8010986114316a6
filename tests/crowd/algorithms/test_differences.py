"""What changed between two texts: nothing is lost, and equal texts have no change."""

from hypothesis import given
from hypothesis import strategies as st

from crowd.algorithms.differences import Line, changed_lines

texts = st.lists(st.sampled_from(["a", "b", "c", "", "# d"]), max_size=12).map("\n".join)


def test_a_changed_line_is_gone_and_new_beside_its_neighbours():
    assert changed_lines("a\nb\nc", "a\nB\nc", around=1) == [
        Line("same", "a"),
        Line("gone", "b"),
        Line("new", "B"),
        Line("same", "c"),
    ]


def test_what_is_far_from_a_change_is_a_gap():
    old = "\n".join("abcdefg")
    kinds = [line.kind for line in changed_lines(old, old.replace("d", "D"), around=1)]
    assert kinds == ["gap", "same", "gone", "new", "same", "gap"]


@given(texts)
def test_equal_texts_have_no_change(text):
    assert changed_lines(text, text) == []


@given(texts, texts)
def test_with_all_lines_around_both_texts_can_be_read_from_the_change(old, new):
    lines = changed_lines(old, new, around=100)
    if lines:
        assert [one.text for one in lines if one.kind != "new"] == old.splitlines()
        assert [one.text for one in lines if one.kind != "gone"] == new.splitlines()
    else:
        assert old.splitlines() == new.splitlines()
