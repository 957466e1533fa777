-- What an environment has on a server that it was moved away from.

-- The server that the task ran on, written when it begins. Not a reference: numbers of deleted servers are not given out again.
alter table tasks add column server_id bigint;
update tasks set server_id = (select e.server_id from environments e where e.id = tasks.environment_id)
  where started_at is not null;

-- Ports stay taken for as long as something of the environment may be on that server.
drop index ports_environment_id_service_slot_unique;
create unique index ports_environment_id_server_id_service_slot_unique
  on ports (environment_id, server_id, service, slot);
