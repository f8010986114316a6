"""The classifier against PyTorch, and what must not change its losses."""

from __future__ import annotations

import numpy as np
import pytest

from filtering.algorithms import Direction, FilterSettings, Schedule, Target, rows
from filtering.algorithms.kl_loss import divergences, log_targets
from filtering.algorithms.linear_classifier import initial_weights, plan, train
from filtering.algorithms.rows import no_scale, scale_of

RANDOM = np.random.default_rng(5)
EMBEDDINGS = RANDOM.standard_normal((90, 8)).astype(np.float32) * 3 + 1
COUNTS = RANDOM.integers(0, 4, (90, 3)) + np.array([0, 0, 1])
LOG_Q = log_targets(COUNTS, Target.COUNTS)
EVERYONE = np.arange(90)
START = initial_weights(8, 3, np.random.default_rng(1))


def losses_of(embeddings, log_q, settings, *, start=START, seed=2):
    present = np.arange(len(embeddings))
    generator = np.random.default_rng(seed)
    scale = scale_of(embeddings) if settings.standardise else no_scale(embeddings.shape[1])
    classifier = train(embeddings, present, log_q, settings, generator, scale=scale, weights=start)
    return classifier.losses(embeddings, present, log_q, settings)


@pytest.mark.parametrize("direction", list(Direction))
@pytest.mark.parametrize("schedule", list(Schedule))
@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_training_is_what_pytorch_does(direction, weight_decay, schedule):
    torch = pytest.importorskip("torch")
    settings = FilterSettings(
        k=1,
        epochs=5,
        batch_size=30,
        direction=direction,
        weight_decay=weight_decay,
        schedule=schedule,
    )
    scaled = (EMBEDDINGS - EMBEDDINGS.mean(axis=0)) / EMBEDDINGS.std(axis=0)
    rows = torch.tensor(scaled, dtype=torch.float64)
    log_q = torch.tensor(LOG_Q)
    weights = torch.tensor(START, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([weights], lr=0.03, weight_decay=weight_decay)

    def losses(rows, log_q):
        log_p = torch.log_softmax(rows @ weights[:-1] + weights[-1], dim=1)
        if direction is Direction.FORWARD:
            return (log_p.exp() * (log_p - log_q)).sum(dim=1)
        return (log_q.exp() * (log_q - log_p)).sum(dim=1)

    generator = np.random.default_rng(2)
    for _ in range(settings.epochs):
        generator.permutation(1)  # the order of the chunks, of which there is one
        for batch in np.split(generator.permutation(EVERYONE), range(30, 90, 30)):
            optimiser.zero_grad()
            losses(rows[batch], log_q[batch]).mean().backward()
            optimiser.step()
            if schedule is Schedule.LINEAR:
                optimiser.param_groups[0]["lr"] -= 0.03 / 15
    expected = losses(rows, log_q).detach().numpy()
    assert losses_of(EMBEDDINGS, LOG_Q, settings) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("direction", list(Direction))
def test_whole_batches_are_adam_on_the_slope_of_the_mean_loss_by_differences(direction):
    settings = FilterSettings(
        k=1,
        epochs=4,
        batch_size=90,
        direction=direction,
        standardise=False,
        learning_rate=1e-3,
        schedule=Schedule.CONSTANT,
    )

    def mean_loss(weights):
        logits = EMBEDDINGS.astype(np.float64) @ weights[:-1] + weights[-1]
        return divergences(logits, LOG_Q, direction).mean()

    def slope(weights, step=1e-5):
        found = np.zeros_like(weights)
        for place in np.ndindex(weights.shape):
            moved = np.zeros_like(weights)
            moved[place] = step
            found[place] = (mean_loss(weights + moved) - mean_loss(weights - moved)) / (2 * step)
        return found

    weights, mean, square = START.astype(np.float64), 0.0, 0.0
    for number in range(1, 5):
        found = slope(weights)
        mean, square = 0.9 * mean + 0.1 * found, 0.999 * square + 0.001 * found**2
        weights -= (
            1e-3 * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
        )
    trained = train(
        EMBEDDINGS,
        EVERYONE,
        LOG_Q,
        settings,
        np.random.default_rng(1),
        scale=no_scale(8),
        weights=START,
    )
    assert trained.weights == pytest.approx(weights, abs=1e-5)


@pytest.mark.parametrize(
    ("posts", "passes", "batch_size"),
    [
        (1, 30, 64),
        (640, 30, 64),
        (641, 27, 64),
        (6_400, 3, 64),
        (19_200, 1, 64),
        (19_201, 1, 65),
        (10**6, 1, 3_334),
    ],
)
def test_a_large_set_is_gone_through_less_often_and_a_very_large_one_in_larger_batches(
    posts, passes, batch_size
):
    settings = FilterSettings(k=1, epochs=30, batch_size=64, most_steps=300)
    course = plan(posts, settings)
    assert (course.passes, course.batch_size) == (passes, batch_size)
    assert course.steps == course.passes * -(-posts // course.batch_size) <= 300


def test_steps_are_bounded_where_the_set_does_not_fit_into_a_window(monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", 8)
    monkeypatch.setattr(rows, "WINDOW_BYTES", 3 * 8 * 8 * 4)
    bounded = FilterSettings(k=1, epochs=20, most_steps=10)
    assert plan(90, bounded).passes == 5
    whole = losses_of(EMBEDDINGS, LOG_Q, FilterSettings(k=1, epochs=5)).mean()
    assert losses_of(EMBEDDINGS, LOG_Q, bounded).mean() == pytest.approx(whole, rel=0.3)


def test_the_last_digit_of_a_number_decides_nothing():
    """Processors add in different orders: what differs in the seventh digit must stay there."""
    settings, generator = FilterSettings(k=1, epochs=100, batch_size=8), np.random.default_rng(4)
    embeddings = generator.standard_normal((400, 256)).astype(np.float32)
    log_q = log_targets(generator.integers(0, 4, (400, 3)) + np.array([0, 0, 1]), Target.COUNTS)
    start = initial_weights(256, 3, generator)
    there = losses_of(embeddings, log_q, settings, start=start)
    back = losses_of(embeddings, log_q, settings, start=start * np.float32(1 + 3e-7))
    assert back == pytest.approx(there, abs=1e-3 * there.mean())


@pytest.mark.parametrize(
    ("features", "steps", "rate"),
    [(2, 1, 0.03), (340, 100, 0.03), (340, 2_500, 0.01), (850, 400, 0.01), (850, 1_600, 0.005)],
)
def test_a_rate_that_is_not_chosen_falls_with_features_and_steps(features, steps, rate):
    assert FilterSettings(k=1).rate(features, steps) == pytest.approx(rate)
    assert FilterSettings(k=1, learning_rate=0.5).rate(features, steps) == 0.5


def test_windows_train_as_well_as_a_shuffle_of_the_whole(monkeypatch):
    settings = FilterSettings(k=1, epochs=20, batch_size=8)
    whole = [losses_of(EMBEDDINGS, LOG_Q, settings, seed=seed).mean() for seed in range(5)]
    monkeypatch.setattr(rows, "CHUNK", 8)
    monkeypatch.setattr(rows, "WINDOW_BYTES", 3 * 8 * 8 * 4)
    parts = [losses_of(EMBEDDINGS, LOG_Q, settings, seed=seed).mean() for seed in range(5)]
    assert np.mean(parts) == pytest.approx(np.mean(whole), rel=0.05)


def test_permuting_the_labels_permutes_the_weights_and_keeps_the_losses():
    settings, places = FilterSettings(k=1, epochs=5), np.array([2, 0, 1])
    there = losses_of(EMBEDDINGS, LOG_Q, settings)
    back = losses_of(EMBEDDINGS, LOG_Q[:, places], settings, start=START[:, places])
    assert back == pytest.approx(there, abs=1e-5)


def test_in_one_batch_the_order_of_posts_does_not_matter():
    settings = FilterSettings(k=1, epochs=20, batch_size=90)
    order = np.random.default_rng(3).permutation(90)
    there = losses_of(EMBEDDINGS, LOG_Q, settings)
    back = losses_of(EMBEDDINGS[order], LOG_Q[order], settings, seed=9)
    assert back == pytest.approx(there[order], abs=1e-4)


def test_training_lowers_the_loss():
    few, many = (
        losses_of(EMBEDDINGS, LOG_Q, FilterSettings(k=1, epochs=epochs)).mean()
        for epochs in (1, 50)
    )
    assert many < few


def test_standardised_losses_do_not_depend_on_the_unit_of_the_features():
    settings = FilterSettings(k=1, epochs=5)
    there = losses_of(EMBEDDINGS, LOG_Q, settings)
    moved = (EMBEDDINGS * 1_000 - 7).astype(np.float32)
    assert losses_of(moved, LOG_Q, settings) == pytest.approx(there, abs=1e-3)
    plain = FilterSettings(k=1, epochs=5, standardise=False)
    assert losses_of(EMBEDDINGS, LOG_Q, plain) != pytest.approx(there, abs=1e-3)


def test_each_feature_gets_mean_0_and_deviation_1_and_a_constant_one_vanishes():
    embeddings = np.array([[1.0, 0.1, 9.0], [3.0, 0.1, 9.0]], dtype=np.float32)
    scaled = scale_of(embeddings).apply(embeddings, np.float64)
    assert scaled == pytest.approx(np.array([[-1, 0, 0], [1, 0, 0]]))


def test_half_precision_is_read_as_it_is():
    half = EMBEDDINGS.astype(np.float16)
    settings = FilterSettings(k=1, epochs=5)
    same = losses_of(half.astype(np.float32), LOG_Q, settings)
    assert losses_of(half, LOG_Q, settings) == pytest.approx(same, abs=1e-9)
    assert half.dtype == np.float16


def test_a_memory_map_is_read_in_blocks_and_left_alone(tmp_path):
    path = tmp_path / "embeddings.npy"
    np.save(path, EMBEDDINGS)
    mapped = np.load(path, mmap_mode="r")
    settings = FilterSettings(k=1, epochs=2)
    same = losses_of(EMBEDDINGS, LOG_Q, settings)
    assert losses_of(mapped, LOG_Q, settings) == pytest.approx(same, abs=1e-12)
    assert (np.load(path) == EMBEDDINGS).all()
