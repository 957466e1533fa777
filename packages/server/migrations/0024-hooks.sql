-- Outbound webhooks: who is told of what happens in a project, what was told, and how each telling went.

create table hooks (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  url text not null,
  -- A JSON list of names.
  events text not null,
  -- What the secrets are sealed to: there before the row is, and never changed.
  seal_id text not null,
  secret_sealed text not null,
  -- The secret before a change signs too until then.
  earlier_secret_sealed text,
  earlier_until bigint,
  is_enabled integer not null default 1 check (is_enabled in (0, 1)),
  -- Why the platform has turned it off; null where a person did.
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- Since when nothing has arrived.
  failing_since bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index hooks_seal_id_unique on hooks (seal_id);
create index hooks_project_id on hooks (project_id, id);

-- One for each event, whoever is told of it. Written in the transaction of the change that it tells of.
create table hook_messages (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  -- The `webhook-id` of every attempt.
  message_id text not null,
  event text not null,
  body text not null,
  created_at bigint not null
);
create index hook_messages_project_id on hook_messages (project_id);

create table hook_deliveries (
  id {{id}},
  hook_id bigint not null references hooks (id) on delete cascade,
  message_id bigint not null references hook_messages (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  -- By the clock of the database: when it is due, and until when a process is at it.
  next_at bigint not null default 0,
  held_until bigint not null default 0,
  -- How the last attempt went.
  attempted_at bigint,
  duration_ms bigint,
  response_status integer,
  response_text text,
  error text,
  created_at bigint not null
);
create index hook_deliveries_hook_id on hook_deliveries (hook_id, id);
create index hook_deliveries_message_id on hook_deliveries (message_id);
create index hook_deliveries_pending on hook_deliveries (next_at, id) where status = 'pending';
