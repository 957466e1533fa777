-- Which pull requests get an environment: settings as JSON, only those that differ from the defaults.
alter table projects add column pull_request_rules text not null default '{}';
-- What .service.yml of the default branch says about pull requests, as JSON; it wins over the settings field by field.
alter table projects add column file_rules text not null default '{}';
-- The commit that they were read from; null if they never were.
alter table projects add column file_rules_sha text;
-- 1: the branch may have moved since, so they are to be read again.
alter table projects add column is_file_rules_stale integer not null default 1 check (is_file_rules_stale in (0, 1));
-- What is wrong with the section; then the rules are the last valid ones.
alter table projects add column file_rules_fault text;
alter table projects add column file_expire_after_hours integer check (file_expire_after_hours between 1 and 8760);

-- As JSON; null where the git host has no labels.
alter table pull_requests add column labels text default '[]';
alter table pull_requests add column is_bot integer not null default 0 check (is_bot in (0, 1));
-- What a comment asked for last; it counts more than the rules, until the pull request is closed.
alter table pull_requests add column requested text check (requested in ('start', 'stop'));
-- Which rule gives it no environment, or deploys no new commit of it, as a code and a sentence.
alter table pull_requests add column refusal text;
alter table pull_requests add column refusal_detail text;
alter table pull_requests add column refused_at bigint;
-- The commit whose changed files were compared with the paths last, and what came of it.
alter table pull_requests add column compared_sha text;
alter table pull_requests add column compared_match integer check (compared_match in (0, 1));
create index pull_requests_refused on pull_requests (project_id, refused_at, number) where refusal is not null;

-- The reason as a sentence.
alter table deliveries add column detail text;
