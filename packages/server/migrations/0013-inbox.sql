-- A genuine delivery is stored first and takes effect afterwards, in the order in which those of its project were stored.

-- `stored`: nothing has followed from it yet. `failed`: nothing could, however often it was tried.
alter table deliveries rename column verdict to earlier_verdict;
alter table deliveries add column verdict text not null default 'stored'
  check (verdict in ('stored', 'accepted', 'duplicate', 'ignored', 'failed', 'refused'));
update deliveries set verdict = earlier_verdict;
alter table deliveries drop column earlier_verdict;
-- While it is stored: what it says in our words, as JSON.
alter table deliveries add column content text;
-- How often it was tried, and when that may happen again.
alter table deliveries add column attempts integer not null default 0;
alter table deliveries add column next_at bigint not null default 0;
create index deliveries_stored on deliveries (project_id, id) where verdict = 'stored';

-- 0: it came to nothing, so that it is tried again when it is sent again.
alter table delivery_ids add column took_effect integer not null default 1 check (took_effect in (0, 1));
update delivery_ids set took_effect = 0 where exists (
  select 1 from deliveries d
  where d.project_id = delivery_ids.project_id and d.delivery_id = delivery_ids.delivery_id and d.verdict = 'ignored');
