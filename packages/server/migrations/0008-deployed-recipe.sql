-- How an environment was deployed: a removal undoes that, whatever its recipe has become since. Written with the commit.
alter table tasks add column recipe text;
update tasks set recipe = (
    select case when e.is_fork = 1 then 'docker' else coalesce(e.recipe, p.default_recipe) end
    from environments e join projects p on p.id = e.project_id where e.id = tasks.environment_id)
  where kind in ('deploy', 'reset') and commit_sha is not null and started_at is not null;
