-- Whose a machine is, which ports of it are taken, and what the platform signs in to it with.

-- The edge inside the platform answers for the platform's own machine only. The others get HAProxy with the set-up that they need now.
update servers set edge = 'haproxy' where connection = 'ssh';

-- A machine belongs to one organization, and is known by the host key that it proved to have: null until the platform has signed in.
-- The one without an organization is the platform's own.
create table machines (
  id {{id}},
  organization_id bigint references organizations (id) on delete cascade,
  host_key text,
  server_id bigint
);
create unique index machines_host_key_unique on machines (host_key);
insert into machines (organization_id, server_id) select organization_id, id from servers where connection = 'ssh';
insert into machines (organization_id) values (null);
alter table servers add column machine_id bigint references machines (id);
update servers set machine_id = (select m.id from machines m where m.server_id = servers.id) where connection = 'ssh';
update servers set machine_id = (select m.id from machines m where m.organization_id is null) where connection = 'local';
alter table machines drop column server_id;
create index servers_machine_id on servers (machine_id);

-- What the certificates for a server name, and no other certificate. The machine lets in this and not the name of its user.
alter table servers add column principal text not null default '';
update servers set principal = 'shipway-' || organization_id || '-' || {{random}};
create unique index servers_principal_unique on servers (principal);

-- When the platform first signed in at the address that the record has now.
alter table servers add column signed_in_at bigint;

-- 1: a platform administrator gave the address, which may be in a private network. The other conditions are of the whole row:
-- a column is all that can be added to a table here.
alter table servers add column may_be_private integer not null default 0 check (
  may_be_private in (0, 1) and machine_id is not null and length(principal) > 40 and (edge = 'haproxy' or connection = 'local'));
update servers set may_be_private = 1
  where exists (select 1 from audit_events a join users u on u.id = a.user_id and u.is_platform_admin = 1
      where a.action = 'server.created' and a.target_id = servers.id)
    and not exists (select 1 from audit_events a left join users u on u.id = a.user_id
      where a.action = 'server.updated' and a.target_id = servers.id and coalesce(u.is_platform_admin, 0) = 0
        and (a.fields like '%"hostname"%' or a.fields like '%"port"%'));

-- A port is one of a machine, however many records lead there.
create table machine_ports (
  machine_id bigint not null references machines (id) on delete cascade,
  port integer not null,
  server_id bigint not null references servers (id) on delete cascade,
  environment_id bigint not null references environments (id) on delete cascade,
  service text not null,
  slot text not null default 'a' check (slot in ('a', 'b')),
  primary key (machine_id, port)
);
insert into machine_ports (machine_id, port, server_id, environment_id, service, slot)
  select s.machine_id, p.port, p.server_id, p.environment_id, p.service, p.slot
  from ports p join servers s on s.id = p.server_id
  where not exists (select 1 from ports o join servers t on t.id = o.server_id
    where t.machine_id = s.machine_id and o.port = p.port and o.server_id < p.server_id);
drop table ports;
alter table machine_ports rename to ports;
create unique index ports_environment_id_server_id_service_slot_unique
  on ports (environment_id, server_id, service, slot);
create index ports_server_id on ports (server_id);

-- The edge inside the platform follows a route only to a port of its environment: deployments from before ports were claimed keep theirs.
insert into ports (machine_id, port, server_id, environment_id, service)
  select s.machine_id, r.port, min(s.id), min(d.environment_id), ':' || r.port
  from routes r
  join domains d on d.domain = r.domain
  join environments e on e.id = d.environment_id
  join tasks t on t.id = r.task_id
  join servers s on s.id = coalesce(t.server_id, e.server_id) and s.connection = 'local'
  where not exists (select 1 from ports p where p.machine_id = s.machine_id and p.port = r.port)
  group by s.machine_id, r.port;
