-- Environments that `shipway up` deploys from a user's working tree, and the packs that were sent for them.

-- The user whose working tree it has; null: its commits come from the repository.
alter table environments add column uploader_id bigint references users (id);
-- When it is removed; each upload moves it on.
alter table environments add column upload_expires_at bigint;
create index environments_upload_expires_at on environments (upload_expires_at);

-- 1: these environments get the variables of the project.
alter table projects add column upload_variables integer not null default 0 check (upload_variables in (0, 1));

-- Mirrors are caches, one for each platform process: what no git host can give again is stored here.
create table uploads (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  environment_id bigint not null references environments (id) on delete cascade,
  commit_sha text not null,
  -- The commit that the working tree was checked out from; the repository need not have it.
  head_sha text not null,
  -- A commit of the repository: the pack leaves out what its tree has. Null: the pack has everything.
  base_sha text,
  bytes bigint not null,
  created_at bigint not null
);
create unique index uploads_environment_id_commit_sha_unique on uploads (environment_id, commit_sha);
create index uploads_project_id on uploads (project_id);

create table upload_chunks (
  upload_id bigint not null references uploads (id) on delete cascade,
  position integer not null,
  bytes bytea not null,
  primary key (upload_id, position)
);
