"""Parses what people send about consent and about themselves."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crowd.models import BackgroundQuestion, QuestionKind

# What a choice is sent as: no choice can be called like the way out.
CHOICE, DECLINED = "choice:", "declined"
LONGEST_ANSWER = 1000


class ConsentForm(forms.Form):
    """The version that somebody agrees to."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)


class ConsentTextForm(forms.Form):
    """A new version of what people agree to."""

    markdown = forms.CharField(
        label=gettext_lazy("What people agree to"),
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 16}),
        help_text=gettext_lazy(
            "Who asks and why, what is kept for how long, what is published, how to withdraw. "
            "Markdown. Number of posts, time, pay, contact and ethics approval stand above it."
        ),
    )
    seen_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


class QuestionForm(forms.Form):
    """A question about the annotators."""

    question = forms.CharField(label=gettext_lazy("Question"), max_length=300)
    kind = forms.ChoiceField(label=gettext_lazy("Answer"), choices=QuestionKind.choices)
    choices = forms.CharField(
        label=gettext_lazy("Choices"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("One a line, for a question with choices."),
    )
    turns_away = forms.CharField(
        label=gettext_lazy("Choices that end it"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "One a line, of the choices above: who gives such an answer is thanked, paid as the "
            "rules of pay say, and gets no work. Nobody is told which answers these are."
        ),
    )
    required = forms.BooleanField(
        label=gettext_lazy("Must be answered or declined"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Everybody may say that they would rather not answer."),
    )

    def clean_choices(self) -> list[str]:
        """Return the choices, one a line."""
        return self.lines("choices")

    def clean_turns_away(self) -> list[str]:
        """Return the choices that end it, one a line."""
        return self.lines("turns_away")

    def lines(self, name: str) -> list[str]:
        """Return choices, one a line."""
        lines = [line.strip() for line in self.cleaned_data[name].splitlines()]
        if any(len(line) > 200 for line in lines):
            raise forms.ValidationError(_("A choice has at most 200 characters."))
        return [line for line in lines if line]


class BackgroundForm(forms.Form):
    """What a study asks about its annotators; each question can be declined."""

    # A browser would not know that declining settles a question, too.
    use_required_attribute = False

    def __init__(self, *args: Any, questions: Sequence[BackgroundQuestion], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        for question in questions:
            name = f"question_{question.pk}"
            self.fields[name] = field_of(question)
            if question.kind != QuestionKind.CHOICE:
                self.fields[f"{name}_declined"] = forms.BooleanField(
                    label=_("I would rather not say"), required=False
                )

    def clean(self) -> dict[str, Any]:
        """Let who declines a question leave it empty."""
        for question in self.questions:
            name = f"question_{question.pk}"
            if self.cleaned_data.get(f"{name}_declined") and name in self.errors:
                del self.errors[name]
                self.cleaned_data[name] = None
        return self.cleaned_data

    def answers(self) -> dict[int, str]:
        """Return the answers by question; nothing for a declined one."""
        return {question.pk: self.answer_to(question) for question in self.questions}

    def answer_to(self, question: BackgroundQuestion) -> str:
        """Return one answer as text."""
        name = f"question_{question.pk}"
        value = self.cleaned_data[name]
        if self.cleaned_data.get(f"{name}_declined") or value is None:
            return ""
        if question.kind == QuestionKind.CHOICE:
            return "" if value == DECLINED else value.removeprefix(CHOICE)
        return f"{value:f}" if isinstance(value, Decimal) else str(value)


def as_sent(
    questions: Sequence[BackgroundQuestion], answers: Mapping[str, str | None]
) -> dict[str, str]:
    """Return answers by the questions' ids as the form's fields carry them; None declines."""
    sent = {}
    for question in questions:
        name, is_choice = f"question_{question.pk}", question.kind == QuestionKind.CHOICE
        if str(question.pk) not in answers:
            continue
        answer = answers[str(question.pk)]
        if answer is None:
            sent[name if is_choice else f"{name}_declined"] = DECLINED
        else:
            sent[name] = f"{CHOICE}{answer}" if is_choice else answer
    return sent


def field_of(question: BackgroundQuestion) -> forms.Field:
    """Return the field for a question."""
    settings: dict[str, Any] = {
        "label": question.question,
        "required": question.required,
        "error_messages": {
            "required": _("Answer this question, or say that you would rather not."),
            "invalid_choice": _("Choose one of the answers."),
        },
    }
    if question.kind == QuestionKind.CHOICE:
        choices = [(f"{CHOICE}{one}", one) for one in question.choices]
        return forms.ChoiceField(
            choices=[*choices, (DECLINED, _("I would rather not say"))],
            widget=forms.RadioSelect,
            **settings,
        )
    if question.kind == QuestionKind.NUMBER:
        return forms.DecimalField(max_digits=12, decimal_places=4, **settings)
    return forms.CharField(max_length=LONGEST_ANSWER, **settings)
