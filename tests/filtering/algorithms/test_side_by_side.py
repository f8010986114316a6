"""Two runs side by side, and the votes before and after one."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.agreement import Undefined
from filtering.algorithms import Chosen, side_by_side, votes_of, votes_shift
from tests.acceptance.findings import nominal_alpha


def chosen(kept):
    """Posts by id, and whether each was kept."""
    return Chosen(np.array(list(kept)), np.array(list(kept.values()), dtype=bool))


def test_what_both_keep_and_what_one_keeps():
    first = chosen({3: 1, 1: 1, 2: 0, 4: 1, 9: 1})
    second = chosen({1: 1, 2: 1, 3: 0, 4: 1, 5: 0, 6: 1})
    found = side_by_side(first, second)
    assert found.both.tolist() == [1, 4]
    assert found.only_first.tolist() == [3]
    assert found.only_second.tolist() == [2]
    assert found.neither.tolist() == []
    assert found.unshared == 3
    assert found.overlap == 2 / 4
    assert found.by_chance == pytest.approx((3 * 3 / 4) / (6 - 3 * 3 / 4))


def test_a_run_beside_itself_overlaps_whole():
    one = chosen({1: 1, 2: 0, 3: 1})
    found = side_by_side(one, one)
    assert found.overlap == 1
    assert found.neither.tolist() == [2]
    assert found.unshared == 0


def test_runs_that_keep_or_share_nothing_have_no_overlap():
    nothing = chosen({1: 0, 2: 0})
    assert side_by_side(nothing, nothing).overlap is None
    assert side_by_side(nothing, nothing).by_chance is None
    apart = side_by_side(chosen({1: 1}), chosen({2: 1}))
    assert apart.overlap is None and apart.unshared == 2


def test_chance_is_what_random_sets_overlap_on_average():
    generator = np.random.default_rng(1)
    ids, found = np.arange(400), []
    for _time in range(200):
        one, other = (
            Chosen(ids, np.isin(ids, generator.permutation(400)[:size])) for size in (200, 100)
        )
        found.append(side_by_side(one, other))
    assert np.mean([each.overlap for each in found]) == pytest.approx(found[0].by_chance, abs=0.01)


def test_agreement_before_and_after():
    counts = np.array([[3, 0], [2, 1], [1, 2], [0, 3], [3, 0]])
    kept = np.array([True, False, False, True, True])
    found = votes_shift(counts, kept, generator=np.random.default_rng(1))
    assert found.before.agreement.alpha == pytest.approx(nominal_alpha(counts.tolist()))
    assert found.after.agreement.alpha == pytest.approx(1)
    assert found.left.agreement.alpha == pytest.approx(nominal_alpha(counts[~kept].tolist()))
    assert (found.before.mix.unanimous, found.after.mix.unanimous) == (0.6, 1.0)
    assert found.left.mix.posts == 2


def test_agreement_of_nothing_and_of_one_label_is_undefined_with_a_reason():
    generator = np.random.default_rng(1)
    nothing = votes_of(np.empty((0, 2), dtype=int), generator=generator)
    assert nothing.agreement.undefined is Undefined.NO_VOTES and nothing.mix.posts == 0
    alone = votes_of(np.array([[3, 0], [3, 0]]), generator=generator)
    assert alone.agreement.undefined is Undefined.ONE_LABEL
