"""Sets an expert's answer beside a model answer, field by field."""

from dataclasses import dataclass

from legal.algorithms.said import EvidenceSaid, ExpertAnswer, IssueSaid

NOT_TICKED = IssueSaid("", is_ticked=False)


@dataclass(frozen=True)
class Pair:
    """One field in both answers. `agrees` is None where there is no right or wrong to it."""

    own: str
    model: str
    agrees: bool | None


@dataclass(frozen=True)
class CriterionPair:
    """What both found about a test or a defence; empty where one did not answer it."""

    code: str
    own: str
    model: str
    sentence: str

    @property
    def agrees(self) -> bool | None:
        """Say whether both found the same; None where the model does not say."""
        return self.own == self.model if self.model else None


@dataclass(frozen=True)
class IssuePair:
    """What both said of an issue that either ticked or looked into."""

    code: str
    own: bool
    model: bool
    criteria: tuple[CriterionPair, ...]
    reasoning: str

    @property
    def agrees(self) -> bool:
        """Say whether both ticked it, or neither did."""
        return self.own == self.model


@dataclass(frozen=True)
class Comparison:
    """Two answers to one text. `claims` are the words marked, `evidence` what each names."""

    label: Pair
    issues: tuple[IssuePair, ...]
    no_claim: tuple[bool, bool]
    defence: tuple[bool, bool]
    kind: Pair
    own_claims: tuple[str, ...]
    model_claims: tuple[str, ...]
    own_evidence: tuple[EvidenceSaid, ...]
    model_evidence: tuple[EvidenceSaid, ...]
    comment: str

    @property
    def fields(self) -> tuple[bool, ...]:
        """Return for each field that has a right answer whether the expert's is the same."""
        found = [self.label.agrees, self.kind.agrees]
        found += [own == model for own, model in (self.no_claim, self.defence) if own or model]
        for issue in self.issues:
            found += [issue.agrees, *(one.agrees for one in issue.criteria)]
        return tuple(one for one in found if one is not None)


def compare(own: ExpertAnswer, model: ExpertAnswer, text: str) -> Comparison:
    """Return an expert's answer beside the model answer to the same text.

    What the model answer leaves open, a kind or a finding, is right whatever was said of it.
    """
    mine = {issue.code: issue for issue in own.issues}
    right = {issue.code: issue for issue in model.issues}
    codes = dict.fromkeys([*right, *mine])
    return Comparison(
        label=Pair(own.label, model.label, own.label == model.label),
        issues=tuple(
            issue_pair(code, mine.get(code, NOT_TICKED), right.get(code, NOT_TICKED))
            for code in codes
        ),
        no_claim=(own.no_claim, model.no_claim),
        defence=(own.defence, model.defence),
        kind=Pair(own.kind, model.kind, own.kind == model.kind if model.kind else None),
        own_claims=quoted(text, own.spans),
        model_claims=quoted(text, model.spans),
        own_evidence=own.evidence,
        model_evidence=model.evidence,
        comment=model.comment,
    )


def issue_pair(code: str, own: IssueSaid, model: IssueSaid) -> IssuePair:
    """Return what both said of one issue."""
    codes = dict.fromkeys([*model.findings, *own.findings])
    return IssuePair(
        code=code,
        own=own.is_ticked,
        model=model.is_ticked,
        criteria=tuple(
            CriterionPair(
                code=one,
                own=own.findings.get(one, ""),
                model=model.findings.get(one, ""),
                sentence=model.sentences.get(one, ""),
            )
            for one in codes
        ),
        reasoning=model.reasoning,
    )


def quoted(text: str, spans: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Return the words that were marked."""
    return tuple(text[start:end] for start, end in spans)
