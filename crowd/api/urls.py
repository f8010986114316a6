"""Addresses of the API of the crowd stage and of the gold pool, below /api/v1/."""

from django.urls import path

from crowd.api import (
    batches,
    checks,
    consent,
    gold,
    instructions,
    labels,
    outcomes,
    pay,
    payouts,
    people,
    prescreening,
    quality,
    recruitment,
    results,
    votes,
    work,
)

STUDY = "studies/<slug:slug>"
WORK, CROWD, GOLD = f"{STUDY}/work", f"{STUDY}/crowd", f"{STUDY}/gold"
PAY, WAYS = f"{STUDY}/pay", f"{STUDY}/recruitment"
ONE, SITTING = "<int:assignment_id>", "<int:sitting_id>"
PERSON = f"{CROWD}/people/<slug:pseudonym>"
CANDIDATE = f"{CROWD}/candidates/<slug:pseudonym>"

urlpatterns = [
    path(f"{WORK}/instructions/", work.WorkInstructions.as_view(), name="api_work_instructions"),
    path(f"{WORK}/start/", work.WorkStart.as_view(), name="api_work_start"),
    path(f"{WORK}/leave/", work.WorkLeave.as_view(), name="api_work_leave"),
    path(f"{WORK}/next/", work.WorkNext.as_view(), name="api_work_next"),
    path(f"{WORK}/{ONE}/submit/", work.WorkSubmit.as_view(), name="api_work_submit"),
    path(f"{WORK}/{ONE}/skip/", work.WorkSkip.as_view(), name="api_work_skip"),
    path(f"{WORK}/{ONE}/extend/", work.WorkExtend.as_view(), name="api_work_extend"),
    path(f"{WORK}/votes/", work.WorkVotes.as_view(), name="api_work_votes"),
    path(f"{WORK}/votes/{ONE}/", work.OneWorkVote.as_view(), name="api_work_vote"),
    path(f"{CROWD}/batches/", batches.CrowdBatches.as_view(), name="api_crowd_batches"),
    path(
        f"{CROWD}/batches/<int:number>/",
        batches.OneCrowdBatch.as_view(),
        name="api_crowd_batch",
    ),
    path(
        f"{CROWD}/batches/<int:number>/move/",
        batches.CrowdBatchMove.as_view(),
        name="api_crowd_batch_move",
    ),
    path(
        f"{CROWD}/instructions/",
        instructions.InstructionsVersions.as_view(),
        name="api_crowd_instructions",
    ),
    path(f"{CROWD}/votes/", votes.CrowdVotes.as_view(), name="api_crowd_votes"),
    path(f"{CROWD}/agreement/", results.CrowdAgreement.as_view(), name="api_crowd_agreement"),
    path(f"{CROWD}/posts/", outcomes.CrowdOutcomes.as_view(), name="api_crowd_posts"),
    path(f"{CROWD}/labels/", results.CrowdLabels.as_view(), name="api_crowd_labels"),
    path(f"{CROWD}/agreement/pairs/", results.CrowdPairs.as_view(), name="api_crowd_pairs"),
    path(
        f"{CROWD}/agreement/pairs/<slug:pseudonym>/<slug:other>/",
        results.CrowdPair.as_view(),
        name="api_crowd_pair",
    ),
    path(f"{CROWD}/reports/", results.CrowdReports.as_view(), name="api_crowd_reports"),
    path(f"{CROWD}/label-sets/", labels.LabelSets.as_view(), name="api_crowd_label_sets"),
    path(f"{CROWD}/people/", people.CrowdPeople.as_view(), name="api_crowd_people"),
    path(f"{PERSON}/", people.OnePerson.as_view(), name="api_crowd_person"),
    path(f"{PERSON}/votes/", people.PersonVotes.as_view(), name="api_crowd_person_votes"),
    path(f"{PERSON}/skips/", people.PersonSkips.as_view(), name="api_crowd_person_skips"),
    path(f"{PERSON}/standing/", people.PersonStanding.as_view(), name="api_crowd_person_standing"),
    path(
        f"{PERSON}/requalify/",
        people.PersonRequalify.as_view(),
        name="api_crowd_person_requalify",
    ),
    path(f"{PERSON}/dismiss/", people.PersonDismiss.as_view(), name="api_crowd_person_dismiss"),
    path(f"{CROWD}/estimate/", people.CrowdEstimate.as_view(), name="api_crowd_estimate"),
    path(f"{CROWD}/checks/", checks.Checks.as_view(), name="api_crowd_checks"),
    path(f"{CROWD}/checks/attention/", checks.AttentionPosts.as_view(), name="api_crowd_attention"),
    path(
        f"{CROWD}/batches/<int:number>/checks/",
        checks.BatchChecks.as_view(),
        name="api_crowd_batch_checks",
    ),
    path(f"{CROWD}/rules/", quality.Rules.as_view(), name="api_crowd_rules"),
    path(f"{CROWD}/rules/<int:rule_id>/", quality.OneRule.as_view(), name="api_crowd_rule"),
    path(f"{CROWD}/flags/", quality.Flags.as_view(), name="api_crowd_flags"),
    path(
        f"{CROWD}/flags/<int:flag_id>/settle/",
        quality.FlagSettle.as_view(),
        name="api_crowd_flag_settle",
    ),
    path(
        f"{CROWD}/prescreening/", prescreening.Prescreening.as_view(), name="api_crowd_prescreening"
    ),
    path(
        f"{CROWD}/prescreening/move/",
        prescreening.PrescreeningState.as_view(),
        name="api_crowd_prescreening_move",
    ),
    path(f"{CROWD}/candidates/", prescreening.Candidates.as_view(), name="api_crowd_candidates"),
    path(f"{CANDIDATE}/", prescreening.OneCandidate.as_view(), name="api_crowd_candidate"),
    path(
        f"{CANDIDATE}/decide/",
        prescreening.CandidateDecide.as_view(),
        name="api_crowd_candidate_decide",
    ),
    path(f"{GOLD}/batches/", batches.GoldBatches.as_view(), name="api_gold_batches"),
    path(
        f"{GOLD}/batches/<int:number>/move/",
        batches.GoldBatchMove.as_view(),
        name="api_gold_batch_move",
    ),
    path(f"{GOLD}/batches/<int:number>/", gold.GoldProgress.as_view(), name="api_gold_batch"),
    path(f"{GOLD}/posts/", gold.GoldPosts.as_view(), name="api_gold_posts"),
    path(f"{GOLD}/votes/", votes.GoldVotesOfAll.as_view(), name="api_gold_votes"),
    path(f"{GOLD}/agreement/", results.GoldAgreement.as_view(), name="api_gold_agreement"),
    path(f"{GOLD}/work/next/", work.GoldNext.as_view(), name="api_gold_next"),
    path(f"{GOLD}/work/{ONE}/submit/", work.GoldSubmit.as_view(), name="api_gold_submit"),
    path(f"{GOLD}/work/{ONE}/skip/", work.GoldSkip.as_view(), name="api_gold_skip"),
    path(f"{GOLD}/work/votes/", work.GoldVotes.as_view(), name="api_gold_own_votes"),
    path(f"{GOLD}/work/votes/{ONE}/", work.OneGoldVote.as_view(), name="api_gold_own_vote"),
    path(f"{PAY}/", pay.Pay.as_view(), name="api_pay"),
    path(f"{PAY}/people/", pay.PayPeople.as_view(), name="api_pay_people"),
    path(f"{PAY}/rules/", pay.PayRulesEndpoint.as_view(), name="api_pay_rules"),
    path(f"{PAY}/entries/", pay.PayEntries.as_view(), name="api_pay_entries"),
    path(f"{PAY}/sittings/", pay.PaySittings.as_view(), name="api_pay_sittings"),
    path(f"{PAY}/sittings/approve/", pay.PayApprove.as_view(), name="api_pay_approve"),
    path(f"{PAY}/sittings/{SITTING}/", pay.OnePaySitting.as_view(), name="api_pay_sitting"),
    path(f"{PAY}/sittings/{SITTING}/reject/", pay.PayReject.as_view(), name="api_pay_reject"),
    path(
        f"{PAY}/sittings/{SITTING}/reinstate/",
        pay.PayReinstate.as_view(),
        name="api_pay_reinstate",
    ),
    path(f"{PAY}/disputes/", pay.PayDisputes.as_view(), name="api_pay_disputes"),
    path(
        f"{PAY}/disputes/<int:dispute_id>/answer/",
        pay.PayDisputeAnswer.as_view(),
        name="api_pay_dispute_answer",
    ),
    path(f"{PAY}/payouts/", payouts.Payouts.as_view(), name="api_pay_payouts"),
    path(f"{PAY}/payouts/next/", payouts.PayoutPreviewed.as_view(), name="api_pay_payout_next"),
    path(f"{PAY}/payouts/<int:number>/", payouts.OnePayout.as_view(), name="api_pay_payout"),
    path(f"{PAY}/mturk/", payouts.PayMturk.as_view(), name="api_pay_mturk"),
    path(f"{PAY}/prolific/", payouts.Errands.as_view(), name="api_pay_errands"),
    path(f"{PAY}/prolific/again/", payouts.ErrandsRetry.as_view(), name="api_pay_errands_retry"),
    path(
        f"{PAY}/prolific/<int:errand_id>/",
        payouts.ErrandSettle.as_view(),
        name="api_pay_errand_settle",
    ),
    path(f"{WAYS}/", recruitment.WaysIn.as_view(), name="api_recruitments"),
    path(f"{WAYS}/<int:number>/", recruitment.OneWayIn.as_view(), name="api_recruitment"),
    path(
        f"{WAYS}/<int:number>/move/", recruitment.WayInMove.as_view(), name="api_recruitment_move"
    ),
    path(
        f"{WAYS}/<int:number>/platform/",
        recruitment.WayInPlatform.as_view(),
        name="api_recruitment_platform",
    ),
    path(f"{CROWD}/consent/", consent.ConsentVersions.as_view(), name="api_consent"),
    path(f"{CROWD}/questions/", consent.Questions.as_view(), name="api_questions"),
    path(
        f"{CROWD}/questions/<int:question_id>/retire/",
        consent.QuestionRetire.as_view(),
        name="api_question_retire",
    ),
    path(f"{CROWD}/withdrawals/", consent.Withdrawals.as_view(), name="api_withdrawals"),
]
