"""The posts behind each figure about verdicts: the figure and this list come from the same SQL."""

from django.db import connection
from django.utils.translation import gettext_lazy

from annotation.models import StageCode, Study
from annotation.queries.counts import PER_POST, rounds_of
from legal.queries.completeness import COMPLETE
from legal.queries.summary import DECIDED, SAID

# A tie is unclear, and a decision goes before the majority.
LABELLED = f"""
    SELECT posts.post_id, coalesce(decided.label, (
        SELECT CASE WHEN count(*) = 1 THEN min(said.label) ELSE 'unclear' END
        FROM unnest(%(labels)s::text[], posts.counts) AS said(label, votes)
        WHERE said.votes = (SELECT max(most) FROM unnest(posts.counts) AS most))) AS label
    FROM ({PER_POST}) AS posts LEFT JOIN ({DECIDED}) AS decided ON decided.post_id = posts.post_id
    WHERE {COMPLETE.format(post="posts.post_id")}
"""  # noqa: S608 -- constants

WHICH = {
    "": gettext_lazy("All verdicts"),
    "mislc": gettext_lazy("MisLC"),
    "unclear": gettext_lazy("Unclear"),
    "non_mislc": gettext_lazy("Non-MisLC"),
    "evidence": gettext_lazy("Evidence available"),
    "no_claim": gettext_lazy("No factual claim"),
    "no_claim_any": gettext_lazy("No factual claim, by any expert"),
    "defence": gettext_lazy("A defence applies"),
    "defence_any": gettext_lazy("A defence applies, by any expert"),
}
LABELS = {"mislc": "yes", "unclear": "unclear", "non_mislc": "no"}
SPECIALS = {
    "evidence": "proven",
    "no_claim": "2 * no_claim > voters",
    "no_claim_any": "no_claim > 0",
    "defence": "2 * defence > voters",
    "defence_any": "defence > 0",
}


def judged_posts(study: Study, which: str) -> set[int]:
    """Return the posts with a complete verdict of which something in WHICH is true."""
    if which in SPECIALS:
        sql = f"{SAID} SELECT post_id FROM said WHERE {SPECIALS[which]}"  # noqa: S608 -- constants
    else:
        sql = f"SELECT post_id FROM ({LABELLED}) AS found WHERE %(wanted)s IN ('', label)"  # noqa: S608 -- constants
    where = rounds_of(study, StageCode.LEGAL).parameters | {"wanted": LABELS.get(which, "")}
    with connection.cursor() as cursor:
        cursor.execute(sql, where)
        return {post_id for (post_id,) in cursor.fetchall()}
