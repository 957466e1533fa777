-- What an event of the git host said of the repository, until it can be read again: it was transferred or deleted.
alter table repository_access add column host_fault text;

-- Commands in comments of pull requests, while the git host does not answer whether their author may write to the repository.
create table comment_requests (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  -- Of the pull request.
  number bigint not null,
  command text not null check (command in ('start', 'stop', 'redeploy')),
  author text not null,
  -- Where the git host's API asks for it.
  author_id text,
  -- The delivery that it came with, which shows the outcome.
  delivery_id bigint references deliveries (id) on delete set null,
  attempts integer not null default 0,
  next_at bigint not null default 0,
  last_error text,
  created_at bigint not null
);
create index comment_requests_next_at on comment_requests (next_at, id);
create index comment_requests_project_id on comment_requests (project_id, number);
create index comment_requests_delivery_id on comment_requests (delivery_id);
