-- What the rules ask of tasks and steps, as facts of their own: names are for people, and the mask alters them.

-- The step of the program that this row is of: a constant word of the platform's, never a user's text. Rows of earlier versions have none.
alter table steps add column key text;

-- Written in the transaction that leads visitors to what the task deployed, and in the one that takes the routes away.
alter table tasks add column switched_at bigint;
alter table tasks add column unrouted_at bigint;
update tasks set switched_at = coalesce(finished_at, started_at)
  where kind in ('deploy', 'reset') and (
    (status = 'succeeded' and started_at is not null)
    or exists (select 1 from steps s where s.task_id = tasks.id and s.phase = 'Switch' and s.status = 'succeeded')
    or exists (select 1 from routes r where r.task_id = tasks.id));
-- A name may have been masked: then what comes after it tells.
update tasks set unrouted_at = coalesce(finished_at, started_at)
  where kind in ('reset', 'remove') and exists (select 1 from steps s where s.task_id = tasks.id and (
    (s.name = 'Remove routes' and s.status in ('succeeded', 'canceled'))
    or s.name in ('Remove containers', 'Remove files')
    or (tasks.kind = 'reset' and s.phase in ('Transfer', 'Build', 'Start', 'Switch', 'Clean up'))));
create index tasks_unrouted on tasks (environment_id, id) where unrouted_at is not null;

-- The recipe is written when a task begins, so that one that runs goes on with the one that it began with.
update tasks set recipe = (
    select case when e.is_fork = 1 then 'docker' else coalesce(e.recipe, p.default_recipe) end
    from environments e join projects p on p.id = e.project_id where e.id = tasks.environment_id)
  where status = 'running' and recipe is null;
