-- Variables of a project, which its environments inherit and may override. What an environment's version counts, this counts here.

alter table projects add column variables_version integer not null default 0;

create table project_variables (
  project_id bigint not null references projects (id) on delete cascade,
  key text not null,
  value_sealed text not null,
  updated_at bigint not null,
  updated_by bigint not null references users (id),
  primary key (project_id, key)
);
