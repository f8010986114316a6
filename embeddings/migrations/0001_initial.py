import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
import pgvector.django.halfvec
from django.db import migrations, models
from pgvector.django import VectorExtension


class Migration(migrations.Migration):

    initial = True

    dependencies = []

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name='StoredEmbedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('encoder', models.TextField(verbose_name='encoder')),
                ('revision', models.TextField(verbose_name='revision')),
                ('pooling', models.TextField(verbose_name='pooling')),
                ('text_hash', models.BinaryField(max_length=32, verbose_name='hash of the text')),
                ('vector', pgvector.django.halfvec.HalfVectorField(verbose_name='vector')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='created')),
            ],
            options={
                'verbose_name': 'stored embedding',
                'verbose_name_plural': 'stored embeddings',
                'constraints': [models.UniqueConstraint(fields=('encoder', 'revision', 'pooling', 'text_hash'), name='embedding_once_per_text'), models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('text_hash'), 32), name='embedding_hash_is_sha256'), models.CheckConstraint(condition=models.Q(models.Q(('encoder', ''), _negated=True), models.Q(('revision', ''), _negated=True)), name='embedding_names_its_encoder'), models.CheckConstraint(condition=models.Q(('pooling__in', ['first', 'mean'])), name='embedding_pooling_is_known')],
            },
        ),
    ]
