"""Tokens get scopes and an end: those that are there keep what they opened, for 90 days more."""

from datetime import datetime, timedelta

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

CHOICES = [
    ("read", "Read what you may see"),
    ("manage", "Change what you may change as a researcher"),
    ("work", "Label as yourself, and see your own work"),
]


def in_ninety_days() -> datetime:
    """Return when tokens end that are there already."""
    return timezone.now() + timedelta(days=90)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_watched_jobs")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(default=in_ninety_days),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(choices=CHOICES, max_length=10),
                default=["read", "manage", "work"],
                size=None,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="apitoken",
            name="study",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="api_tokens",
                to="annotation.study",
            ),
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(("scopes__len__gt", 0)), name="token_has_scopes"
            ),
        ),
    ]
