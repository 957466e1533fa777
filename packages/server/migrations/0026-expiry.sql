-- How long environments of pull requests stay after their last deployment; null is for as long as the pull request is open.
alter table projects add column expire_after_hours integer check (expire_after_hours between 1 and 8760);
-- When that was last changed: nothing goes within a day of it.
alter table projects add column expire_changed_at bigint not null default 0;

-- 1: a removal because the time was over.
alter table tasks add column is_expiry integer not null default 0 check (is_expiry in (0, 1));
