"""Wiring: settings, addresses, the job queue and the demonstration. Nobody imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
