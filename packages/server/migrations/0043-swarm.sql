-- Servers that are a Docker Swarm: their managers, their nodes when last seen, their registry, and replicas that users chose.

-- A column cannot change its check, so a new one takes its place.
alter table servers rename column runtime to earlier_runtime;
alter table servers add column runtime text not null default 'compose' check (runtime in ('compose', 'swarm'));
update servers set runtime = earlier_runtime;
alter table servers drop column earlier_runtime;

-- The registry that an organization named for the images of a Swarm; null: the one on its managers.
alter table servers add column registry_address text;
alter table servers add column registry_username text;
alter table servers add column registry_password_sealed text;

-- The Swarm's own id, kept from the first time that a manager named it: a machine of another Swarm is no manager of this one.
alter table servers add column swarm_id text;

-- Every manager that an admin named, the one in use included: the record of the server has its address and its key.
create table server_managers (
  server_id bigint not null references servers (id) on delete cascade,
  hostname text not null,
  port integer not null,
  -- Pinned when the platform first signs in there; null until then.
  host_key text,
  -- Null until the platform has signed in: the machine that the key is of, which belongs to the organization from then on.
  machine_id bigint references machines (id),
  -- 1: a platform administrator gave the address, which may be in a private network.
  may_be_private integer not null default 0 check (may_be_private in (0, 1)),
  signed_in_at bigint,
  created_at bigint not null,
  primary key (server_id, hostname, port)
);
create index server_managers_machine_id on server_managers (machine_id);

-- What a manager said of the nodes when it was last asked, as JSON.
create table server_nodes (
  server_id bigint primary key references servers (id) on delete cascade,
  seen_at bigint not null,
  nodes text not null
);

-- Replicas of a service in place of those of its file.
create table service_replicas (
  environment_id bigint not null references environments (id) on delete cascade,
  service text not null,
  replicas integer not null check (replicas between 1 and 100),
  primary key (environment_id, service)
);
