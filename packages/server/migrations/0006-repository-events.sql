-- What git hosts tell, what is remembered of it, and what is told back to them.

-- 1 while the project takes the secret that all projects shared before each had its own; see SHIPWAY_WEBHOOK_SECRET.
alter table projects add column shares_webhook_secret integer not null default 0
  check (shares_webhook_secret in (0, 1));
-- The git host's own id of the repository, once a delivery has named it together with the project's address.
alter table projects add column repository_external_id text;
-- For the API of the git host.
alter table projects add column host_token_sealed text;
-- When its pull requests were last compared with those of the git host.
alter table projects add column reconciled_at bigint not null default 0;

-- 1: the commits are a stranger's, so they are deployed by approval alone, without variables and without the manual recipe.
alter table environments add column is_fork integer not null default 0 check (is_fork in (0, 1));

-- The last deliveries of each project, for people to look at.
create table deliveries (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  delivery_id text not null,
  event text not null,
  verdict text not null check (verdict in ('accepted', 'duplicate', 'ignored', 'refused')),
  reason text,
  received_at bigint not null
);
create index deliveries_project_id on deliveries (project_id, id);

-- What was taken once is never taken again; kept for longer than the deliveries are shown.
create table delivery_ids (
  project_id bigint not null references projects (id) on delete cascade,
  delivery_id text not null,
  received_at bigint not null,
  primary key (project_id, delivery_id)
);
create index delivery_ids_received_at on delivery_ids (received_at);

-- Pull requests as the git host told of them last. One that waits has no environment yet, and gets it in this order.
create table pull_requests (
  project_id bigint not null references projects (id) on delete cascade,
  number bigint not null,
  state text not null check (state in ('open', 'closed', 'merged')),
  title text not null,
  url text,
  author text,
  branch text not null,
  target_branch text,
  head_sha text not null,
  is_fork integer not null check (is_fork in (0, 1)),
  is_draft integer not null check (is_draft in (0, 1)),
  -- By the clock of the git host.
  host_updated_at bigint not null,
  -- The newest environment that was made for it; that one removed while this is open: somebody removed it by hand.
  environment_id bigint references environments (id) on delete set null,
  waiting_since bigint,
  -- 1 once the repository was seen to hold the ref of the pull request.
  is_ref_seen integer not null default 0 check (is_ref_seen in (0, 1)),
  -- Of the one comment that tells about the environment.
  comment_id text,
  changed_at bigint not null,
  primary key (project_id, number)
);
create index pull_requests_waiting on pull_requests (project_id, waiting_since, number) where waiting_since is not null;

-- Who let which commit of a stranger be deployed.
create table approvals (
  environment_id bigint not null references environments (id) on delete cascade,
  commit_sha text not null,
  approved_by bigint references users (id) on delete set null,
  approved_at bigint not null,
  primary key (environment_id, commit_sha)
);

-- What led a branch from which commit to which; tells a late push from a new one.
create table pushes (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  branch text not null,
  before_sha text not null,
  after_sha text not null,
  -- 1: its newest commit asks not to be deployed.
  is_skipped integer not null default 0 check (is_skipped in (0, 1)),
  -- 1: it came after one that was newer; it tells where the branch has stood, not where it stands.
  is_late integer not null default 0 check (is_late in (0, 1)),
  received_at bigint not null
);
create index pushes_branch on pushes (project_id, branch, id);

-- What is to be told to the git host. A row stays until what it tells of has ended and was told.
create table outbox (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  task_id bigint references tasks (id) on delete cascade,
  pull_request_number bigint,
  -- The state that was told last.
  told text,
  -- Of the git host's own record of a deployment.
  host_deployment_id text,
  attempts integer not null default 0,
  next_at bigint not null,
  last_error text,
  created_at bigint not null
);
create unique index outbox_task_id_unique on outbox (task_id) where task_id is not null;
create unique index outbox_pull_request_unique on outbox (project_id, pull_request_number) where task_id is null;
create index outbox_next_at on outbox (next_at);
