-- What services and servers used, in slots of 30 seconds (kept 2 hours), 5 minutes (2 days) and an hour (30 days).

-- The containers of a service together. Null: not measured in this slot.
create table service_samples (
  environment_id bigint not null references environments (id) on delete cascade,
  service text not null,
  -- Length of the slot in seconds.
  step integer not null check (step in (30, 300, 3600)),
  -- Start of the slot.
  at bigint not null,
  -- Thousandths of a core.
  cpu bigint,
  -- Without page cache. In longer slots the highest.
  memory_bytes bigint,
  memory_limit_bytes bigint,
  -- Bytes per second.
  network_in bigint,
  network_out bigint,
  -- In this slot.
  restarts integer not null default 0,
  oom_kills integer not null default 0,
  primary key (step, at, environment_id, service)
);
create index service_samples_environment on service_samples (environment_id, step, at);

create table server_samples (
  server_id bigint not null references servers (id) on delete cascade,
  step integer not null check (step in (30, 300, 3600)),
  at bigint not null,
  cpu bigint,
  cores integer,
  memory_bytes bigint,
  memory_total_bytes bigint,
  -- Hundredths: processes that run or wait, mean of a minute.
  load bigint,
  disk_bytes bigint,
  disk_total_bytes bigint,
  -- Until when OOM kills are counted, in seconds of the server's own clock. Only in the shortest slots.
  counted_until bigint,
  primary key (step, at, server_id)
);
create index server_samples_server on server_samples (server_id, step, at);

-- How many of a service's restarts the samples have counted.
alter table services add column counted_restarts integer not null default 0;
update services set counted_restarts = restarts;
