-- Actions that run by a schedule, and what became of each moment at which one was due.

-- 1: every schedule of the file runs here, 0: none does, null: those that name this environment.
alter table environments add column schedules integer check (schedules in (0, 1));

alter table environment_actions add column schedule text;
alter table environment_actions add column time_zone text;
-- JSON list of names of environments.
alter table environment_actions add column schedule_environments text;
alter table environment_actions add column catches_up integer not null default 0 check (catches_up in (0, 1));
-- The next moment at which it is due; null while it does not run by its schedule.
alter table environment_actions add column next_run_at bigint;
create index environment_actions_next_run_at on environment_actions (next_run_at) where next_run_at is not null;

-- The key is the lock: however many processes see that a moment is due, one of them stores it, in the transaction of its task.
create table schedule_moments (
  environment_id bigint not null references environments (id) on delete cascade,
  action text not null,
  due_at bigint not null,
  outcome text not null check (outcome in ('started', 'skipped', 'missed')),
  -- Why there was no run, or why it was late.
  reason text,
  task_id bigint references tasks (id) on delete set null,
  primary key (environment_id, action, due_at)
);
create index schedule_moments_task_id on schedule_moments (task_id);

-- The newest run of an action.
create index tasks_action_runs on tasks (environment_id, action, id) where kind = 'action';
