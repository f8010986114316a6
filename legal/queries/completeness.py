"""Which posts have all their votes: figures and verdicts are about these alone."""

from annotation.models.votes import COUNTING

COMPLETE = """NOT EXISTS (
    SELECT FROM annotation_place AS place JOIN annotation_task AS wanting
        ON wanting.id = place.task_id
    WHERE wanting.post_id = {post} AND wanting.stage = 'legal' AND place.filled_at IS NULL)"""

COMPLETE_VOTES = f"""
    SELECT vote.id, vote.label, task.post_id, answer.id AS answer_id, answer.no_claim,
        answer.defence
    FROM annotation_vote AS vote JOIN annotation_task AS task ON task.id = vote.task_id
        LEFT JOIN legal_legalanswer AS answer ON answer.vote_id = vote.id
    WHERE task.batch_id = ANY(%(batches)s) AND {COUNTING} AND {COMPLETE.format(post="task.post_id")}
"""  # noqa: S608 -- constants
