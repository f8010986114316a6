"""Processes for jobs share the cores of their machine."""

import os
from types import SimpleNamespace

import pytest

from config.celery import share_cores


@pytest.mark.parametrize(
    ("cores", "processes", "threads"), [(2, 2, "1"), (8, 2, "4"), (2, 1, "2"), (2, 4, "1")]
)
def test_each_process_gets_its_share_of_the_cores(monkeypatch, cores, processes, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", "")  # so that it is put back
    del os.environ["OMP_NUM_THREADS"]
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    share_cores(instance=SimpleNamespace(concurrency=processes))
    assert os.environ["OMP_NUM_THREADS"] == threads


def test_what_was_set_for_a_worker_stays(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    share_cores(instance=SimpleNamespace(concurrency=1))
    assert os.environ["OMP_NUM_THREADS"] == "3"
