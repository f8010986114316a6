"""The data card by the API: what a release says of itself."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from releases.algorithms.card import BY_CODE
from releases.queries.cards import card_of, card_record
from releases.services.cards import (
    LONGEST_SECTION,
    CardRefused,
    give_back,
    write_section,
    write_terms,
)

MANAGED = {
    "GET": Permission.SEE_RESULTS,
    "PATCH": Permission.MANAGE_DATA,
    "POST": Permission.MANAGE_DATA,
}


class CardSection(serializers.Serializer):
    """A section; it `follows` the study until somebody writes it."""

    code = serializers.CharField(source="section.code")
    title = serializers.CharField(source="section.title")
    text = serializers.CharField()
    follows = serializers.BooleanField()


class CardRow(serializers.Serializer):
    """The card as a release made now would have it."""

    licence = serializers.CharField()
    citation = serializers.CharField()
    sections = CardSection(source="parts", many=True)


class CardTerms(serializers.Serializer):
    """Licence (an SPDX identifier or words) and citation; what is not sent stays as it is."""

    licence = serializers.CharField(required=False, allow_blank=True, max_length=200)
    citation = serializers.CharField(required=False, allow_blank=True, max_length=5_000)


class SectionText(serializers.Serializer):
    """A text of one's own, in Markdown."""

    text = serializers.CharField(max_length=LONGEST_SECTION)


class CardEndpoint(StudyEndpoint):
    """An address of the card."""

    needs = MANAGED

    def card(self) -> Response:
        """Answer with the card as it stands."""
        return self.answer(card_of(self.access.study))

    def section(self, code: str) -> str:
        """Return the code of a section that there is."""
        if code not in BY_CODE:
            raise Http404(_("The card has no such section."))
        return code


class ReleaseCard(CardEndpoint):
    """The data card."""

    @operation(CardRow)
    def get(self, request: Request) -> Response:
        """Tell how the card reads."""
        return self.card()

    @operation(CardRow, sends=CardTerms, example={"licence": "CC-BY-4.0"})
    def patch(self, request: Request) -> Response:
        """Write licence and citation, which new releases begin with."""
        record = card_record(self.access.study)
        terms: dict[str, Any] = {"licence": record.licence, "citation": record.citation}
        write_terms(by=self.access.user, study=self.access.study, **(terms | self.sent))
        return self.card()


class CardSectionText(CardEndpoint):
    """One section of the card."""

    @operation(CardRow, sends=SectionText, refusals={CardRefused: CONFLICT})
    def patch(self, request: Request, code: str) -> Response:
        """Write a section; it follows the study no more."""
        text, study = self.sent["text"], self.access.study
        write_section(by=self.access.user, study=study, code=self.section(code), text=text)
        return self.card()


class CardSectionBack(CardEndpoint):
    """The way back of a section."""

    @operation(CardRow)
    def post(self, request: Request, code: str) -> Response:
        """Let a section follow the study again."""
        give_back(by=self.access.user, study=self.access.study, code=self.section(code))
        return self.card()
