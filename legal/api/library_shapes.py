"""What is sent to the endpoints of the legal library, and what they answer."""

from rest_framework import serializers

from annotation.api.fields import Moment
from legal.models import DocumentState, SourceType
from legal.queries.library_hits import MOST_QUERY

MOST_TOP = 100


class AboutDocument(serializers.Serializer):
    """What is said about a document. Without a title it takes the one that its text begins with."""

    title = serializers.CharField(max_length=300, allow_blank=True, default="")
    source_type = serializers.ChoiceField(choices=SourceType.choices, default=SourceType.STATUTE)
    jurisdiction = serializers.CharField(max_length=200, allow_blank=True, default="")
    citation = serializers.CharField(max_length=300, allow_blank=True, default="")
    licence = serializers.CharField(max_length=300, allow_blank=True, default="")
    language = serializers.CharField(max_length=8, allow_blank=True, default="")


class NewDocument(AboutDocument):
    """A document with its file."""

    name = serializers.CharField(
        max_length=255, help_text="The file's name; its end says what it is: txt, md, html, …"
    )
    content = serializers.CharField(
        help_text="The file, in Base64. Larger ones than a request may be go through the page."
    )


class DocumentRow(AboutDocument):
    """A document of the library; `is_searched` when the newest version holds it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    sha256 = serializers.CharField()
    state = serializers.ChoiceField(choices=DocumentState.choices)
    reason = serializers.CharField()
    characters = serializers.IntegerField()
    is_searched = serializers.BooleanField()
    created_at = Moment()


class DocumentText(DocumentRow):
    """A document with its text."""

    text = serializers.CharField()


class BuildJob(serializers.Serializer):
    """The job that builds the next version."""

    job = serializers.IntegerField(source="pk")


class DocumentWithJob(serializers.Serializer):
    """A document that was taken, and the job that reads it and builds the next version."""

    document = serializers.IntegerField()
    job = serializers.IntegerField()


class NewVersion(serializers.Serializer):
    """How the next version is made; what is left out stays as it was."""

    size = serializers.IntegerField(required=False, min_value=16, max_value=100_000)
    overlap = serializers.FloatField(required=False, min_value=0, max_value=0.9)
    k1 = serializers.FloatField(required=False, min_value=0, max_value=10)
    b = serializers.FloatField(required=False, min_value=0, max_value=1)


class VersionRow(serializers.Serializer):
    """A version of the library: how it was made, and of how much."""

    number = serializers.IntegerField()
    size = serializers.IntegerField()
    overlap = serializers.FloatField()
    k1 = serializers.FloatField()
    b = serializers.FloatField()
    tokenizer = serializers.CharField()
    analyzer = serializers.CharField()
    documents = serializers.IntegerField(source="document_count")
    passages = serializers.IntegerField(source="passage_count")
    created_at = Moment()


class SearchQuery(serializers.Serializer):
    """What is searched for, and how many passages at most."""

    q = serializers.CharField(max_length=MOST_QUERY)
    top = serializers.IntegerField(default=10, min_value=1, max_value=MOST_TOP)


class PassageHit(serializers.Serializer):
    """A passage that was found; `start` and `end` are code points of its document's text."""

    passage = serializers.IntegerField(source="passage.pk")
    score = serializers.FloatField()
    document = serializers.IntegerField(source="passage.document_id")
    title = serializers.CharField(source="passage.document.title")
    citation = serializers.CharField(source="passage.document.citation")
    heading = serializers.CharField(source="passage.heading")
    section = serializers.CharField(source="passage.section")
    start = serializers.IntegerField(source="passage.start")
    end = serializers.IntegerField(source="passage.end")
    text = serializers.CharField(source="passage.text")
