-- Organizations get connections to git hosts: an access token, or a GitHub App. Projects can be made from one.

create table connections (
  id {{id}},
  organization_id bigint not null references organizations (id) on delete cascade,
  type text not null check (type in ('github_app', 'gitlab', 'gitea', 'forgejo', 'bitbucket', 'bitbucket_server')),
  name text not null,
  -- Of the git host's pages, without a trailing slash; the address of its API is derived from it.
  base_url text not null,
  -- What the secrets are sealed to: there before the row is, and never changed.
  seal_id text not null,
  token_sealed text,
  -- Whose token it is, or whom the App is installed for.
  account text,
  -- Of a GitHub App; null until GitHub has made it.
  app_id bigint,
  app_slug text,
  client_id text,
  client_secret_sealed text,
  private_key_sealed text,
  webhook_secret_sealed text,
  -- The opaque part of the App's webhook address: there before the App is.
  hook_id text,
  -- Null until the App is installed.
  installation_id bigint,
  status text not null check (status in ('pending', 'active', 'failing', 'suspended', 'removed')),
  -- A sentence for people, which says what to do; null while it works.
  status_reason text,
  -- When the git host last confirmed the credentials.
  checked_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index connections_name_unique on connections (organization_id, name);
create unique index connections_seal_id_unique on connections (seal_id);
create unique index connections_hook_id_unique on connections (hook_id) where hook_id is not null;

-- Null: the project has a key and a webhook that a user adds at the git host.
alter table projects add column connection_id bigint references connections (id);
create index projects_connection_id on projects (connection_id);

-- The deploy key and the webhook of a project with a connection, as the platform made them at the git host.
create table repository_access (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  -- Its full name at the git host, such as owner/name.
  repository text not null,
  -- Ids at the git host; null where there is none.
  deploy_key_id text,
  webhook_id text,
  -- 0: the webhook at the git host may have an earlier secret.
  has_current_secret integer not null default 0 check (has_current_secret in (0, 1)),
  -- When both were last found there, and the key read the repository.
  proven_at bigint,
  attempts integer not null default 0,
  -- By the clock of the database: when both are checked next, or until when a process is at it.
  next_at bigint not null default 0,
  -- A sentence for people; null where the last check succeeded.
  last_error text
);
create unique index repository_access_project_id_unique on repository_access (project_id);
create index repository_access_next_at on repository_access (next_at, id);

-- What deleted projects leave at git hosts. A row goes when both are removed.
create table access_removals (
  id {{id}},
  connection_id bigint not null references connections (id) on delete cascade,
  repository text not null,
  deploy_key_id text,
  webhook_id text,
  attempts integer not null default 0,
  next_at bigint not null default 0,
  last_error text,
  created_at bigint not null
);
create index access_removals_connection_id on access_removals (connection_id, id);
create index access_removals_next_at on access_removals (next_at, id);
