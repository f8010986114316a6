from django.db import migrations, models
import django.db.models.deletion
import pgtrigger.migrations

DERIVE = """
    UPDATE legal_legalanswer AS answer SET derived = CASE
        WHEN no_claim THEN 'no'
        WHEN NOT EXISTS (SELECT FROM legal_evidence WHERE answer_id = answer.id) THEN 'unclear'
        WHEN EXISTS (SELECT FROM legal_issueanswer WHERE answer_id = answer.id) THEN 'yes'
        ELSE 'no' END
"""


class Migration(migrations.Migration):

    dependencies = [
        ("legal", "0002_catalogue_drafts"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(model_name="raisedissue", name="raised_issue_is_append_only"),
        pgtrigger.migrations.RemoveTrigger(model_name="legalanswer", name="legal_answer_is_append_only"),
        migrations.RemoveConstraint(model_name="raisedissue", name="raised_issue_once"),
        migrations.RenameModel("RaisedIssue", "IssueAnswer"),
        migrations.AlterField(
            model_name="issueanswer",
            name="answer",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="issues", to="legal.legalanswer"),
        ),
        migrations.AlterField(
            model_name="issueanswer",
            name="issue",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="answers", to="legal.issue"),
        ),
        migrations.AddField("issueanswer", "is_ticked", models.BooleanField(default=True), preserve_default=False),
        migrations.AddField("issueanswer", "is_raised", models.BooleanField(default=True), preserve_default=False),
        migrations.AddField("legalanswer", "derived", models.CharField(max_length=10, choices=[("no", "No"), ("unclear", "Unclear"), ("yes", "Yes")], default="unclear"), preserve_default=False),
        migrations.RunSQL(DERIVE, migrations.RunSQL.noop),
    ]
