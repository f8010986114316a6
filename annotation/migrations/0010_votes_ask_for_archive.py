from django.db import migrations

from annotation.sql import TASK_ENGINE


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_lean_hot_path'),
    ]

    operations = [
        migrations.RunSQL(TASK_ENGINE.read_text(), migrations.RunSQL.noop),
    ]
