-- What has changed lately, in the order in which it was committed, for those who look on: which record, never what it says.
create table journal (
  seq bigint primary key,
  at bigint not null,
  about text not null check (about in ('organization', 'project', 'environment', 'server', 'task', 'step', 'delivery', 'user')),
  id integer not null,
  how text not null check (how in ('created', 'updated', 'deleted')),
  -- Of a step, which one of its task.
  position integer,
  -- Whose it is: the organization of a project or a server, the project of an environment or a delivery, the environment of a task.
  parent_id integer
);
create index journal_at on journal (at);

-- Counted up last in every change, so that a number is seen only together with all that are lower.
create table journal_end (
  id integer primary key check (id = 1),
  seq bigint not null
);
insert into journal_end (id, seq) values (1, 0);
