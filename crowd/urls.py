"""Addresses of the crowd stage and of the gold pool."""

from django.urls import include, path

from crowd.views import (
    agreement,
    candidates,
    checks,
    consent,
    consent_text,
    earnings,
    entry,
    errands,
    gold,
    instructions,
    labels,
    outcomes,
    pay,
    payouts,
    people,
    pilot,
    prescreening,
    quality,
    recruitment,
    research,
    reviews,
    work,
)

STUDY = "studies/<slug:slug>"

urlpatterns = [
    path("api/v1/", include("crowd.api.urls")),
    path("join/start/<slug:start>/", entry.join_start, name="join_start"),
    path("join/<slug:token>/", entry.join, name="join"),
    path("join/<slug:token>/hit/", entry.join_hit, name="join_hit"),
    path("return/", entry.return_by_code, name="return_by_code"),
    path(f"{STUDY}/work/", work.work, name="work"),
    path(f"{STUDY}/work/start/", work.start, name="work_start"),
    path(f"{STUDY}/work/leave/", work.leave, name="work_leave"),
    path(f"{STUDY}/work/consent/", consent.work_consent, name="work_consent"),
    path(f"{STUDY}/work/about-you/", consent.work_background, name="work_background"),
    path(f"{STUDY}/work/screened-out/", consent.work_screened_out, name="work_screened_out"),
    path(f"{STUDY}/work/withdraw/", consent.work_withdraw, name="work_withdraw"),
    path(f"{STUDY}/work/done/", work.work_visit, name="work_visit"),
    path(f"{STUDY}/work/return-code/", entry.work_return_code, name="work_return_code"),
    path(f"{STUDY}/work/votes/", work.work_votes, name="work_votes"),
    path(
        f"{STUDY}/work/votes/<int:assignment_id>/",
        work.work_correct,
        name="work_correct",
    ),
    path(f"{STUDY}/work/<int:assignment_id>/", work.work_submit, name="work_submit"),
    path(f"{STUDY}/work/<int:assignment_id>/skip/", work.work_skip, name="work_skip"),
    path(f"{STUDY}/work/<int:assignment_id>/extend/", work.work_extend, name="work_extend"),
    path(f"{STUDY}/work/earnings/", earnings.earnings, name="earnings"),
    path(
        f"{STUDY}/work/earnings/<int:sitting_id>/",
        earnings.earnings_dispute,
        name="earnings_dispute",
    ),
    path(f"{STUDY}/pay/", pay.pay, name="pay"),
    path(f"{STUDY}/pay/rules/", pay.pay_rules, name="pay_rules"),
    path(f"{STUDY}/pay/people/<slug:pseudonym>/", pay.pay_person, name="pay_person"),
    path(
        f"{STUDY}/pay/people/<slug:pseudonym>/new-entry/", pay.pay_entry_new, name="pay_entry_new"
    ),
    path(f"{STUDY}/pay/sittings/", reviews.pay_sittings, name="pay_sittings"),
    path(f"{STUDY}/pay/sittings/approve/", reviews.pay_approve, name="pay_approve"),
    path(f"{STUDY}/pay/sittings/<int:sitting_id>/", reviews.pay_sitting, name="pay_sitting"),
    path(f"{STUDY}/pay/sittings/<int:sitting_id>/reject/", reviews.pay_reject, name="pay_reject"),
    path(
        f"{STUDY}/pay/sittings/<int:sitting_id>/reinstate/",
        reviews.pay_reinstate,
        name="pay_reinstate",
    ),
    path(f"{STUDY}/pay/disputes/", reviews.pay_disputes, name="pay_disputes"),
    path(f"{STUDY}/pay/disputes/<int:dispute_id>/", reviews.pay_dispute, name="pay_dispute"),
    path(f"{STUDY}/pay/prolific/", errands.pay_errands, name="pay_errands"),
    path(f"{STUDY}/pay/prolific/again/", errands.pay_errands_retry, name="pay_errands_retry"),
    path(
        f"{STUDY}/pay/prolific/<int:errand_id>/",
        errands.pay_errand_settle,
        name="pay_errand_settle",
    ),
    path(f"{STUDY}/pay/payouts/", payouts.pay_payouts, name="pay_payouts"),
    path(f"{STUDY}/pay/payouts/new/", payouts.pay_payout_new, name="pay_payout_new"),
    path(f"{STUDY}/pay/payouts/<int:number>/", payouts.pay_payout, name="pay_payout"),
    path(
        f"{STUDY}/pay/payouts/<int:number>/<str:name>",
        payouts.pay_payout_file,
        name="pay_payout_file",
    ),
    path(f"{STUDY}/pay/mturk/<str:name>", payouts.pay_mturk_file, name="pay_mturk_file"),
    path(f"{STUDY}/prescreening/", prescreening.prescreening, name="prescreening"),
    path(
        f"{STUDY}/prescreening/start/", prescreening.prescreening_start, name="prescreening_start"
    ),
    path(f"{STUDY}/prescreening/test/", prescreening.prescreening_test, name="prescreening_test"),
    path(
        f"{STUDY}/prescreening/votes/", prescreening.prescreening_votes, name="prescreening_votes"
    ),
    path(
        f"{STUDY}/prescreening/votes/<int:assignment_id>/",
        prescreening.prescreening_correct,
        name="prescreening_correct",
    ),
    path(
        f"{STUDY}/prescreening/test/<int:assignment_id>/",
        prescreening.prescreening_submit,
        name="prescreening_submit",
    ),
    path(
        f"{STUDY}/prescreening/test/<int:assignment_id>/skip/",
        prescreening.prescreening_skip,
        name="prescreening_skip",
    ),
    path(
        f"{STUDY}/prescreening/test/<int:assignment_id>/extend/",
        prescreening.prescreening_extend,
        name="prescreening_extend",
    ),
    path(f"{STUDY}/crowd/prescreening/", candidates.crowd_prescreening, name="crowd_prescreening"),
    path(
        f"{STUDY}/crowd/prescreening/rules/",
        candidates.crowd_prescreening_rules,
        name="crowd_prescreening_rules",
    ),
    path(
        f"{STUDY}/crowd/prescreening/move/",
        candidates.crowd_prescreening_move,
        name="crowd_prescreening_move",
    ),
    path(
        f"{STUDY}/crowd/prescreening/people/<slug:pseudonym>/",
        candidates.crowd_candidate,
        name="crowd_candidate",
    ),
    path(
        f"{STUDY}/crowd/prescreening/people/<slug:pseudonym>/decide/",
        candidates.crowd_candidate_decide,
        name="crowd_candidate_decide",
    ),
    path(f"{STUDY}/crowd/", research.crowd, name="crowd"),
    path(f"{STUDY}/crowd/reports/", research.crowd_reports, name="crowd_reports"),
    path(f"{STUDY}/crowd/posts/", research.crowd_posts, name="crowd_posts"),
    path(f"{STUDY}/crowd/posts/<str:name>", outcomes.crowd_posts_file, name="crowd_posts_file"),
    path(
        f"{STUDY}/crowd/instructions/", instructions.crowd_instructions, name="crowd_instructions"
    ),
    path(
        f"{STUDY}/crowd/instructions/edit/",
        instructions.crowd_instructions_edit,
        name="crowd_instructions_edit",
    ),
    path(f"{STUDY}/crowd/labels/", labels.crowd_labels, name="crowd_labels"),
    path(f"{STUDY}/crowd/labels/edit/", labels.crowd_labels_edit, name="crowd_labels_edit"),
    path(f"{STUDY}/crowd/consent/", consent_text.consent, name="consent"),
    path(f"{STUDY}/crowd/consent/edit/", consent_text.consent_edit, name="consent_edit"),
    path(f"{STUDY}/crowd/consent/new-question/", consent_text.question_new, name="question_new"),
    path(
        f"{STUDY}/crowd/consent/questions/<int:question_id>/retire/",
        consent_text.question_retire,
        name="question_retire",
    ),
    path(f"{STUDY}/recruitment/", recruitment.recruitments, name="recruitments"),
    path(f"{STUDY}/recruitment/new/", recruitment.recruitment_new, name="recruitment_new"),
    path(f"{STUDY}/recruitment/<int:number>/", recruitment.recruitment, name="recruitment"),
    path(
        f"{STUDY}/recruitment/<int:number>/move/",
        recruitment.recruitment_move,
        name="recruitment_move",
    ),
    path(
        f"{STUDY}/recruitment/<int:number>/platform/",
        recruitment.recruitment_platform,
        name="recruitment_platform",
    ),
    path(f"{STUDY}/crowd/new-batch/", research.crowd_batch_new, name="crowd_batch_new"),
    path(f"{STUDY}/crowd/batches/<int:number>/", research.crowd_batch, name="crowd_batch"),
    path(f"{STUDY}/crowd/batches/<int:number>/pilot/", pilot.crowd_pilot, name="crowd_pilot"),
    path(
        f"{STUDY}/crowd/batches/<int:number>/pilot/<int:position>/",
        pilot.crowd_pilot_post,
        name="crowd_pilot_post",
    ),
    path(
        f"{STUDY}/crowd/batches/<int:number>/pilot/<int:position>/skip/",
        pilot.crowd_pilot_skip,
        name="crowd_pilot_skip",
    ),
    path(
        f"{STUDY}/crowd/batches/<int:number>/move/",
        research.crowd_batch_move,
        name="crowd_batch_move",
    ),
    path(f"{STUDY}/crowd/checks/", checks.crowd_checks, name="crowd_checks"),
    path(
        f"{STUDY}/crowd/checks/attention/", checks.crowd_attention_new, name="crowd_attention_new"
    ),
    path(
        f"{STUDY}/crowd/batches/<int:number>/checks/",
        checks.crowd_check_share,
        name="crowd_check_share",
    ),
    path(f"{STUDY}/crowd/rules/", quality.crowd_rules, name="crowd_rules"),
    path(f"{STUDY}/crowd/rules/<int:rule_id>/", quality.crowd_rule, name="crowd_rule"),
    path(
        f"{STUDY}/crowd/flags/<int:flag_id>/",
        quality.crowd_flag_settle,
        name="crowd_flag_settle",
    ),
    path(f"{STUDY}/crowd/agreement/", agreement.crowd_agreement, name="crowd_agreement"),
    path(
        f"{STUDY}/crowd/agreement/<slug:pseudonym>/<slug:other>/",
        agreement.crowd_pair,
        name="crowd_pair",
    ),
    path(f"{STUDY}/crowd/people/", people.crowd_people, name="crowd_people"),
    path(f"{STUDY}/crowd/people.csv", people.crowd_people_file, name="crowd_people_file"),
    path(f"{STUDY}/crowd/estimate/", people.crowd_estimate, name="crowd_estimate"),
    path(f"{STUDY}/crowd/people/<slug:pseudonym>/", people.crowd_person, name="crowd_person"),
    path(
        f"{STUDY}/crowd/people/<slug:pseudonym>/standing/",
        people.crowd_person_standing,
        name="crowd_person_standing",
    ),
    path(
        f"{STUDY}/crowd/people/<slug:pseudonym>/requalify/",
        people.crowd_person_requalify,
        name="crowd_person_requalify",
    ),
    path(
        f"{STUDY}/crowd/people/<slug:pseudonym>/dismiss/",
        people.crowd_person_dismiss,
        name="crowd_person_dismiss",
    ),
    path(f"{STUDY}/gold/", gold.gold, name="gold"),
    path(f"{STUDY}/gold/new-batch/", gold.gold_batch_new, name="gold_batch_new"),
    path(f"{STUDY}/gold/batches/<int:number>/move/", gold.gold_batch_move, name="gold_batch_move"),
    path(
        f"{STUDY}/gold/batches/<int:number>/close/", gold.gold_batch_close, name="gold_batch_close"
    ),
    path(f"{STUDY}/gold/work/", gold.gold_work, name="gold_work"),
    path(f"{STUDY}/gold/votes/", gold.gold_votes, name="gold_votes"),
    path(f"{STUDY}/gold/votes/<int:assignment_id>/", gold.gold_correct, name="gold_correct"),
    path(f"{STUDY}/gold/work/<int:assignment_id>/", gold.gold_submit, name="gold_submit"),
    path(f"{STUDY}/gold/work/<int:assignment_id>/skip/", gold.gold_skip, name="gold_skip"),
]
