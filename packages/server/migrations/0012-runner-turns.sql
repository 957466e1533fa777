-- When an organization last got a place of the runner: of those that have equally many, the one that had its turn longest ago is next.
-- Not a reference, and in no other's transaction: whoever takes a task must not wait for a change of an organization.
create table runner_turns (
  organization_id bigint primary key,
  taken_at bigint not null
);
