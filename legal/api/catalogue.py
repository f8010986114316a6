"""The versions of the legal catalogue, and the import of the next one, with a dry run."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.errors import UNPROCESSABLE
from annotation.api.fields import Anything, Moment
from legal.catalogues.differences import changes_between
from legal.catalogues.texts import CatalogueText
from legal.catalogues.writing import as_tree
from legal.models import Catalogue
from legal.queries.catalogues import counted_versions, current_catalogue, text_of
from legal.services.catalogues import CatalogueMoved, CatalogueRefused, publish, tree_or_refuse
from legal.services.readers import refuse_others


class CatalogueRow(serializers.Serializer):
    """A version: of which law it is, what is new in it, how many issues it has, who has read it."""

    version = serializers.IntegerField()
    title = serializers.CharField()
    jurisdiction = serializers.CharField()
    language = serializers.CharField()
    change_note = serializers.CharField()
    sha256 = serializers.CharField()
    issues = serializers.IntegerField(source="issue_count")
    readers = serializers.IntegerField(source="reader_count")
    created_at = Moment()


class CatalogueDetail(CatalogueRow):
    """A version with all that it says, in the form in which it is imported."""

    content = Anything()


class NewCatalogue(serializers.Serializer):
    """A whole catalogue (docs/legal-catalogue.md); `seen_version` is the newest that you know."""

    content = Anything()
    change_note = serializers.CharField(default="", allow_blank=True)
    seen_version = serializers.IntegerField(min_value=0)
    dry_run = serializers.BooleanField(default=False)


class ImportedCatalogue(serializers.Serializer):
    """The version that was made, if any, and what differs from the one before it."""

    version = serializers.IntegerField(allow_null=True)
    changes = Anything()


class CatalogueVersions(StudyEndpoint):
    """All versions of the catalogue."""

    needs = {"GET": Permission.SEE_STUDY, "POST": Permission.MANAGE_DATA}

    @operation(CatalogueRow, is_list=True)
    def get(self, request: Request) -> Response:
        """List the versions, newest first."""
        refuse_others(self.access)
        return self.answer(counted_versions(self.access.study))

    @operation(
        ImportedCatalogue,
        sends=NewCatalogue,
        refusals={CatalogueMoved: CONFLICT, CatalogueRefused: UNPROCESSABLE},
    )
    def post(self, request: Request) -> Response:
        """Publish a catalogue as the next version, or with `dry_run` tell only what differs."""
        text = tree_or_refuse(self.sent["content"])
        newest = current_catalogue(self.access.study)
        found: dict[str, Any] = {"version": None, "changes": told(newest, text)}
        if not self.sent["dry_run"]:
            made = publish(
                by=self.access.user,
                study=self.access.study,
                text=text,
                change_note=self.sent["change_note"],
                seen_version=self.sent["seen_version"],
            )
            found["version"] = made.version
        return self.answer(found)


def told(newest: Catalogue | None, text: CatalogueText) -> dict[str, Any] | None:
    """Return what differs from the newest version; nothing where there is none."""
    return asdict(changes_between(text_of(newest), text)) if newest else None


class OneCatalogueVersion(StudyEndpoint):
    """One version."""

    needs = {"GET": Permission.SEE_STUDY}

    @operation(CatalogueDetail)
    def get(self, request: Request, version: int) -> Response:
        """Give a version as it can be imported again."""
        refuse_others(self.access)
        versions = counted_versions(self.access.study)
        found: Any = of_study(versions, self.access, version=version)
        found.content = as_tree(text_of(found))
        return self.answer(found)
