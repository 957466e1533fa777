-- Values of variables that tasks of an environment were handed, sealed as they stood in their variable. What runs may hold one that was
-- replaced or removed since, so output hides it until a deployment that was not handed it has succeeded.

create table handed_values (
  id {{id}},
  environment_id bigint not null references environments (id) on delete cascade,
  -- Whose variable it is: a sealed value opens for its owner and key alone.
  owner text not null check (owner in ('environment', 'project')),
  owner_id bigint not null,
  key text not null,
  value_sealed text not null,
  -- The first and the newest task that were handed it. Only compared, so they may be gone.
  first_task_id bigint not null,
  last_task_id bigint not null
);
create index handed_values_environment_id on handed_values (environment_id, last_task_id);

-- Nobody knows any more what earlier deployments were handed. What the variables hold now is the best guess.
insert into handed_values (environment_id, owner, owner_id, key, value_sealed, first_task_id, last_task_id)
select e.id, 'environment', e.id, v.key, v.value_sealed, 0, d.task_id
from variables v
join environments e on e.id = v.environment_id and e.removed_at is null and e.is_fork = 0
join (select environment_id, max(id) as task_id from tasks where kind in ('deploy', 'reset') and started_at is not null
  group by environment_id) d on d.environment_id = e.id;
insert into handed_values (environment_id, owner, owner_id, key, value_sealed, first_task_id, last_task_id)
select e.id, 'project', e.project_id, v.key, v.value_sealed, 0, d.task_id
from project_variables v
join environments e on e.project_id = v.project_id and e.removed_at is null and e.is_fork = 0
join (select environment_id, max(id) as task_id from tasks where kind in ('deploy', 'reset') and started_at is not null
  group by environment_id) d on d.environment_id = e.id;
