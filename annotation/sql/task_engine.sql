-- The task engine: hands out tasks and takes votes, each in one statement of the database.
--
-- Exact overlap needs no trust in this file: unique constraints hold it (annotation/models/tasks.py).
-- What stands here makes it quick, and makes it fair. docs/task-engine.md tells the whole story.
--
-- Two rules keep every function free of deadlocks and of races:
--   1. A person's requests queue up behind their own row of annotation_standing, locked first.
--   2. All that makes a place free stands on its own row, and a row is locked before it is taken. Nobody
--      waits for another person's place: whoever counts or numbers the places of a post locks its task.
-- Time is the database's. Leases go by clock_timestamp(): what is free is free now, also for a transaction
-- that began a while ago.
--
-- Whoever changes this file adds a migration that installs it again.

-- What a person gets: a task in their hands until `until`, or in `nothing` the reason for none.
DROP TYPE IF EXISTS annotation_offer CASCADE;
CREATE TYPE annotation_offer AS (
    nothing text,
    until timestamptz,
    assignment_id bigint,
    task_id bigint,
    opened_at timestamptz,
    sitting_id bigint,
    sitting_votes integer,
    sitting_seconds double precision
);

-- What became of an answer: `outcome` is new, known, or why it was refused.
DROP TYPE IF EXISTS annotation_receipt CASCADE;
CREATE TYPE annotation_receipt AS (
    outcome text,
    vote_id bigint,
    task_id bigint,
    label text,
    version integer,
    counted boolean,
    sitting_id bigint
);


-- The stages of the tasks that somebody has who works at a stage: checks stand among the crowd's posts.
CREATE OR REPLACE FUNCTION annotation_worked_at(p_stage text)
RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_stage = 'crowd' THEN '{crowd,check}' ELSE ARRAY[p_stage] END
$$;


-- Lock how a person stands at a stage. The row is made at the first visit.
CREATE OR REPLACE FUNCTION annotation_lock_standing(p_member bigint, p_stage text)
RETURNS annotation_standing LANGUAGE plpgsql AS $$
DECLARE
    standing annotation_standing;
BEGIN
    LOOP
        SELECT * INTO standing FROM annotation_standing
        WHERE member_id = p_member AND stage = p_stage FOR UPDATE;
        IF FOUND THEN
            RETURN standing;
        END IF;
        INSERT INTO annotation_standing (member_id, stage, state, votes, votes_on_day)
        VALUES (p_member, p_stage, 'active', 0, 0) ON CONFLICT DO NOTHING;
    END LOOP;
END $$;


-- Put a task into a person's hands.
CREATE OR REPLACE FUNCTION annotation_hand_out(
    p_member bigint, p_task bigint, p_sitting annotation_sitting, p_until timestamptz
) RETURNS annotation_offer LANGUAGE plpgsql AS $$
DECLARE
    offer annotation_offer;
BEGIN
    INSERT INTO annotation_assignment AS mine
        (member_id, task_id, sitting_id, state, skip_reason, opened_at)
    VALUES (p_member, p_task, (p_sitting).id, 'held', '', now())
    ON CONFLICT (member_id, task_id) DO UPDATE
        SET state = 'held', sitting_id = excluded.sitting_id, opened_at = now(), ended_at = NULL
    RETURNING mine.id INTO offer.assignment_id;
    offer.task_id := p_task;
    offer.opened_at := now();
    offer.until := p_until;
    offer.sitting_id := (p_sitting).id;
    offer.sitting_votes := (p_sitting).votes;
    offer.sitting_seconds := (p_sitting).active_seconds;
    RETURN offer;
END $$;


-- Try to take a free place; false when somebody else was quicker, or locks it at this moment.
-- Whoever let it lapse before loses it.
CREATE OR REPLACE FUNCTION annotation_take_place(p_member bigint, p_place bigint, p_until timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    place annotation_place;
BEGIN
    SELECT * INTO place FROM annotation_place
    WHERE id = p_place AND filled_at IS NULL AND (lease_until IS NULL OR lease_until <= clock_timestamp())
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE annotation_place SET member_id = p_member, lease_until = p_until WHERE id = p_place;
    IF place.member_id <> p_member THEN
        UPDATE annotation_assignment SET state = 'lapsed', ended_at = place.lease_until
        WHERE member_id = place.member_id AND task_id = place.task_id AND state IN ('held', 'parked');
    END IF;
    RETURN true;
END $$;


-- What a person holds already, on whatever device, with a fresh lease. A lapsed lease that nobody
-- took is renewed; an assignment whose place is gone has lapsed.
CREATE OR REPLACE FUNCTION annotation_held_task(
    p_member bigint, p_stages text[], p_until timestamptz
) RETURNS annotation_offer LANGUAGE plpgsql AS $$
DECLARE
    held record;
    offer annotation_offer;
BEGIN
    FOR held IN
        SELECT mine.id, mine.task_id, mine.opened_at, mine.sitting_id, sitting.votes, sitting.active_seconds,
            task.kind
        FROM annotation_assignment AS mine
        JOIN annotation_task AS task ON task.id = mine.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id
        LEFT JOIN annotation_sitting AS sitting ON sitting.id = mine.sitting_id
        WHERE mine.member_id = p_member AND mine.state = 'held'
            AND task.stage = ANY (p_stages) AND batch.state = 'open'
        ORDER BY mine.id
    LOOP
        UPDATE annotation_place SET lease_until = p_until
        WHERE task_id = held.task_id AND member_id = p_member AND filled_at IS NULL;
        IF FOUND OR held.kind = 'open' THEN
            offer.assignment_id := held.id;
            offer.task_id := held.task_id;
            offer.opened_at := held.opened_at;
            offer.until := p_until;
            offer.sitting_id := held.sitting_id;
            offer.sitting_votes := held.votes;
            offer.sitting_seconds := held.active_seconds;
            RETURN offer;
        END IF;
        UPDATE annotation_assignment SET state = 'lapsed', ended_at = now() WHERE id = held.id;
    END LOOP;
    RETURN offer;
END $$;


-- The place of a batch that came back longest ago and may be this person's: given back, lapsed, or
-- made anew. They go first, because their posts are partly voted on. Everything that came back before
-- `returned_to` was looked at by this person; what is looked at moves it on, so the search never grows.
CREATE OR REPLACE FUNCTION annotation_come_back(
    p_member bigint, p_cursor annotation_cursor, p_until timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    -- What came back within the last moments may still be followed by an earlier one, whose
    -- transaction has not ended.
    moment CONSTANT timestamptz := clock_timestamp();
    settled CONSTANT timestamptz := moment - interval '10 seconds';
    begun_after CONSTANT timestamptz := coalesce(p_cursor.returned_to, '-infinity');
    passed timestamptz := begun_after;
    passed_id bigint := p_cursor.returned_id;
    found_task bigint;
    all_are_mine boolean := true;
    candidate record;
BEGIN
    FOR candidate IN
        SELECT place.id, place.task_id, place.lease_until, EXISTS (
            SELECT FROM annotation_assignment AS mine
            WHERE mine.member_id = p_member AND mine.task_id = place.task_id
                AND mine.state IN ('submitted', 'skipped')) AS is_mine, EXISTS (
            -- Beside a place that is kept for them: what they parked.
            SELECT FROM annotation_place AS own
            WHERE own.member_id = p_member AND own.task_id = place.task_id AND own.id <> place.id
            ) AS is_beside
        FROM annotation_place AS place
        WHERE place.batch_id = p_cursor.batch_id AND place.filled_at IS NULL
            AND (place.lease_until, place.id) > (begun_after, p_cursor.returned_id)
            AND place.lease_until <= moment
        ORDER BY place.lease_until, place.id
    LOOP
        IF candidate.is_mine THEN
            IF all_are_mine AND candidate.lease_until < settled THEN
                passed := candidate.lease_until;
                passed_id := candidate.id;
            END IF;
        ELSIF NOT candidate.is_beside
            AND annotation_take_place(p_member, candidate.id, p_until)
        THEN
            found_task := candidate.task_id;
            EXIT;
        ELSE
            all_are_mine := false;
        END IF;
    END LOOP;
    IF (passed, passed_id) > (begun_after, p_cursor.returned_id) THEN
        UPDATE annotation_cursor SET returned_to = passed, returned_id = passed_id
        WHERE id = p_cursor.id;
    END IF;
    RETURN found_task;
END $$;


-- The next untouched place beyond a person's cursor. Everything behind it was offered to them once,
-- so nobody's history is searched.
CREATE OR REPLACE FUNCTION annotation_go_on(
    p_member bigint, p_cursor annotation_cursor, p_until timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found_place annotation_place;
BEGIN
    SELECT place.* INTO found_place FROM annotation_place AS place
    WHERE place.batch_id = p_cursor.batch_id AND place.position > p_cursor.position
        AND place.filled_at IS NULL AND place.lease_until IS NULL
        AND NOT EXISTS (
            SELECT FROM annotation_assignment AS mine
            WHERE mine.member_id = p_member AND mine.task_id = place.task_id)
    ORDER BY place.position, place.number
    FOR UPDATE OF place SKIP LOCKED LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE annotation_place SET member_id = p_member, lease_until = p_until
    WHERE id = found_place.id;
    UPDATE annotation_cursor SET position = found_place.position WHERE id = p_cursor.id;
    RETURN found_place.task_id;
END $$;


-- A transaction that locked a place and then failed leaves it untouched behind the cursors of those
-- who passed meanwhile. Before somebody hears that there is nothing, a stretch of what lies behind is
-- looked through, and the next time the stretch after it.
CREATE OR REPLACE FUNCTION annotation_look_behind(
    p_member bigint, p_cursor annotation_cursor, p_until timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    stretch CONSTANT integer := 200;
    seen integer := 0;
    reached bigint := 0;
    candidate record;
BEGIN
    FOR candidate IN
        SELECT place.id, place.task_id, place.position, EXISTS (
            SELECT FROM annotation_assignment AS mine
            WHERE mine.member_id = p_member AND mine.task_id = place.task_id) AS is_mine
        FROM annotation_place AS place
        WHERE place.batch_id = p_cursor.batch_id AND place.position > p_cursor.looked_to
            AND place.position <= p_cursor.position
            AND place.filled_at IS NULL AND place.lease_until IS NULL
        ORDER BY place.position, place.number LIMIT stretch
    LOOP
        seen := seen + 1;
        reached := candidate.position - 1;  -- places of one task may be parted by the limit
        IF NOT candidate.is_mine AND annotation_take_place(p_member, candidate.id, p_until) THEN
            RETURN candidate.task_id;
        END IF;
    END LOOP;
    IF seen < stretch THEN
        reached := 0;
    ELSIF reached <= p_cursor.looked_to THEN
        reached := p_cursor.looked_to + 1;
    END IF;
    IF reached <> p_cursor.looked_to THEN
        UPDATE annotation_cursor SET looked_to = reached WHERE id = p_cursor.id;
    END IF;
    RETURN NULL;
END $$;


-- The next open task beyond a person's cursor, for what everybody answers once (gold).
CREATE OR REPLACE FUNCTION annotation_next_open(p_cursor annotation_cursor)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found_task annotation_task;
BEGIN
    SELECT task.* INTO found_task FROM annotation_task AS task
    WHERE task.batch_id = p_cursor.batch_id AND task.position > p_cursor.position
    ORDER BY task.position LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE annotation_cursor SET position = found_task.position WHERE id = p_cursor.id;
    RETURN found_task.id;
END $$;


-- Why there is nothing for a person in the batches given. What they parked is not held by others.
CREATE OR REPLACE FUNCTION annotation_why_nothing(
    p_member bigint, p_study bigint, p_stage text, p_batches bigint[]
) RETURNS annotation_offer LANGUAGE plpgsql AS $$
DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    offer annotation_offer;
BEGIN
    IF p_batches IS NULL THEN
        offer.nothing := CASE WHEN EXISTS (
            SELECT FROM annotation_batch
            WHERE study_id = p_study AND stage = p_stage AND state = 'paused'
        ) THEN 'paused' ELSE 'no_batch' END;
        RETURN offer;
    END IF;
    SELECT min(place.lease_until) INTO offer.until FROM annotation_place AS place
    WHERE place.batch_id = ANY (p_batches) AND place.filled_at IS NULL AND place.lease_until > moment
        AND NOT EXISTS (
            SELECT FROM annotation_assignment AS mine
            WHERE mine.member_id = p_member AND mine.task_id = place.task_id
                AND mine.state IN ('submitted', 'skipped', 'parked'));
    offer.nothing := CASE WHEN offer.until IS NULL THEN 'done' ELSE 'held' END;
    RETURN offer;
END $$;


-- Give a person what they hold already, else the next task, else the reason for none. The crowd and
-- its candidates work in sittings; without an open one they get nothing.
CREATE OR REPLACE FUNCTION annotation_take_task(p_member bigint, p_stage text)
RETURNS annotation_offer LANGUAGE plpgsql AS $$
DECLARE
    standing annotation_standing;
    study record;
    sitting annotation_sitting;
    my_cursor annotation_cursor;
    offer annotation_offer;
    lease_end timestamptz;
    next_task bigint;
    batches bigint[];
    one_batch bigint;
BEGIN
    standing := annotation_lock_standing(p_member, p_stage);
    SELECT found.id, found.state, protocol.lease_minutes, protocol.person_limit, protocol.daily_cap
    INTO study
    FROM annotation_member AS member
    JOIN annotation_study AS found ON found.id = member.study_id
    JOIN annotation_protocol AS protocol ON protocol.study_id = found.id
    WHERE member.id = p_member;
    lease_end := clock_timestamp() + make_interval(mins => study.lease_minutes);

    IF study.state <> 'active' THEN
        offer.nothing := study.state;
        RETURN offer;
    END IF;
    IF standing.state <> 'active' THEN
        offer.nothing := 'you_' || standing.state;
        RETURN offer;
    END IF;

    offer := annotation_held_task(p_member, annotation_worked_at(p_stage), lease_end);
    IF offer.assignment_id IS NOT NULL THEN
        RETURN offer;
    END IF;

    IF p_stage = 'crowd' THEN
        offer.nothing := CASE
            WHEN standing.votes >= study.person_limit THEN 'limit'
            WHEN standing.day = (now() AT TIME ZONE 'UTC')::date
                AND standing.votes_on_day >= study.daily_cap THEN 'daily_cap'
        END;
        IF offer.nothing IS NOT NULL THEN
            RETURN offer;
        END IF;
    END IF;

    IF p_stage IN ('crowd', 'prescreening') THEN
        SELECT * INTO sitting FROM annotation_sitting
        WHERE member_id = p_member AND stage = p_stage AND state = 'open';
        IF NOT FOUND THEN
            offer.nothing := 'no_sitting';
            RETURN offer;
        END IF;
        -- A test is nothing but its slots: one that is skipped is followed by the next.
        SELECT slot.task_id INTO next_task FROM annotation_sittingslot AS slot
        JOIN annotation_task AS task ON task.id = slot.task_id
        JOIN annotation_batch AS batch ON batch.id = task.batch_id AND batch.state = 'open'
        WHERE slot.sitting_id = sitting.id
            AND (p_stage = 'prescreening' OR slot.number <= sitting.votes + 1)
            AND NOT EXISTS (
                SELECT FROM annotation_assignment AS mine
                WHERE mine.member_id = p_member AND mine.task_id = slot.task_id
                    AND mine.state IN ('submitted', 'skipped'))
        ORDER BY slot.number LIMIT 1;
        IF next_task IS NOT NULL THEN
            RETURN annotation_hand_out(p_member, next_task, sitting, lease_end);
        END IF;
    END IF;

    FOR one_batch IN
        SELECT id FROM annotation_batch
        WHERE study_id = study.id AND stage = p_stage AND state = 'open' ORDER BY number
    LOOP
        batches := batches || one_batch;
        CONTINUE WHEN p_stage = 'prescreening';  -- its posts are drawn when a test begins
        SELECT * INTO my_cursor FROM annotation_cursor
        WHERE member_id = p_member AND batch_id = one_batch;
        IF NOT FOUND THEN
            INSERT INTO annotation_cursor (member_id, batch_id, position, returned_id, looked_to)
            VALUES (p_member, one_batch, 0, 0, 0) RETURNING * INTO my_cursor;
        END IF;
        IF p_stage = 'gold' THEN
            next_task := annotation_next_open(my_cursor);
        ELSE
            next_task := coalesce(
                annotation_come_back(p_member, my_cursor, lease_end),
                annotation_go_on(p_member, my_cursor, lease_end)
            );
            IF next_task IS NULL THEN
                next_task := annotation_look_behind(p_member, my_cursor, lease_end);
            END IF;
        END IF;
        IF next_task IS NOT NULL THEN
            RETURN annotation_hand_out(p_member, next_task, sitting, lease_end);
        END IF;
    END LOOP;
    RETURN annotation_why_nothing(p_member, study.id, p_stage, batches);
END $$;


-- While the current votes of a post have no majority and all its places are filled, one more place is
-- made, up to `tie_votes`; an unfilled one is taken away again when a correction made a majority.
-- Votes on one post that come at once look one after the other, by the task's row: the last sees all.
CREATE OR REPLACE FUNCTION annotation_settle_tie(p_task bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    task record;
    places record;
    ahead record;
BEGIN
    SELECT found.batch_id, found.position, batch.votes_wanted, protocol.tie_votes INTO task
    FROM annotation_task AS found
    JOIN annotation_batch AS batch ON batch.id = found.batch_id
    JOIN annotation_protocol AS protocol ON protocol.study_id = batch.study_id
    WHERE found.id = p_task AND found.kind = 'closed' AND found.stage = 'crowd'
        AND batch.state <> 'closed';
    IF NOT FOUND OR task.tie_votes = 0 THEN
        RETURN;
    END IF;
    PERFORM FROM annotation_task WHERE id = p_task FOR NO KEY UPDATE;
    SELECT count(*) FILTER (WHERE vacated_at IS NULL) AS standing, max(number) AS last,
        count(*) FILTER (WHERE filled_at IS NULL) AS unfilled,
        min(id) FILTER (WHERE number > task.votes_wanted AND filled_at IS NULL
            AND (lease_until IS NULL OR lease_until <= clock_timestamp())) AS spare
    INTO places FROM annotation_place WHERE task_id = p_task;
    SELECT max(votes) AS most, sum(votes) AS votes INTO ahead FROM (
        SELECT count(*) AS votes FROM (
            SELECT DISTINCT ON (vote.member_id) vote.label
            FROM annotation_vote AS vote JOIN annotation_place AS place ON place.id = vote.place_id
            WHERE vote.task_id = p_task AND vote.counted AND place.vacated_at IS NULL
            ORDER BY vote.member_id, vote.version DESC
        ) AS current GROUP BY label
    ) AS by_label;
    IF ahead.most * 2 > ahead.votes THEN
        DELETE FROM annotation_place WHERE places.standing > task.votes_wanted AND id = (
            SELECT id FROM annotation_place
            WHERE id = places.spare AND filled_at IS NULL
                AND (lease_until IS NULL OR lease_until <= clock_timestamp())
            FOR UPDATE SKIP LOCKED
        );
    ELSIF places.unfilled = 0 AND places.standing < task.votes_wanted + task.tie_votes THEN
        INSERT INTO annotation_place (task_id, batch_id, position, number, lease_until)
        VALUES (p_task, task.batch_id, task.position, places.last + 1, clock_timestamp());
    END IF;
END $$;


-- Fill the place that a person holds, or another free one of the same post: an answer that comes after
-- its lease was given to somebody else counts as long as the post has room.
CREATE OR REPLACE FUNCTION annotation_fill_place(p_member bigint, p_task bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    filled bigint;
BEGIN
    UPDATE annotation_place SET filled_at = now(), lease_until = NULL
    WHERE task_id = p_task AND member_id = p_member AND filled_at IS NULL
    RETURNING id INTO filled;
    IF filled IS NULL THEN
        SELECT place.id INTO filled FROM annotation_place AS place
        WHERE place.task_id = p_task AND place.filled_at IS NULL
            AND (place.lease_until IS NULL OR place.lease_until <= clock_timestamp())
        ORDER BY place.number FOR UPDATE SKIP LOCKED LIMIT 1;
        UPDATE annotation_place SET member_id = p_member, filled_at = now(), lease_until = NULL
        WHERE id = filled;
    END IF;
    RETURN filled;
END $$;


-- Take a first vote. The same assignment sent again gives the vote that is there.
CREATE OR REPLACE FUNCTION annotation_submit_vote(
    p_member bigint, p_stage text, p_assignment bigint,
    p_label text, p_seconds double precision, p_guide integer
) RETURNS annotation_receipt LANGUAGE plpgsql AS $$
DECLARE
    standing annotation_standing;
    mine record;
    receipt annotation_receipt;
    place bigint;
    today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
    standing := annotation_lock_standing(p_member, p_stage);
    SELECT held.id, held.task_id, held.sitting_id, task.kind, batch.state, batch.labels,
        study.state AS study_state INTO mine
    FROM annotation_assignment AS held
    JOIN annotation_task AS task ON task.id = held.task_id
    JOIN annotation_batch AS batch ON batch.id = task.batch_id
    JOIN annotation_study AS study ON study.id = batch.study_id
    WHERE held.id = p_assignment AND held.member_id = p_member
        AND task.stage = ANY (annotation_worked_at(p_stage));
    IF NOT FOUND THEN
        receipt.outcome := 'not_yours';
        RETURN receipt;
    END IF;
    receipt.task_id := mine.task_id;
    receipt.sitting_id := mine.sitting_id;
    SELECT vote.id, vote.label, vote.version, vote.counted
    INTO receipt.vote_id, receipt.label, receipt.version, receipt.counted
    FROM annotation_vote AS vote
    WHERE vote.task_id = mine.task_id AND vote.member_id = p_member
    ORDER BY vote.version DESC LIMIT 1;
    receipt.outcome := CASE
        WHEN p_label <> ALL (mine.labels) THEN 'no_such_label'
        WHEN receipt.vote_id IS NOT NULL THEN 'known'
        WHEN mine.study_state = 'archived' THEN 'archived'
        WHEN mine.state = 'closed' THEN 'closed'
        WHEN standing.state <> 'active' THEN 'you_' || standing.state
        ELSE 'new'
    END;
    IF receipt.outcome <> 'new' THEN
        RETURN receipt;
    END IF;

    IF mine.kind = 'closed' THEN
        place := annotation_fill_place(p_member, mine.task_id);
    END IF;
    receipt.counted := mine.kind = 'open' OR place IS NOT NULL;
    INSERT INTO annotation_vote AS vote (task_id, member_id, place_id, version, label, counted,
        seconds, guide_version, created_at)
    VALUES (mine.task_id, p_member, place, 1, p_label, receipt.counted,
        p_seconds, p_guide, now())
    RETURNING vote.id, vote.label, vote.version INTO receipt.vote_id, receipt.label, receipt.version;
    UPDATE annotation_assignment SET state = 'submitted', ended_at = now() WHERE id = mine.id;
    UPDATE annotation_standing SET votes = votes + 1, day = today,
        votes_on_day = CASE WHEN day = today THEN votes_on_day + 1 ELSE 1 END
    WHERE id = standing.id;
    UPDATE annotation_sitting SET votes = votes + 1,
        active_seconds = active_seconds + coalesce(p_seconds, 0),
        state = CASE WHEN votes + 1 = size THEN 'complete' ELSE 'open' END,
        ended_at = CASE WHEN votes + 1 = size THEN now() END
    WHERE id = mine.sitting_id AND state = 'open';
    IF place IS NOT NULL THEN
        PERFORM annotation_settle_tie(mine.task_id);
    END IF;
    RETURN receipt;
END $$;


-- Take a vote and hand out the next task, in one round trip. Only an answer that stands is followed by
-- another post; a sitting that is complete is not.
CREATE OR REPLACE FUNCTION annotation_vote_and_go_on(
    p_member bigint, p_stage text, p_assignment bigint,
    p_label text, p_seconds double precision, p_guide integer,
    OUT receipt annotation_receipt, OUT offer annotation_offer
) LANGUAGE plpgsql AS $$
BEGIN
    receipt := annotation_submit_vote(p_member, p_stage, p_assignment, p_label, p_seconds, p_guide);
    IF receipt.outcome IN ('new', 'known') AND receipt.label = p_label THEN
        offer := annotation_take_task(p_member, p_stage);
    END IF;
END $$;
