"""The catalogue of legal topics, issues, tests and defences. A version never changes."""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Study


def append_only(name: str) -> pgtrigger.Protect:
    """Return the trigger by which the database refuses to change or delete a row."""
    return pgtrigger.Protect(name=name, operation=pgtrigger.Update | pgtrigger.Delete)


class Rule(models.TextChoices):
    """How the parts of a group are joined."""

    ALL = "all", _("all of these")
    ANY = "any", _("any of these")


class CriterionKind(models.TextChoices):
    """Whether a criterion makes an issue out or undoes it."""

    TEST = "test", _("Test")
    DEFENCE = "defence", _("Defence")


@pghistory.track()
class Catalogue(models.Model):
    """One version of a study's catalogue.

    `sha256` is that of what it says, so that the same catalogue is known again however it was
    written; `change_note` is what whoever published it says about it.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="catalogues")
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    jurisdiction = models.CharField(max_length=200)
    language = models.CharField(max_length=8)
    note = models.TextField(blank=True)
    change_note = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "version"], name="catalogue_version_once"),
        ]
        triggers = [append_only("catalogue_is_append_only")]

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"


class Topic(models.Model):
    """An area of law."""

    catalogue = models.ForeignKey(Catalogue, on_delete=models.PROTECT, related_name="topics")
    code = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["catalogue", "code"], name="topic_code_once"),
        ]
        triggers = [append_only("topic_is_append_only")]

    def __str__(self) -> str:
        return self.name


class Issue(models.Model):
    """A legal issue. `sources` are mappings of kind, citation, section and a page's address."""

    catalogue = models.ForeignKey(Catalogue, on_delete=models.PROTECT, related_name="issues")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="issues")
    code = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    summary = models.TextField()
    sources = models.JSONField(default=list)
    test_rule = models.CharField(max_length=3, choices=Rule, default=Rule.ALL)
    defence_rule = models.CharField(max_length=3, choices=Rule, default=Rule.ANY)
    positive_example = models.TextField(blank=True)
    negative_example = models.TextField(blank=True)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(fields=["catalogue", "code"], name="issue_code_once"),
        ]
        triggers = [append_only("issue_is_append_only")]

    def __str__(self) -> str:
        return self.name


class Criterion(models.Model):
    """A legal test or a defence of an issue; one with a `rule` is a group of its parts."""

    issue = models.ForeignKey(Issue, on_delete=models.PROTECT, related_name="criteria")
    kind = models.CharField(max_length=7, choices=CriterionKind)
    code = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    question = models.TextField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="parts")
    rule = models.CharField(max_length=3, choices=Rule, blank=True)
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "criteria"
        constraints = [
            models.UniqueConstraint(fields=["issue", "code"], name="criterion_code_once"),
        ]
        triggers = [append_only("criterion_is_append_only")]

    def __str__(self) -> str:
        return self.name
