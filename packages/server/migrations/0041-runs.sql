-- One-off commands: tasks of the kind `run`, and ssh certificates for a terminal in a new container.

-- A column cannot change its check, so a new one takes its place.
drop index tasks_running_unique;
drop index tasks_queued_unique;
drop index tasks_environment_id_kind;
drop index tasks_deployments;
drop index tasks_live;
drop index tasks_action_unique;
drop index tasks_without_actions;
drop index tasks_action_runs;
alter table tasks rename column kind to earlier_kind;
alter table tasks add column kind text not null default 'deploy' check (kind in ('deploy', 'remove', 'reset', 'action', 'run'));
update tasks set kind = earlier_kind;
alter table tasks drop column earlier_kind;
create unique index tasks_running_unique on tasks (environment_id)
  where status = 'running' and kind <> 'action' and kind <> 'run';
create unique index tasks_queued_unique on tasks (environment_id)
  where status = 'queued' and kind <> 'action' and kind <> 'run';
create index tasks_environment_id_kind on tasks (environment_id, kind, id);
create index tasks_deployments on tasks (environment_id, id) where kind in ('deploy', 'reset');
create index tasks_live on tasks (environment_id, id) where kind in ('deploy', 'reset') and status = 'succeeded';
create unique index tasks_action_unique on tasks (environment_id, action)
  where kind = 'action' and status in ('queued', 'running');
create index tasks_action_runs on tasks (environment_id, action, id) where kind = 'action';
create index tasks_without_actions on tasks (environment_id, id) where kind <> 'action' and kind <> 'run';

-- The words of the command as JSON. Values of variables are masked in `command`, which people see.
alter table tasks add column command text;
alter table tasks add column command_sealed text;
-- The service that the user named.
alter table tasks add column service text;

alter table ssh_certificates rename column purpose to earlier_purpose;
alter table ssh_certificates add column purpose text not null default 'logs' check (purpose in ('logs', 'shell', 'run'));
update ssh_certificates set purpose = earlier_purpose;
alter table ssh_certificates drop column earlier_purpose;
