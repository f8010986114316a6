"""Functions of the database, as files; a migration installs each version."""

from pathlib import Path

TASK_ENGINE = Path(__file__).with_name("task_engine.sql")
