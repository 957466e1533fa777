-- Whether an owner of the organization lets the project use the manual recipe, which runs commands of the repository on the server.
alter table projects add column manual_recipe text not null default 'off' check (manual_recipe in ('off', 'allowed'));

-- Projects that use it keep working.
update projects set manual_recipe = 'allowed'
  where default_recipe = 'manual'
    or exists (select 1 from environments e where e.project_id = projects.id and e.recipe = 'manual' and e.removed_at is null);
