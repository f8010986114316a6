"""Installs the task engine that goes on to the next slot of a test when one is skipped."""

from django.db import migrations

from annotation.sql import TASK_ENGINE


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_task_engine"),
    ]

    operations = [
        migrations.RunSQL(TASK_ENGINE.read_text(), migrations.RunSQL.noop),
    ]
