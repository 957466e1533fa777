-- Variables that are no secrets and are handed to builds, where they get into images.

alter table variables add column is_for_builds integer not null default 0 check (is_for_builds in (0, 1));
alter table project_variables add column is_for_builds integer not null default 0 check (is_for_builds in (0, 1));
