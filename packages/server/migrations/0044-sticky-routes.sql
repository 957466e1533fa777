-- 1: the visitors of a route stay with one of its upstreams, as the service asks for in its file.
alter table routes add column sticky integer not null default 0 check (sticky in (0, 1));
