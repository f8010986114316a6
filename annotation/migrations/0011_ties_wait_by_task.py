from django.db import migrations

from annotation.sql import TASK_ENGINE


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0010_votes_ask_for_archive'),
    ]

    operations = [
        migrations.RunSQL(TASK_ENGINE.read_text(), migrations.RunSQL.noop),
    ]
