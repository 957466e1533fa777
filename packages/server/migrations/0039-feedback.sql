-- Check runs at GitHub, what people asked for with their buttons, and deployments that wait for the checks of their commit.

-- When somebody restarted the time until it expires.
alter table environments add column extended_at bigint;

create table check_runs (
  environment_id bigint not null references environments (id) on delete cascade,
  commit_sha text not null,
  -- GitHub's id of it.
  host_id text not null,
  -- 1: it has annotations, which GitHub never takes away. The next deployment of the commit gets a new one.
  has_annotations integer not null default 0 check (has_annotations in (0, 1)),
  primary key (environment_id, commit_sha)
);
create index check_runs_host_id on check_runs (host_id);

-- Carried out once GitHub has confirmed that the sender may write to the repository.
create table check_requests (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  environment_id bigint not null references environments (id) on delete cascade,
  commit_sha text not null,
  action text not null check (action in ('approve', 'redeploy', 'extend')),
  sender text not null,
  -- The delivery that it came with, which shows the outcome.
  delivery_id bigint references deliveries (id) on delete set null,
  attempts integer not null default 0,
  next_at bigint not null default 0,
  last_error text,
  created_at bigint not null
);
create index check_requests_next_at on check_requests (next_at, id);
create index check_requests_project_id on check_requests (project_id);
create index check_requests_environment_id on check_requests (environment_id);
create index check_requests_delivery_id on check_requests (delivery_id);

-- `checks`: a push or a pull request is deployed when the checks of its commit are green. Null: at once.
alter table projects add column deploy_after text check (deploy_after in ('checks'));
-- JSON list of names; empty: the required ones, or all that are reported.
alter table projects add column deploy_after_checks text not null default '[]';
-- Null: the default.
alter table projects add column deploy_after_minutes integer check (deploy_after_minutes between 1 and 1440);

-- Commits whose checks are not green yet. A row stays after a failure, until the environment gets another commit.
create table check_waits (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  environment_id bigint not null references environments (id) on delete cascade,
  commit_sha text not null,
  cause text not null check (cause in ('push', 'pull_request')),
  state text not null default 'waiting' check (state in ('waiting', 'failed', 'timed_out')),
  -- JSON list of names; empty until the required ones are known, and where all count.
  names text not null,
  -- 1: the git host was asked which checks are required.
  is_resolved integer not null default 0 check (is_resolved in (0, 1)),
  -- JSON list: those that were not green when they were last looked at; after a failure, the one that failed.
  open_checks text not null default '[]',
  -- Since when all that are reported are green.
  green_since bigint,
  since bigint not null,
  deadline_at bigint not null,
  attempts integer not null default 0,
  -- By the clock of the database: when they are looked at next, or until when a process is at it.
  next_at bigint not null default 0,
  last_error text
);
create unique index check_waits_environment_id_unique on check_waits (environment_id);
create index check_waits_next_at on check_waits (next_at, id);
create index check_waits_project_id on check_waits (project_id);
