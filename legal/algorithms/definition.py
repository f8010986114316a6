"""The label that follows from evidence and legal issues (MisLC, Luo et al. 2024, Equation 1)."""


def derived_label(*, has_evidence: bool, raises_issue: bool, no_claim: bool) -> str:
    """Return "yes" (y = 2), "no" (0) or "unclear" (1).

    What makes no claim cannot be misinformation, whatever else was said (section 3.1 makes a claim
    a necessary condition). With evidence, the issues decide; without any, nobody can tell.
    """
    if no_claim:
        return "no"
    if not has_evidence:
        return "unclear"
    return "yes" if raises_issue else "no"
