-- The records of the platform. One text for both databases: {{id}} is the only thing that differs.
-- Times are integer milliseconds, flags are 0 or 1, lists are JSON as text.
-- Columns that hold a secret end in _sealed (opened with the master key) or _digest (SHA-256, never opened).

create table settings (
  key text primary key,
  value text not null
);

create table users (
  id {{id}},
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text not null,
  is_platform_admin integer not null default 0 check (is_platform_admin in (0, 1)),
  created_at bigint not null
);
create unique index users_email_key_unique on users (email_key);

create table sessions (
  id {{id}},
  user_id bigint not null references users (id) on delete cascade,
  token_digest text not null,
  address text,
  user_agent text,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null
);
create unique index sessions_token_digest_unique on sessions (token_digest);
create index sessions_user_id on sessions (user_id);

create table password_resets (
  id {{id}},
  user_id bigint not null references users (id) on delete cascade,
  token_digest text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create unique index password_resets_token_digest_unique on password_resets (token_digest);
create index password_resets_user_id on password_resets (user_id);

create table organizations (
  id {{id}},
  name text not null,
  created_at bigint not null
);

create table memberships (
  organization_id bigint not null references organizations (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  created_at bigint not null,
  primary key (organization_id, user_id)
);
create index memberships_user_id on memberships (user_id);

create table invitations (
  id {{id}},
  organization_id bigint not null references organizations (id) on delete cascade,
  email text not null,
  email_key text not null,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  token_digest text not null,
  invited_by bigint not null references users (id),
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint
);
create unique index invitations_token_digest_unique on invitations (token_digest);
create unique index invitations_organization_id_email_key_unique on invitations (organization_id, email_key)
  where accepted_at is null;

create table personal_tokens (
  id {{id}},
  user_id bigint not null references users (id) on delete cascade,
  organization_id bigint references organizations (id) on delete cascade,
  name text not null,
  token_digest text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  revoked_at bigint
);
create unique index personal_tokens_token_digest_unique on personal_tokens (token_digest);
create index personal_tokens_user_id on personal_tokens (user_id, id);

-- What the OAuth server keeps: device codes, grants, access and refresh tokens; ids only as digests.
create table oauth_records (
  kind text not null,
  id_digest text not null,
  user_id bigint references users (id) on delete cascade,
  grant_digest text,
  user_code_digest text,
  polled_at bigint,
  payload text not null,
  created_at bigint not null,
  expires_at bigint,
  consumed_at bigint,
  primary key (kind, id_digest)
);
create index oauth_records_grant on oauth_records (grant_digest);
create index oauth_records_user on oauth_records (user_id);
create unique index oauth_records_user_code_digest_unique on oauth_records (user_code_digest)
  where user_code_digest is not null;
create index oauth_records_expires on oauth_records (expires_at);

create table servers (
  id {{id}},
  organization_id bigint not null references organizations (id),
  name text not null,
  hostname text not null,
  port integer not null,
  unix_user text not null,
  connection text not null check (connection in ('ssh', 'local')),
  edge text not null check (edge in ('haproxy', 'embedded')),
  host_key text,
  created_at bigint not null
);
create index servers_organization_id on servers (organization_id, id);

create table projects (
  id {{id}},
  organization_id bigint not null references organizations (id),
  owner_id bigint not null references users (id),
  name text not null,
  repo_url text not null,
  repository_host text not null check (repository_host in ('github', 'gitlab', 'gitea', 'bitbucket')),
  domain text not null,
  custom_domains text not null default '[]',
  default_branch text not null,
  default_recipe text not null check (default_recipe in ('docker', 'manual')),
  environment_limit integer not null default 20 check (environment_limit > 0),
  tls text not null check (tls in ('off', 'certificate', 'automatic')),
  fork_pull_requests text not null check (fork_pull_requests in ('off', 'approval')),
  basic_auth_username text,
  basic_auth_password_sealed text,
  hook_id text not null,
  webhook_secret_sealed text not null,
  earlier_webhook_secret_sealed text,
  repository_public_key text not null,
  repository_private_key_sealed text not null,
  deleting_since bigint,
  created_at bigint not null,
  updated_at bigint not null,
  check ((basic_auth_username is null) = (basic_auth_password_sealed is null))
);
create index projects_organization_id on projects (organization_id, id);
create index projects_domain on projects (domain);
create unique index projects_hook_id_unique on projects (hook_id);

-- The first of a project's servers is where its environments go unless told.
create table project_servers (
  project_id bigint not null references projects (id) on delete cascade,
  server_id bigint not null references servers (id),
  position integer not null,
  primary key (project_id, server_id)
);
create index project_servers_server_id on project_servers (server_id);

-- A removed environment keeps its row, so that its tasks and their output can still be read.
create table environments (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  server_id bigint not null references servers (id),
  owner_id bigint not null references users (id),
  name text not null,
  title text not null default '',
  type text not null check (type in ('pull_request', 'manual')),
  pull_request_number bigint,
  pull_request_title text,
  pull_request_url text,
  pull_request_author text,
  branch text not null,
  recipe text check (recipe in ('docker', 'manual')),
  is_protected integer not null default 0 check (is_protected in (0, 1)),
  is_sticky integer not null default 0 check (is_sticky in (0, 1)),
  auto_deploy integer not null default 1 check (auto_deploy in (0, 1)),
  awaits_approval integer not null default 0 check (awaits_approval in (0, 1)),
  basic_auth_username text,
  basic_auth_password_sealed text,
  variables_version integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  removed_at bigint,
  check ((type = 'pull_request') = (pull_request_number is not null)),
  check ((basic_auth_username is null) = (basic_auth_password_sealed is null))
);
create unique index environments_project_id_name_unique on environments (project_id, name) where removed_at is null;
create index environments_server_id on environments (server_id) where removed_at is null;

-- A domain belongs to one environment. The empty service is the environment's own domain.
create table domains (
  domain text primary key,
  environment_id bigint not null references environments (id) on delete cascade,
  service text not null default ''
);
create unique index domains_environment_id_service_unique on domains (environment_id, service);

create table variables (
  environment_id bigint not null references environments (id) on delete cascade,
  key text not null,
  value_sealed text not null,
  updated_at bigint not null,
  updated_by bigint not null references users (id),
  primary key (environment_id, key)
);

-- The queue, and its locks: at most one running and one queued task of an environment.
create table tasks (
  id {{id}},
  environment_id bigint not null references environments (id) on delete cascade,
  kind text not null check (kind in ('deploy', 'remove', 'reset', 'action')),
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  reason text check (reason in
    ('superseded', 'canceled_by_user', 'protected', 'timed_out', 'server_unreachable', 'interrupted')),
  cause text not null check (cause in
    ('dashboard', 'api', 'cli', 'mcp', 'push', 'pull_request', 'rollback', 'system')),
  started_by bigint references users (id),
  branch text,
  commit_sha text,
  commit_message text,
  commit_author text,
  action text,
  variables_version integer,
  epoch integer not null default 0,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null))
);
create unique index tasks_running_unique on tasks (environment_id) where status = 'running';
create unique index tasks_queued_unique on tasks (environment_id) where status = 'queued';
create index tasks_environment_id on tasks (environment_id, id);
create index tasks_environment_id_status on tasks (environment_id, status, id);
create index tasks_environment_id_kind on tasks (environment_id, kind, id);
-- What an environment's list asks of its deployments: the newest, and the newest that succeeded.
create index tasks_deployments on tasks (environment_id, id) where kind in ('deploy', 'reset');
create index tasks_live on tasks (environment_id, id) where kind in ('deploy', 'reset') and status = 'succeeded';

create table steps (
  id {{id}},
  task_id bigint not null references tasks (id) on delete cascade,
  phase text not null,
  name text not null,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed', 'skipped', 'canceled')),
  kind text not null check (kind in ('check', 'command', 'timeout', 'server')),
  exit_code integer,
  message text,
  started_at bigint,
  finished_at bigint
);
create index steps_task_id on steps (task_id, id);

create table idempotency_keys (
  user_id bigint not null references users (id) on delete cascade,
  key text not null,
  request_digest text not null,
  answer_headers text,
  answer_body text,
  created_at bigint not null,
  primary key (user_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Who changed what, from where; names of fields, never values. Rows are never changed.
create table audit_events (
  id {{id}},
  organization_id bigint references organizations (id) on delete set null,
  user_id bigint references users (id) on delete set null,
  user_name text,
  action text not null,
  target_kind text not null,
  target_id bigint,
  target_name text not null,
  fields text not null,
  address text,
  request_id text,
  created_at bigint not null
);
create index audit_events_organization_id on audit_events (organization_id, id);
