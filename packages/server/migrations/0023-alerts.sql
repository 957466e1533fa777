-- What people are alerted of by mail.

-- How a server was met last, by whichever process met it.
create table server_sightings (
  server_id bigint primary key references servers (id) on delete cascade,
  seen_at bigint,
  -- Null while it answers.
  out_of_reach_since bigint,
  -- Of the fullest disk that deployments need; null where nobody could measure it.
  disk_free_bytes bigint,
  disk_total_bytes bigint
);

-- What is wrong now and was told: a row is made with the first mail about it, and goes with the mail that it is over.
create table alerts (
  kind text not null check (kind in ('server_unreachable', 'disk_low', 'certificate_ending', 'backup_failed')),
  -- Of the server or certificate; 0 for what concerns the whole platform.
  target_id bigint not null,
  -- Null: platform administrators are told.
  organization_id bigint references organizations (id) on delete cascade,
  since bigint not null,
  primary key (kind, target_id)
);
create index alerts_organization_id on alerts (organization_id);

-- Who is told when a deployment of an environment fails.
create table watches (
  environment_id bigint not null references environments (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  -- The last deployment that was looked at for this person, and whether it failed.
  told_task_id bigint not null,
  is_failing integer not null default 0 check (is_failing in (0, 1)),
  primary key (environment_id, user_id)
);
create index watches_user_id on watches (user_id);
