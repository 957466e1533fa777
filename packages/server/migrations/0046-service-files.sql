-- The `.service.yml` of a project's settings, for commits that have none.
create table service_files (
  project_id bigint primary key references projects (id) on delete cascade,
  content text not null,
  -- SHA-256 of the content, in hex.
  digest text not null
);

-- The one that a deployment used. A rollback to it uses it again, and so does whatever runs in its release.
create table task_service_files (
  task_id bigint primary key references tasks (id) on delete cascade,
  content text not null
);
