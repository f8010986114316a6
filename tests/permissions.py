"""The permission table: every address × method × person → status.

`may` names who may; everybody else gets 302 to the sign-in page (nobody signed in), 404 (not a
member of the study, or an object of somebody else) or 403 (a member whose role does not reach that
far). docs/permissions.md says the same in words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Member
from filtering.models import FilteredPost
from releases.queries.cards import mark_of

PEOPLE = (
    "anonymous",
    "stranger",
    "other_owner",
    "site_administrator",
    "worker",
    "expert",
    "researcher",
    "owner",
)
MEMBERS = ("worker", "expert", "researcher", "owner")
EVERYBODY = frozenset(PEOPLE)
SIGNED_IN = frozenset(PEOPLE[1:])
ANY_MEMBER = frozenset(MEMBERS)
RESEARCH = frozenset({"researcher", "owner"})
OWNERS = frozenset({"owner"})
WORKERS = frozenset({"worker"})
EXPERTS = frozenset({"expert"})
RESEARCHERS = frozenset({"researcher"})
NOBODY: frozenset[str] = frozenset()

Arguments = Callable[[Any], list[Any]]


def no_arguments(_world: Any) -> list[Any]:
    return []


def slug(world: Any) -> list[Any]:
    return [world.slug]


def of(attribute: str, field_name: str = "pk") -> Arguments:
    """Arguments: the study's slug and a field of something in the world."""

    def arguments(world: Any) -> list[Any]:
        return [world.slug, getattr(getattr(world, attribute), field_name)]

    return arguments


def numbered(*more: Any) -> Arguments:
    """Arguments: the study's slug and the number of its newest batch, run or release."""

    def arguments(world: Any) -> list[Any]:
        return [world.slug, world.number, *more]

    return arguments


def filtered_post(world: Any) -> list[Any]:
    post = FilteredPost.objects.filter(
        run__study__slug=world.slug, run__number=world.number
    ).first()
    assert post
    return [world.slug, world.number, post.post_id]


def own_file(world: Any) -> list[Any]:
    return [world.slug, world.attachment.assignment_id, world.attachment.pk]


def token_of_worker(world: Any) -> list[Any]:
    return [world.worker_token.pk]


def reject_file(world: Any) -> list[Any]:
    return [world.slug, "mturk-reject.csv"]


def practised(world: Any) -> list[Any]:
    result = world.cast.expert.practice_results.latest("pk")
    return [world.slug, result.practice_id]


def expert(world: Any) -> list[Any]:
    return [world.slug, world.cast.expert.pk]


def chart_file(world: Any) -> list[Any]:
    return [world.slug, world.chart.pk, "svg"]


def delivery(world: Any) -> list[Any]:
    return [world.slug, world.webhook.pk, world.webhook.deliveries.first().pk]


def draft_issue(world: Any) -> list[Any]:
    return [world.slug, f"tax_law_of_{world.slug}"]


def one_expert(world: Any) -> list[Any]:
    return two_experts(world)[:2]


def two_experts(world: Any) -> list[Any]:
    experts = Member.objects.filter(study__slug=world.slug, role="expert").order_by("pk")[:2]
    return [world.slug, *(expert.pseudonym for expert in experts)]


def card_part(world: Any) -> list[Any]:
    return [world.slug, "limits"]


def label_file(world: Any) -> list[Any]:
    return [world.slug, "labels.csv"]


@dataclass(frozen=True)
class Row:
    """One address and method: who may, and what they get; `instead` lists exceptions."""

    name: str
    method: str
    may: frozenset[str]
    ok: int = 200
    arguments: Arguments = slug
    body: dict[str, Any] = field(default_factory=dict)
    instead: Mapping[str, int] = field(default_factory=dict)
    in_study: bool = True
    is_api: bool = False  # asked with a token and JSON; nobody is sent to the sign-in page
    refused: int = 0  # what somebody signed in gets outside a study when they may not

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    @property
    def has_object(self) -> bool:
        """Say whether the address names something inside the study."""
        return self.in_study and self.arguments not in (slug, reject_file, label_file, card_part)

    def status_for(self, person: str) -> int:
        """Return what a person gets."""
        if person in self.instead:
            return self.instead[person]
        if person in self.may:
            return self.ok
        if person == "anonymous":
            return 401 if self.is_api else 302
        if not self.in_study:
            return self.refused
        return 403 if person in MEMBERS else 404


def outside(name: str, method: str, may: frozenset[str], ok: int = 200, **more: Any) -> Row:
    more = {"arguments": no_arguments, **more}
    return Row(name, method, may, ok, in_study=False, **more)


def own(name: str, method: str, may: frozenset[str], ok: int = 200, **more: Any) -> Row:
    """Return the row of something that belongs to one researcher: for the owner it is not there."""
    return Row(name, method, may, ok, instead={"owner": 404}, **more)


def api(name: str, method: str, may: frozenset[str], ok: int = 200, **more: Any) -> Row:
    """Return the row of an endpoint of the API, asked by people with tokens of theirs."""
    return Row(f"api_{name}", method, may, ok, is_api=True, **more)


def own_api(name: str, method: str, **more: Any) -> Row:
    """Return the row of an endpoint about something that belongs to one researcher."""
    return api(name, method, RESEARCHERS, instead={"owner": 404}, **more)


def person_api(name: str, method: str, ok: int = 200, **more: Any) -> Row:
    """Return the row of an endpoint about one of the crowd's people."""
    return api(name, method, RESEARCH, ok, arguments=of("worker", "pseudonym"), **more)


NEW_WEBHOOK = {"address": "https://hooks.example.org/a", "events": "job.failed"}

GROUND = [
    outside("healthz", "GET", EVERYBODY),
    outside("home", "GET", SIGNED_IN),
    outside("problem", "GET", EVERYBODY, arguments=lambda _world: ["conflict"]),
    outside("profile", "GET", SIGNED_IN),
    outside("profile", "POST", SIGNED_IN, body={"name": ""}),
    outside("tokens", "GET", SIGNED_IN),
    outside(
        "tokens", "POST", SIGNED_IN, body={"name": "my laptop", "scopes": "read", "days": "90"}
    ),
    outside("token_revoke", "POST", WORKERS, 302, arguments=token_of_worker, refused=404),
    outside("new_study", "GET", frozenset({"site_administrator"}), refused=403),
    outside("new_study", "POST", frozenset({"site_administrator"}), refused=403),
    Row("study", "GET", ANY_MEMBER),
    Row("protocol", "GET", OWNERS),
    Row("protocol", "POST", OWNERS),
    Row("webhooks", "GET", OWNERS),
    Row("webhooks", "POST", OWNERS, body=NEW_WEBHOOK),
    Row("webhook", "GET", OWNERS, arguments=of("webhook")),
    Row("webhook", "POST", OWNERS, 302, of("webhook"), NEW_WEBHOOK),
    Row("webhook_rotate", "POST", OWNERS, arguments=of("webhook")),
    Row("webhook_move", "POST", OWNERS, 302, of("webhook"), {"to": "paused"}),
    Row("webhook_test", "POST", OWNERS, 302, of("webhook")),
    Row("webhook_again", "POST", OWNERS, 302, delivery),
    Row("study_clone", "GET", OWNERS),
    Row("study_clone", "POST", OWNERS),
    Row("study_archive", "GET", OWNERS),
    Row("study_archive", "POST", OWNERS, 302),
    Row("members", "GET", OWNERS),
    Row("members", "POST", OWNERS, body={"name_or_email": "new@juryroom.example", "role": "owner"}),
    Row("member", "GET", OWNERS, arguments=of("worker", "pseudonym")),
    Row("member", "POST", OWNERS, 302, of("worker", "pseudonym"), {"role": "expert"}),
    Row("member_password", "POST", OWNERS, arguments=of("worker", "pseudonym")),
    Row("posts", "GET", RESEARCH),
    Row("post", "GET", RESEARCH, arguments=of("post")),
    Row("post_graphic", "POST", RESEARCH, 302, of("post"), {"to": "graphic"}),
    Row("imports", "GET", RESEARCH),
    Row("imports", "POST", RESEARCH),
    Row("import", "GET", RESEARCH, arguments=of("file")),
    Row("import", "POST", RESEARCH, arguments=of("file")),
    Row("bad_rows", "GET", RESEARCH, arguments=of("file")),
    Row("chart_file", "GET", RESEARCH, arguments=chart_file),
    Row("activity", "GET", RESEARCH),
    Row("activity_file", "GET", RESEARCH),
    Row("jobs", "GET", RESEARCH),
    Row("job", "GET", RESEARCH, arguments=of("job")),
    Row("job_cancel", "POST", RESEARCH, 302, of("job")),
    Row("job_retry", "POST", RESEARCH, 302, of("cancelled_job")),
]

NEW_MEMBER = {"name_or_email": "new@juryroom.example", "role": "owner"}

GROUND_API = [
    *(
        api("elsewhere", method, EVERYBODY, 404, arguments=no_arguments, in_study=False)
        for method in ("GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS")
    ),
    api("schema", "GET", SIGNED_IN, arguments=no_arguments, in_study=False),
    api("studies", "GET", SIGNED_IN, arguments=no_arguments, in_study=False),
    api(
        "studies",
        "POST",
        frozenset({"site_administrator"}),
        201,
        arguments=no_arguments,
        in_study=False,
        refused=403,
        body={"slug": "made", "title": "Made"},
    ),
    api("study", "GET", ANY_MEMBER),
    api("study_clone", "POST", OWNERS, 409, body={"slug": "again", "title": "Again"}),
    api("study_archive", "POST", OWNERS, body={"to": "reopen"}),
    api("member_password", "POST", OWNERS, arguments=of("worker", "pseudonym")),
    api("imports", "GET", RESEARCH),
    api("imports", "POST", RESEARCH, 415),  # a file comes as a form
    api("import_kinds", "GET", RESEARCH),
    api("import", "GET", RESEARCH, arguments=of("file")),
    api("import_check", "POST", RESEARCH, 201, arguments=of("file")),
    api("import_load", "POST", RESEARCH, 201, arguments=of("file")),
    api("import_problems", "GET", RESEARCH, arguments=of("file")),
    api("charts", "GET", RESEARCH),
    api("chart", "GET", RESEARCH, arguments=of("chart")),
    api("protocol", "GET", OWNERS),
    api("protocol", "PATCH", OWNERS, body={"crowd_votes": 5}),
    api("members", "GET", OWNERS),
    api("members", "POST", OWNERS, 201, body=NEW_MEMBER),
    api("member", "GET", OWNERS, arguments=of("worker", "pseudonym")),
    api("member", "PATCH", OWNERS, arguments=of("worker", "pseudonym"), body={"role": "expert"}),
    api("posts", "GET", RESEARCH),
    api("post", "GET", RESEARCH, arguments=of("post")),
    api("post", "PATCH", RESEARCH, arguments=of("post"), body={"is_graphic": True}),
    api("jobs", "GET", RESEARCH),
    api("job", "GET", RESEARCH, arguments=of("job")),
    api("job_cancel", "POST", RESEARCH, arguments=of("job")),
    api("job_retry", "POST", RESEARCH, arguments=of("cancelled_job")),
    api("activity", "GET", RESEARCH),
    api("webhooks", "GET", OWNERS),
    api("webhooks", "POST", OWNERS, 201, body=NEW_WEBHOOK | {"events": ["job.failed"]}),
    api("webhook", "GET", OWNERS, arguments=of("webhook")),
    api("webhook", "PATCH", OWNERS, arguments=of("webhook"), body={"state": "paused"}),
    api("webhook_rotate", "POST", OWNERS, arguments=of("webhook")),
    api("webhook_test", "POST", OWNERS, 201, arguments=of("webhook")),
    api("webhook_deliveries", "GET", OWNERS, arguments=of("webhook")),
    api("webhook_again", "POST", OWNERS, arguments=delivery),
]

VOTE = {"label": "checkworthy", "seconds": "4", "guide_version": "1", "vote_version": "1"}

CROWD = [
    Row("work", "GET", WORKERS),
    Row("work_start", "POST", WORKERS, 302, body={"version": "1"}),
    Row("work_leave", "GET", WORKERS),
    Row("work_leave", "POST", WORKERS, 302),
    Row("work_consent", "GET", WORKERS),
    Row("work_consent", "POST", WORKERS, 302, body={"version": "1"}),
    Row("work_background", "GET", WORKERS, 302),
    Row("work_background", "POST", WORKERS, 302),
    Row("work_screened_out", "GET", WORKERS, 302),
    Row("work_withdraw", "GET", WORKERS),
    Row("work_withdraw", "POST", WORKERS, 302),
    Row("work_visit", "GET", WORKERS, 302),
    Row("work_return_code", "GET", WORKERS),
    Row("work_return_code", "POST", WORKERS),
    Row("work_votes", "GET", WORKERS),
    Row("work_correct", "GET", WORKERS, arguments=of("crowd_voted")),
    Row("work_correct", "POST", WORKERS, 302, of("crowd_voted"), VOTE),
    Row("work_submit", "GET", WORKERS, 302, of("crowd_held")),
    Row("work_submit", "POST", WORKERS, 302, of("crowd_held"), VOTE),
    Row("work_skip", "GET", WORKERS, arguments=of("crowd_held")),
    Row("work_skip", "POST", WORKERS, 302, of("crowd_held"), {"reason": "not_sure"}),
    Row("work_extend", "POST", WORKERS, arguments=of("crowd_held")),
    Row("crowd", "GET", RESEARCH),
    Row("crowd_pilot", "GET", RESEARCH, arguments=numbered()),
    Row("crowd_pilot_post", "GET", RESEARCH, arguments=numbered(1)),
    Row("crowd_pilot_post", "POST", RESEARCH, 302, numbered(1), VOTE),
    Row("crowd_pilot_skip", "GET", RESEARCH, arguments=numbered(1)),
    Row("crowd_pilot_skip", "POST", RESEARCH, 302, numbered(1), {"reason": "not_sure"}),
    Row("crowd_reports", "GET", RESEARCH),
    Row("crowd_labels", "GET", RESEARCH),
    Row("crowd_labels_edit", "GET", RESEARCH),
    Row("crowd_labels_edit", "POST", RESEARCH),
    Row("crowd_posts", "GET", RESEARCH),
    Row("crowd_posts_file", "GET", RESEARCH, arguments=label_file),
    Row("crowd_instructions", "GET", RESEARCH),
    Row("crowd_instructions_edit", "GET", RESEARCH),
    Row("crowd_instructions_edit", "POST", RESEARCH),
    Row("crowd_batch_new", "GET", RESEARCH),
    Row("crowd_batch_new", "POST", RESEARCH),
    Row("crowd_batch", "GET", RESEARCH, arguments=numbered()),
    Row("crowd_batch_move", "POST", RESEARCH, 302, numbered(), {"to": "paused"}),
    Row("crowd_batch_discard", "GET", RESEARCH, arguments=numbered()),
    Row("crowd_batch_discard", "POST", RESEARCH, 302, numbered()),
    Row("crowd_agreement", "GET", RESEARCH),
    Row(
        "crowd_pair",
        "GET",
        RESEARCH,
        arguments=lambda world: [world.slug, world.worker.pseudonym, world.worker.pseudonym],
    ),
    Row("crowd_people", "GET", RESEARCH),
    Row("crowd_people_file", "GET", RESEARCH),
    Row("crowd_estimate", "POST", RESEARCH, 302),
    Row("crowd_person", "GET", RESEARCH, arguments=of("worker", "pseudonym")),
    Row(
        "crowd_person_standing",
        "POST",
        RESEARCH,
        302,
        of("worker", "pseudonym"),
        {"state": "paused"},
    ),
    Row(
        "crowd_person_requalify",
        "POST",
        RESEARCH,
        302,
        of("worker", "pseudonym"),
        {"reason": "Clicks through"},
    ),
    Row("crowd_person_dismiss", "GET", RESEARCH, arguments=of("worker", "pseudonym")),
    Row(
        "crowd_person_dismiss",
        "POST",
        RESEARCH,
        302,
        of("worker", "pseudonym"),
        {"reason": "Clicks through"},
    ),
    Row("crowd_checks", "GET", RESEARCH),
    Row("crowd_checks", "POST", RESEARCH, 302),
    Row("crowd_attention_new", "GET", RESEARCH),
    Row("crowd_attention_new", "POST", RESEARCH),
    Row("crowd_check_share", "POST", RESEARCH, 302, numbered(), {"percent": "10"}),
    Row("crowd_rules", "GET", RESEARCH),
    Row("crowd_rules", "POST", RESEARCH),
    Row("crowd_rule", "GET", RESEARCH, arguments=of("rule")),
    Row("crowd_rule", "POST", RESEARCH, arguments=of("rule")),
    Row("crowd_flag_settle", "POST", RESEARCH, 302, of("flag"), {"note": "Talked to them"}),
]

WORDS = "Each post was answered within a second, which is less than it takes to read it. " * 2

PAY = [
    Row("pay", "GET", RESEARCH),
    Row("pay_rules", "GET", OWNERS),
    Row("pay_rules", "POST", OWNERS),
    Row("pay_person", "GET", RESEARCH, arguments=of("worker", "pseudonym")),
    Row("pay_entry_new", "GET", OWNERS, arguments=of("worker", "pseudonym")),
    Row("pay_entry_new", "POST", OWNERS, arguments=of("worker", "pseudonym")),
    Row("pay_sittings", "GET", RESEARCH),
    Row("pay_approve", "POST", RESEARCH, 302),
    Row("pay_sitting", "GET", RESEARCH, arguments=of("waiting_sitting")),
    Row(
        "pay_reject",
        "POST",
        RESEARCH,
        302,
        of("waiting_sitting"),
        {"reason": "too_quick", "words": WORDS},
    ),
    Row("pay_reinstate", "POST", RESEARCH, 302, of("disputed_sitting")),
    Row("pay_disputes", "GET", RESEARCH),
    Row("pay_dispute", "GET", RESEARCH, arguments=of("dispute")),
    Row(
        "pay_dispute",
        "POST",
        RESEARCH,
        302,
        of("dispute"),
        {"outcome": "paid", "answer": "You are right."},
    ),
    Row("pay_errands", "GET", RESEARCH),
    Row("pay_errands_retry", "POST", RESEARCH, 302),
    Row("pay_errand_settle", "POST", OWNERS, 302, of("errand"), {"outcome": "set_aside"}),
    Row("pay_payouts", "GET", OWNERS),
    Row("pay_payout_new", "GET", OWNERS),
    Row("pay_payout_new", "POST", OWNERS, 302),
    Row("pay_payout", "GET", OWNERS, arguments=numbered()),
    Row("pay_payout_file", "GET", OWNERS, arguments=numbered("payout.csv")),
    Row("pay_mturk_file", "GET", OWNERS, arguments=reject_file),
    Row("earnings", "GET", WORKERS),
    Row("earnings_dispute", "GET", WORKERS, arguments=of("own_sitting")),
    Row("earnings_dispute", "POST", WORKERS, 302, of("own_sitting"), {"text": "I read them."}),
]

CONSENT = [
    Row("consent", "GET", RESEARCH),
    Row("consent_edit", "GET", RESEARCH),
    Row("consent_edit", "POST", RESEARCH),
    Row("question_new", "GET", RESEARCH),
    Row("question_new", "POST", RESEARCH),
    Row("question_retire", "POST", RESEARCH, 302, of("question")),
    Row("recruitments", "GET", RESEARCH),
    Row("recruitment_new", "GET", RESEARCH),
    Row("recruitment_new", "POST", RESEARCH),
    Row("recruitment", "GET", RESEARCH, arguments=numbered()),
    Row("recruitment_move", "POST", RESEARCH, 302, numbered(), {"to": "open"}),
    Row("recruitment_platform", "GET", OWNERS, arguments=numbered()),
    Row("recruitment_platform", "POST", OWNERS, 302, numbered(), {"action": "pause"}),
]

# Anybody comes in by a link; a member is already in. What carries no id, or a start that was used,
# is refused to everybody, and who has an account of their own is asked to sign out first.
ENTRY = [
    outside(
        "join",
        "GET",
        EVERYBODY,
        arguments=lambda world: [world.link.token],
        instead=dict.fromkeys(MEMBERS, 302),
    ),
    outside(
        "join",
        "POST",
        EVERYBODY,
        302,
        arguments=lambda world: [world.link.token],
        instead={"anonymous": 200},
    ),
    outside("join_hit", "GET", EVERYBODY, 404, arguments=lambda world: [world.link.token]),
    outside(
        "join_start",
        "GET",
        EVERYBODY,
        403,
        arguments=lambda _world: ["no-such-start"],
        instead={"anonymous": 410},
    ),
    outside("return_by_code", "GET", EVERYBODY),
    outside("return_by_code", "POST", EVERYBODY, 422),
]

ANSWER_SENT = {"label": "checkworthy", "seconds": 4}
CORRECTION = {**ANSWER_SENT, "seen_version": 1}
NEW_RULE = {"watched": "gold", "threshold": 0.7, "action": "ask"}
NEW_ATTENTION = {"text": "If you read this, choose no claim.", "label": "no_claim"}
NEW_LABELS = {
    "question": "Is it one?",
    "labels": [{"code": code, "name": code, "key": code} for code in "yn"],
    "seen_version": 1,
}
NEW_GUIDE = {"markdown": "Look closely.", "seen_version": 1}

CROWD_API = [
    api("work_instructions", "GET", WORKERS),
    api("work_start", "POST", WORKERS, body={"version": 1}),
    api("work_leave", "POST", WORKERS),
    api("work_next", "POST", WORKERS),
    api("work_submit", "POST", WORKERS, arguments=of("crowd_held"), body=ANSWER_SENT),
    api("work_skip", "POST", WORKERS, arguments=of("crowd_held"), body={"reason": "not_sure"}),
    api("work_extend", "POST", WORKERS, arguments=of("crowd_held")),
    api("work_votes", "GET", WORKERS),
    api("work_vote", "GET", WORKERS, arguments=of("crowd_voted")),
    api("work_vote", "PATCH", WORKERS, arguments=of("crowd_voted"), body=CORRECTION),
    api("work_consent", "GET", WORKERS),
    api("work_consent", "POST", WORKERS, body={"version": 1}),
    api("work_questions", "GET", WORKERS),
    api("work_questions", "POST", WORKERS, body={"answers": {}}),
    api("work_withdraw", "POST", WORKERS),
    api("earnings", "GET", WORKERS),
    api("earnings_sittings", "GET", WORKERS),
    api("earnings_sitting", "GET", WORKERS, arguments=of("own_sitting")),
    api(
        "earnings_dispute",
        "POST",
        WORKERS,
        arguments=of("own_sitting"),
        body={"text": "I read each of them."},
    ),
    api("earnings_entries", "GET", WORKERS),
    api("prescreening", "GET", WORKERS),
    api("prescreening_start", "POST", WORKERS, body={"version": 1}),
    api("prescreening_next", "POST", WORKERS),
    api("prescreening_submit", "POST", WORKERS, arguments=of("test_held"), body=ANSWER_SENT),
    api(
        "prescreening_skip",
        "POST",
        WORKERS,
        arguments=of("test_held"),
        body={"reason": "not_sure"},
    ),
    api("prescreening_extend", "POST", WORKERS, arguments=of("test_held")),
    api("prescreening_votes", "GET", WORKERS),
    api("prescreening_vote", "GET", WORKERS, arguments=of("test_voted")),
    api("prescreening_vote", "PATCH", WORKERS, arguments=of("test_voted"), body=CORRECTION),
    api("qualifications", "GET", SIGNED_IN, arguments=no_arguments, in_study=False),
    api("crowd_batches", "GET", RESEARCH),
    api("crowd_batches", "POST", RESEARCH, 201, body={"posts": 1}),
    api("crowd_batch", "GET", RESEARCH, arguments=numbered()),
    api("crowd_batch_move", "POST", RESEARCH, arguments=numbered(), body={"to": "paused"}),
    api("crowd_batch_discard", "POST", RESEARCH, 409, arguments=numbered()),
    api("crowd_instructions", "GET", RESEARCH),
    api("crowd_instructions", "POST", RESEARCH, 201, body=NEW_GUIDE),
    api("crowd_votes", "GET", RESEARCH),
    api("crowd_agreement", "GET", RESEARCH),
    api("crowd_labels", "GET", RESEARCH),
    api("crowd_posts", "GET", RESEARCH),
    api("crowd_pairs", "GET", RESEARCH),
    api(
        "crowd_pair",
        "GET",
        RESEARCH,
        arguments=lambda world: [world.slug, world.worker.pseudonym, world.worker.pseudonym],
    ),
    api("crowd_reports", "GET", RESEARCH),
    api("crowd_label_sets", "GET", RESEARCH),
    api("crowd_label_sets", "POST", RESEARCH, 201, body=NEW_LABELS),
    api("crowd_people", "GET", RESEARCH),
    person_api("crowd_person", "GET"),
    person_api("crowd_person_votes", "GET"),
    person_api("crowd_person_skips", "GET"),
    person_api("crowd_person_standing", "POST", body={"state": "paused"}),
    person_api("crowd_person_requalify", "POST", 409, body={"reason": "Clicks through"}),
    person_api("crowd_person_dismiss", "GET"),
    person_api("crowd_person_dismiss", "POST", body={"reason": "Clicks through"}),
    api("crowd_estimate", "GET", RESEARCH, 404),
    api("crowd_estimate", "POST", RESEARCH, 201),
    api("crowd_checks", "GET", RESEARCH),
    api("crowd_checks", "PATCH", RESEARCH, body={"external_ids": []}),
    api("crowd_attention", "POST", RESEARCH, 201, body=NEW_ATTENTION),
    api("crowd_batch_checks", "PATCH", RESEARCH, arguments=numbered(), body={"share": 0.1}),
    api("crowd_rules", "GET", RESEARCH),
    api("crowd_rules", "POST", RESEARCH, 201, body=NEW_RULE),
    api("crowd_rule", "GET", RESEARCH, arguments=of("rule")),
    api("crowd_rule", "PATCH", RESEARCH, arguments=of("rule"), body={"over": 20}),
    api("crowd_flags", "GET", RESEARCH),
    api("crowd_flag_settle", "POST", RESEARCH, arguments=of("flag")),
    api("crowd_prescreening", "GET", RESEARCH),
    api("crowd_prescreening", "PATCH", RESEARCH, body={"max_tests": 3}),
    api("crowd_prescreening_move", "POST", RESEARCH, body={"to": "closed"}),
    api("crowd_candidates", "GET", RESEARCH),
    person_api("crowd_candidate", "GET"),
    person_api("crowd_candidate_decide", "POST", 409, body={"decision": "approve"}),
]

GOLD_API = [
    api("pay", "GET", RESEARCH),
    api("pay_people", "GET", RESEARCH),
    api("pay_rules", "GET", RESEARCH),
    api("pay_rules", "PATCH", OWNERS, body={"approve_after_days": 5}),
    api("pay_entries", "GET", RESEARCH),
    api("pay_entries", "POST", OWNERS, 422, body={"pseudonym": "w-nobody"}),
    api("pay_sittings", "GET", RESEARCH),
    api("pay_approve", "POST", RESEARCH, body={"sittings": []}),
    api("pay_sitting", "GET", RESEARCH, arguments=of("waiting_sitting")),
    api(
        "pay_reject",
        "POST",
        RESEARCH,
        arguments=of("waiting_sitting"),
        body={"reason": "too_quick", "words": WORDS},
    ),
    api("pay_reinstate", "POST", RESEARCH, 409, arguments=of("disputed_sitting")),
    api("pay_disputes", "GET", RESEARCH),
    api(
        "pay_dispute_answer",
        "POST",
        RESEARCH,
        arguments=of("dispute"),
        body={"answer": "You are right.", "is_paid": True},
    ),
    api("pay_payouts", "GET", OWNERS),
    api("pay_payouts", "POST", OWNERS, 422),
    api("pay_payout_next", "GET", OWNERS),
    api("pay_payout", "GET", OWNERS, arguments=numbered()),
    api("pay_mturk", "GET", OWNERS),
    api("pay_errands", "GET", RESEARCH),
    api("pay_errands_retry", "POST", RESEARCH),
    api("pay_errand_settle", "POST", OWNERS, arguments=of("errand"), body={"outcome": "done"}),
    api("recruitments", "GET", RESEARCH),
    api("recruitments", "POST", RESEARCH, 201, body={"kind": "link", "name": "Spring"}),
    api("recruitment", "GET", RESEARCH, arguments=numbered()),
    api("recruitment_move", "POST", RESEARCH, arguments=numbered(), body={"to": "open"}),
    api("recruitment_platform", "GET", OWNERS, 409, arguments=numbered()),
    api(
        "recruitment_platform", "POST", OWNERS, 409, arguments=numbered(), body={"action": "pause"}
    ),
    api("consent", "GET", RESEARCH),
    api("consent", "POST", RESEARCH, 201, body={"markdown": "We keep it.", "seen_version": 1}),
    api("questions", "GET", RESEARCH),
    api("questions", "POST", RESEARCH, 201, body={"question": "Age?", "kind": "number"}),
    api("question_retire", "POST", RESEARCH, arguments=of("question")),
    api("withdrawals", "GET", RESEARCH),
    api("gold_batches", "GET", RESEARCH),
    api("gold_batches", "POST", RESEARCH, 201, body={"posts": 1}),
    api("gold_batch_move", "POST", RESEARCH, arguments=numbered(), body={"to": "paused"}),
    api("gold_batch_discard", "POST", RESEARCH, 409, arguments=numbered()),
    api("gold_batch", "GET", RESEARCH, arguments=numbered()),
    api("gold_posts", "GET", RESEARCH),
    api("gold_votes", "GET", RESEARCH),
    api("gold_agreement", "GET", RESEARCH),
    api("gold_next", "POST", RESEARCH),
    own_api("gold_submit", "POST", arguments=of("gold_held"), body=ANSWER_SENT),
    own_api("gold_skip", "POST", arguments=of("gold_held"), body={"reason": "language"}),
    api("gold_own_votes", "GET", RESEARCH),
    own_api("gold_own_vote", "GET", arguments=of("gold_voted")),
    own_api("gold_own_vote", "PATCH", arguments=of("gold_voted"), body=CORRECTION),
]

PRESCREENING = [
    Row("prescreening", "GET", WORKERS),
    Row("prescreening_start", "POST", WORKERS, 302, body={"version": "1"}),
    Row("prescreening_test", "GET", WORKERS),
    Row("prescreening_votes", "GET", WORKERS),
    Row("prescreening_correct", "GET", WORKERS, arguments=of("test_voted")),
    Row("prescreening_correct", "POST", WORKERS, 302, of("test_voted"), VOTE),
    Row("prescreening_submit", "GET", WORKERS, 302, of("test_held")),
    Row("prescreening_submit", "POST", WORKERS, 302, of("test_held"), VOTE),
    Row("prescreening_skip", "GET", WORKERS, arguments=of("test_held")),
    Row("prescreening_skip", "POST", WORKERS, 302, of("test_held"), {"reason": "not_sure"}),
    Row("prescreening_extend", "POST", WORKERS, arguments=of("test_held")),
    Row("crowd_prescreening", "GET", RESEARCH),
    Row("crowd_prescreening_rules", "GET", RESEARCH),
    Row("crowd_prescreening_rules", "POST", RESEARCH),
    Row("crowd_prescreening_move", "POST", RESEARCH, 302, body={"to": "closed"}),
    Row("crowd_candidate", "GET", RESEARCH, arguments=of("worker", "pseudonym")),
    Row("crowd_candidate_decide", "POST", RESEARCH, 302, of("worker", "pseudonym")),
]

GOLD = [
    Row("gold", "GET", RESEARCH),
    Row("gold_batch_new", "GET", RESEARCH),
    Row("gold_batch_new", "POST", RESEARCH),
    Row("gold_batch_move", "POST", RESEARCH, 302, numbered(), {"to": "paused"}),
    Row("gold_batch_discard", "GET", RESEARCH, arguments=numbered()),
    Row("gold_batch_discard", "POST", RESEARCH, 302, numbered()),
    Row("gold_batch_close", "GET", RESEARCH, arguments=numbered()),
    Row("gold_batch_close", "POST", RESEARCH, arguments=numbered()),
    Row("gold_work", "GET", RESEARCH),
    Row("gold_votes", "GET", RESEARCH),
    own("gold_correct", "GET", RESEARCHERS, arguments=of("gold_voted")),
    own("gold_correct", "POST", RESEARCHERS, 302, arguments=of("gold_voted"), body=VOTE),
    own("gold_submit", "GET", RESEARCHERS, 302, arguments=of("gold_held")),
    own("gold_submit", "POST", RESEARCHERS, 302, arguments=of("gold_held"), body=VOTE),
    own("gold_skip", "GET", RESEARCHERS, arguments=of("gold_held")),
    own(
        "gold_skip",
        "POST",
        RESEARCHERS,
        302,
        arguments=of("gold_held"),
        body={"reason": "language"},
    ),
]

SIZES = {"size": "64", "overlap": "0.5", "k1": "1.2", "b": "0.75"}
ABOUT = {"title": "Harbour Act", "source_type": "statute"}
ANSWER = {"label": "unclear", "comment": "Nobody can tell.", "seconds": "9", "version": "1"}
LEGAL_RULES = {
    "tie_rule": "unclear",
    "ceiling_votes": "50",
    "parked_posts": "5",
    "parking_days": "7",
}

DECISION = {"label": "no", "reason": "The decree is of another year."}

LEGAL = [
    Row("legal", "GET", RESEARCH),
    Row("legal_batch", "GET", RESEARCH, arguments=numbered()),
    Row("legal_batch_move", "POST", RESEARCH, 302, numbered(), {"to": "paused"}),
    Row("legal_post", "GET", RESEARCH, arguments=of("post")),
    Row("legal_verdicts", "GET", RESEARCH),
    Row("legal_differences", "GET", RESEARCH),
    Row("legal_adjudication", "GET", RESEARCH),
    Row("legal_together", "GET", RESEARCH, arguments=of("judged")),
    Row("legal_decision", "POST", RESEARCH, 302, of("judged"), DECISION),
    Row("legal_say", "POST", RESEARCH, 302, of("judged"), {"text": "Look at the date."}),
    Row("legal_agreement", "GET", RESEARCH),
    Row("legal_agreement_posts", "GET", RESEARCH),
    Row("legal_agreement_file", "GET", RESEARCH),
    Row("legal_experts", "GET", RESEARCH),
    Row("legal_expert", "GET", RESEARCH, arguments=one_expert),
    Row("legal_expert_file", "GET", RESEARCH, arguments=one_expert),
    Row("legal_figures", "GET", RESEARCH),
    Row("legal_figures_draw", "POST", RESEARCH, 302),
    Row("legal_pair", "GET", RESEARCH, arguments=two_experts),
    Row("legal_settings", "GET", RESEARCH),
    Row("legal_settings", "POST", RESEARCH, 302, body=LEGAL_RULES),
    Row("legal_catalogue", "GET", EXPERTS | RESEARCH),
    Row("legal_catalogue_yaml", "GET", RESEARCH, arguments=numbered()),
    Row("legal_catalogue_json", "GET", RESEARCH, arguments=numbered()),
    Row("legal_catalogue_import", "GET", RESEARCH),
    Row("legal_catalogue_import", "POST", RESEARCH, 200, body={"source": "shipped"}),
    Row("legal_draft", "GET", RESEARCH),
    Row("legal_draft_begin", "POST", RESEARCH, 302),
    Row("legal_draft_change", "POST", RESEARCH, 302, body={"do": "add_topic", "name": "Tax"}),
    Row("legal_draft_heading", "GET", RESEARCH),
    Row("legal_draft_heading", "POST", RESEARCH, 422),
    Row("legal_draft_issue", "GET", RESEARCH, arguments=draft_issue),
    Row("legal_draft_issue", "POST", RESEARCH, 422, draft_issue),
    Row("legal_draft_publish", "GET", RESEARCH),
    Row("legal_draft_publish", "POST", RESEARCH, 422),
    Row("legal_draft_discard", "POST", RESEARCH, 302),
    Row("legal_guide", "GET", EXPERTS | RESEARCH),
    Row("legal_library", "GET", EXPERTS | RESEARCH),
    Row("legal_library_search", "GET", EXPERTS | RESEARCH),
    Row("legal_library_upload", "GET", RESEARCH),
    Row("legal_library_upload", "POST", RESEARCH),
    Row("legal_library_build", "POST", RESEARCH, 302, body=SIZES),
    Row("legal_document", "GET", EXPERTS | RESEARCH, arguments=of("document")),
    Row("legal_document_file", "GET", EXPERTS | RESEARCH, arguments=of("document")),
    Row("legal_document_edit", "GET", RESEARCH, arguments=of("document")),
    Row("legal_document_edit", "POST", RESEARCH, 302, of("document"), ABOUT),
    Row("legal_document_remove", "POST", RESEARCH, 302, of("document")),
    Row("legal_evidence", "GET", RESEARCH),
    Row("legal_evidence_fetch", "POST", RESEARCH, 302),
    Row("legal_evidence_page", "GET", RESEARCH, arguments=of("page")),
    Row("legal_evidence_warc", "GET", RESEARCH, arguments=of("page")),
    Row("legal_attachments", "GET", RESEARCH),
    Row("legal_attachment", "GET", RESEARCH, arguments=of("attachment")),
    api("legal_evidence", "GET", RESEARCH),
    api("legal_evidence_page", "GET", RESEARCH, arguments=of("page")),
    api("legal_evidence_warc", "GET", RESEARCH, arguments=of("page")),
    api("legal_evidence_domains", "GET", RESEARCH),
    api("catalogues", "GET", EXPERTS | RESEARCH),
    api("catalogues", "POST", RESEARCH, 422),
    api("catalogue", "GET", EXPERTS | RESEARCH, arguments=numbered()),
    Row("legal_work", "GET", EXPERTS),
    Row("legal_begin", "POST", EXPERTS, 302),
    Row("legal_submit", "GET", EXPERTS, 302, of("legal_held")),
    Row("legal_submit", "POST", EXPERTS, 302, of("legal_held"), ANSWER),
    Row("legal_skip", "GET", EXPERTS, arguments=of("legal_held")),
    Row("legal_skip", "POST", EXPERTS, 302, of("legal_held"), {"reason": "harmful"}),
    Row("legal_extend", "POST", EXPERTS, arguments=of("legal_held")),
    Row("legal_evidence_file", "GET", EXPERTS, arguments=of("legal_held")),
    Row("legal_evidence_file", "POST", EXPERTS, 422, of("legal_held")),
    Row("legal_own_file", "GET", EXPERTS, arguments=own_file),
    Row("legal_detach_file", "POST", EXPERTS, 302, own_file),
    Row("legal_practice", "GET", RESEARCH),
    Row("legal_practice", "POST", RESEARCH, 302, body={"text": "The harbour is closed."}),
    Row("legal_model_answer", "GET", RESEARCH, arguments=of("practice")),
    Row("legal_model_answer", "POST", RESEARCH, 302, of("practice"), ANSWER),
    Row("legal_practised", "GET", EXPERTS),
    Row("legal_practise", "GET", EXPERTS, arguments=of("practice")),
    Row("legal_practise", "POST", EXPERTS, 302, of("practice"), ANSWER),
    Row("legal_practice_model", "GET", EXPERTS, arguments=practised),
    Row("legal_keep_draft", "POST", EXPERTS, arguments=of("legal_held"), body=ANSWER),
    Row("legal_park", "POST", EXPERTS, 302, of("legal_held"), ANSWER),
    Row("legal_parked", "GET", EXPERTS),
    Row("legal_take_up", "GET", EXPERTS, 302, of("legal_held")),
    Row("legal_own_hours", "GET", EXPERTS),
    Row("legal_own_hours_file", "GET", EXPERTS),
    Row("legal_hours", "GET", RESEARCH, arguments=expert),
    Row("legal_hours_file", "GET", RESEARCH, arguments=expert),
    Row("legal_votes", "GET", EXPERTS),
    Row("legal_correct", "GET", EXPERTS, arguments=of("legal_voted")),
    Row("legal_correct", "POST", EXPERTS, 302, of("legal_voted"), ANSWER),
    # Its batch is open, so nobody is shown what others said.
    Row("legal_own_together", "GET", EXPERTS, 404, of("legal_voted")),
    Row("legal_own_together", "POST", EXPERTS, 404, of("legal_voted"), {"text": "I see."}),
]

MODEL = {"answer": {"label": "no", "no_claim": True, "insists": True}}
DOCUMENT = {"name": "other.txt", "content": "QW4gQWN0IG9mIGhhcmJvdXJzLg=="}
LEGAL_API = [
    api("legal_batches", "GET", RESEARCH),
    api("legal_batch", "GET", RESEARCH, arguments=numbered()),
    api("legal_batch_move", "POST", RESEARCH, arguments=numbered(), body={"to": "paused"}),
    api("legal_votes", "GET", RESEARCH),
    api("legal_verdicts", "GET", RESEARCH),
    api("legal_verdict", "GET", RESEARCH, arguments=of("judged")),
    api("legal_adjudication", "GET", RESEARCH),
    api("legal_together", "GET", RESEARCH, arguments=of("judged")),
    api("legal_decision", "POST", RESEARCH, arguments=of("judged"), body=DECISION),
    api("legal_say", "POST", RESEARCH, arguments=of("judged"), body={"text": "The date."}),
    api("legal_practice", "GET", RESEARCH),
    api("legal_practice", "POST", RESEARCH, 201, body={"text": "The harbour is closed."}),
    api("legal_model_answer", "GET", RESEARCH, arguments=of("practice")),
    api("legal_model_answer", "PATCH", RESEARCH, arguments=of("practice"), body=MODEL),
    api("legal_settings", "GET", RESEARCH),
    api("legal_settings", "PATCH", RESEARCH, body={"tie_rule": "adjudicate"}),
    api("legal_differences", "GET", RESEARCH),
    api("legal_figures", "POST", RESEARCH, 201),
    api("legal_hours", "GET", RESEARCH, arguments=one_expert),
    api("legal_evidence_fetch", "POST", RESEARCH, 201),
    api("legal_experts", "GET", RESEARCH),
    api("legal_expert_posts", "GET", RESEARCH, arguments=one_expert),
    api("legal_agreement", "GET", RESEARCH),
    api("legal_agreement_parts", "GET", RESEARCH),
    api("legal_agreement_posts", "GET", RESEARCH),
    api("library", "GET", EXPERTS | RESEARCH),
    api("library", "POST", RESEARCH, 201, body=DOCUMENT),
    api("library_search", "GET", EXPERTS | RESEARCH, 422),
    api("library_versions", "GET", EXPERTS | RESEARCH),
    api("library_versions", "POST", RESEARCH, 201, body={"size": 64}),
    api("library_document", "GET", EXPERTS | RESEARCH, arguments=of("document")),
    api("library_document", "PATCH", RESEARCH, arguments=of("document"), body={"title": "A"}),
    api("library_remove", "POST", RESEARCH, arguments=of("document")),
]

FILTER = [
    Row("filters", "GET", RESEARCH),
    Row("filters", "POST", RESEARCH),
    Row("filter_run", "GET", RESEARCH, arguments=numbered()),
    Row("filter_compare", "GET", RESEARCH),
    api("filters", "GET", RESEARCH),
    api("filters", "POST", RESEARCH, 201, body={"k": 1}),
    api("filter_compare", "GET", RESEARCH, 422),
    api("filter_run", "GET", RESEARCH, arguments=numbered()),
    api("filter_posts", "GET", RESEARCH, arguments=numbered()),
    api("filter_promote", "POST", RESEARCH, arguments=numbered()),
    Row("filter_post", "GET", RESEARCH, arguments=filtered_post),
    Row("filter_promote", "POST", RESEARCH, 302, numbered()),
]

OWN_SECTION = {"text": "Ours.", "seen": mark_of("")}

CHOICES = {
    "stages": "crowd",
    "texts": "ids",
    "versions": "current",
    "train": 0,
    "validation": 0,
    "seed": 0,
}
RELEASES = [
    api("releases", "GET", RESEARCH),
    api("releases", "POST", RESEARCH, 201, body={"texts": "ids"}),
    api("release_preview", "POST", RESEARCH),
    api("release", "GET", RESEARCH, arguments=numbered()),
    api("release_flag", "GET", RESEARCH, arguments=numbered()),
    api("release_flag", "POST", RESEARCH, 201, arguments=numbered(), body={"reason": "Wrong."}),
    api("release_compare", "POST", RESEARCH, 422, arguments=numbered(), body={"earlier": 9}),
    api("comparisons", "GET", RESEARCH),
    api("comparison", "GET", RESEARCH, arguments=of("comparison")),
    api("comparison_posts", "GET", RESEARCH, arguments=of("comparison")),
    api("release_annotator", "GET", RESEARCH, 404, arguments=numbered("no-such-name")),
    api("release_file", "GET", RESEARCH, arguments=numbered("manifest.json")),
    api("data_card", "GET", RESEARCH),
    api("data_card", "PATCH", RESEARCH, body={"licence": "CC-BY-4.0"}),
    api("card_section", "PATCH", RESEARCH, arguments=card_part, body={"text": "So it was."}),
    api("card_section_back", "POST", RESEARCH, arguments=card_part),
    api("statistics", "GET", RESEARCH),
    api("statistics", "POST", RESEARCH, 201),
    Row("statistics", "GET", RESEARCH),
    Row("statistics_draw", "POST", RESEARCH, 302),
    Row("statistics_file", "GET", RESEARCH),
    Row("releases", "GET", RESEARCH),
    Row("new_release", "GET", RESEARCH),
    Row("new_release", "POST", RESEARCH, 302, body=CHOICES),
    Row("release", "GET", RESEARCH, arguments=numbered()),
    Row("release_zip", "GET", RESEARCH, arguments=numbered()),
    Row("release_flag", "POST", RESEARCH, 302, numbered(), {"reason": "Wrong texts."}),
    Row("release_compare", "POST", RESEARCH, 302, numbered(), {"other": ""}),
    Row("comparison", "GET", RESEARCH, arguments=of("comparison")),
    Row("comparison_file", "GET", RESEARCH, arguments=of("comparison")),
    Row("release_file", "GET", RESEARCH, arguments=numbered("csv/posts.csv")),
    Row("data_card", "GET", RESEARCH),
    Row("card_section", "GET", RESEARCH, arguments=card_part),
    Row(
        "card_section",
        "POST",
        RESEARCH,
        302,
        card_part,
        body=OWN_SECTION,
    ),
    Row("card_section_back", "POST", RESEARCH, 302, card_part),
    Row("card_terms", "GET", RESEARCH),
    Row("card_terms", "POST", RESEARCH, 302, body={"licence": "CC-BY-4.0"}),
]


def account(name: str, method: str, anonymous: int, signed_in: int, *arguments: Any) -> Row:
    """Return the row of a page of one's own account, which is no study's."""
    return outside(
        name,
        method,
        EVERYBODY,
        signed_in,
        arguments=lambda _world: list(arguments),
        instead={"anonymous": anonymous},
    )


def pages(name: str, anonymous: int, signed_in: int, *arguments: Any) -> list[Row]:
    """Return the two rows of a page with a form."""
    return [account(name, method, anonymous, signed_in, *arguments) for method in ("GET", "POST")]


# Sign-up is closed (its page says so). 302 leads to the sign-in, to where a signed-in person
# belongs, or, before anything about the second factor changes, to the question for the password.
ACCOUNTS = [
    *pages("account_login", 200, 302),
    account("account_logout", "GET", 302, 200),
    account("account_logout", "POST", 302, 302),
    *pages("account_signup", 200, 302),
    account("account_inactive", "GET", 200, 200),
    *pages("account_reset_password", 200, 200),
    account("account_reset_password_done", "GET", 200, 200),
    *pages("account_reset_password_from_key", 200, 200, "abc", "no-such-key"),
    account("account_reset_password_from_key_done", "GET", 200, 200),
    account("account_email_verification_sent", "GET", 200, 200),
    account("account_confirm_email", "GET", 200, 200, "no-such-key"),
    account("account_confirm_email", "POST", 404, 404, "no-such-key"),
    *pages("account_email", 302, 404),
    *pages("account_change_password", 302, 200),
    *pages("account_set_password", 302, 302),
    *pages("account_reauthenticate", 302, 200),
    *pages("account_request_reauthentication_code", 302, 302),
    *pages("account_confirm_reauthentication_code", 302, 302),
    *pages("account_confirm_login_code", 302, 302),
    account("mfa_index", "GET", 302, 200),
    *pages("mfa_authenticate", 302, 302),
    *pages("mfa_reauthenticate", 302, 302),
    *pages("mfa_activate_totp", 302, 302),
    *pages("mfa_deactivate_totp", 302, 404),
    account("mfa_view_recovery_codes", "GET", 302, 404),
    *pages("mfa_generate_recovery_codes", 302, 302),
    *pages("mfa_download_recovery_codes", 302, 404),
    account("usersessions_list", "GET", 302, 200),
    account("usersessions_list", "POST", 302, 302),
]

TABLE = [
    *GROUND,
    *GROUND_API,
    *CROWD,
    *CROWD_API,
    *PRESCREENING,
    *PAY,
    *CONSENT,
    *ENTRY,
    *GOLD,
    *GOLD_API,
    *LEGAL,
    *LEGAL_API,
    *FILTER,
    *RELEASES,
    *ACCOUNTS,
]
