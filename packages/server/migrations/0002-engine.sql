-- What it takes to run tasks: who runs one and until when, what its steps left, what they printed, and where it answers.

alter table tasks add column worker text;
alter table tasks add column lease_until bigint;
alter table tasks add column cancel_requested_at bigint;
-- Bytes of the whole output so far, left-out ones not counted.
alter table tasks add column output_bytes bigint not null default 0;
-- Queued tasks in their order, and running ones whose lease may have ended.
create index tasks_waiting on tasks (id) where status = 'queued';
create index tasks_leases on tasks (lease_until) where status = 'running';

-- The place of a step in its task's program: a program that is run again finds what it did already.
alter table steps add column position integer not null default 0;
-- JSON that the step handed on, for the next run of the program.
alter table steps add column result text;
-- Where the step's output begins and ends in the task's output.
alter table steps add column output_from bigint;
alter table steps add column output_to bigint;
-- How far the output of the step on the server was read: written with what was read, so that no byte comes twice.
alter table steps add column read_bytes bigint not null default 0;
create unique index steps_task_id_position_unique on steps (task_id, position) where position > 0;

-- Append-only: a chunk is written once and never touched again.
create table outputs (
  task_id bigint not null references tasks (id) on delete cascade,
  output_from bigint not null,
  bytes bytea not null,
  primary key (task_id, output_from)
);

-- Ports that the platform allots on a server, the same for the life of the environment.
create table ports (
  server_id bigint not null references servers (id) on delete cascade,
  port integer not null,
  environment_id bigint not null references environments (id) on delete cascade,
  service text not null,
  primary key (server_id, port)
);
create unique index ports_environment_id_service_unique on ports (environment_id, service);

-- Where a domain leads. A change of a deployment's routes is one transaction.
create table routes (
  domain text primary key references domains (domain) on delete cascade,
  port integer not null,
  task_id bigint not null references tasks (id) on delete cascade
);

-- The key that the git host showed first.
alter table projects add column repository_host_key text;
