-- A server is named by its name, so an organization has no two of one name. Those that share one from before keep working: the oldest
-- keeps the name, each other one gets its number added. Twice, in case that a server had such a name already.
update servers set name = name || ' (server ' || id || ')'
  where exists (select 1 from servers o where o.organization_id = servers.organization_id and o.name = servers.name and o.id < servers.id);
update servers set name = name || ' (server ' || id || ')'
  where exists (select 1 from servers o where o.organization_id = servers.organization_id and o.name = servers.name and o.id < servers.id);
create unique index servers_name_unique on servers (organization_id, name);
