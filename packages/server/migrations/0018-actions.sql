-- Actions: on-demand commands of environments, which lock no deployment and are locked by none; and the files that their runs leave.

-- One running and one queued task of an environment, as before, with actions not counted among them.
drop index tasks_running_unique;
drop index tasks_queued_unique;
create unique index tasks_running_unique on tasks (environment_id) where status = 'running' and kind <> 'action';
create unique index tasks_queued_unique on tasks (environment_id) where status = 'queued' and kind <> 'action';
-- One run of the same action at a time.
create unique index tasks_action_unique on tasks (environment_id, action)
  where kind = 'action' and status in ('queued', 'running');
-- The newest task that is no action, however many actions came after it.
create index tasks_without_actions on tasks (environment_id, id) where kind <> 'action';

-- What `.service.yml` of the newest deployment that succeeded says, in the order of the file.
create table environment_actions (
  environment_id bigint not null references environments (id) on delete cascade,
  name text not null,
  place integer not null,
  -- Null where the action is disabled.
  run text,
  service text,
  -- The service that is meant where the action names none.
  main_service text,
  -- JSON
  artifact_paths text not null,
  timeout_ms integer,
  disabled_reason text,
  -- The deployment that brought it.
  task_id bigint not null references tasks (id) on delete cascade,
  primary key (environment_id, name),
  check ((run is null) = (disabled_reason is not null))
);

-- A file that a run left. It lies on the server of its task, in a folder of the task, under its number.
create table artifacts (
  id {{id}},
  task_id bigint not null references tasks (id) on delete cascade,
  number integer not null,
  -- As the run called it, with secrets hidden: to be shown, never to be opened.
  path text not null,
  size bigint not null,
  -- By which the server knows the file again: it was not replaced, written or linked since.
  stamp text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create unique index artifacts_task_id_number_unique on artifacts (task_id, number);
