-- A Swarm is pinned to one record: two would give the same numbers to groups of different containers. Of several, the first one that has
-- environments keeps it, otherwise the first one.
-- Harmless to the release before: where it pins a Swarm to a second record, it does not read the nodes of that one.
update servers set swarm_id = null
where swarm_id is not null
  and id <> (
    select s.id from servers s where s.swarm_id = servers.swarm_id
    order by case when exists (select 1 from environments e where e.server_id = s.id and e.removed_at is null) then 0 else 1 end, s.id
    limit 1
  );
create unique index servers_swarm_id on servers (swarm_id);
