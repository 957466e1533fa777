-- The services of what is live, as they were seen last. Routed ones are made with their routes, so that a state is never that of an
-- earlier release; the others when they are first seen.
create table services (
  environment_id bigint not null references environments (id) on delete cascade,
  name text not null,
  -- As the table of domains names it, where the main one has an empty name. Null: no domain leads to it.
  route text,
  -- What is requested to find out whether it answers.
  health_path text not null default '/',
  state text not null
    check (state in ('starting', 'healthy', 'running', 'unhealthy', 'restarting', 'exited', 'unknown')),
  since bigint not null,
  restarts integer not null default 0,
  exit_code integer,
  -- What it printed last, masked; only of one that does not work.
  last_lines text,
  -- The newest deployment that had ended when the service was last checked with none running. Null before the first such check.
  checked_task_id bigint,
  primary key (environment_id, name)
);

-- What is deployed already. A service whose port its repository names is known by its domain alone.
insert into services (environment_id, name, route, state, since)
  select d.environment_id, coalesce(nullif(d.service, ''),
      (select min(p.service) from ports p where p.environment_id = d.environment_id and p.port = r.port and p.service not like ':%'),
      'main'), d.service, 'starting', coalesce(t.finished_at, t.created_at)
  from routes r join domains d on d.domain = r.domain join tasks t on t.id = r.task_id
  where true
  on conflict do nothing;
