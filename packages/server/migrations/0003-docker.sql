-- What the docker recipe and the edge of a server need: slots of ports, what is granted and limited, and what a rollback takes.

-- Raised in the transaction that reads what the edge must hold: a higher number is a newer snapshot.
alter table servers add column edge_version bigint not null default 0;

-- A service has two ports that it takes turns with, so that the new version answers beside the old one.
alter table ports add column slot text not null default 'a' check (slot in ('a', 'b'));
drop index ports_environment_id_service_unique;
create unique index ports_environment_id_service_slot_unique on ports (environment_id, service, slot);

-- The earlier deployment whose commit and images this task takes again.
alter table tasks add column source_task_id bigint references tasks (id) on delete set null;

-- What an organization's owner lets one environment do beyond the policy.
create table grants (
  environment_id bigint not null references environments (id) on delete cascade,
  capability text not null,
  granted_by bigint references users (id) on delete set null,
  granted_at bigint not null,
  primary key (environment_id, capability)
);

-- Of each of its containers; null: the default of the environment's type.
alter table environments add column cpu_limit_thousandths integer;
alter table environments add column memory_limit_bytes bigint;
alter table environments add column process_limit integer;
