-- When the output of a task was removed because its retention was over; null while it is kept.
alter table tasks add column output_expired_at bigint;
-- 0 once no row of outputs is left. Removal takes several transactions: this says where one that was interrupted has to go on.
alter table tasks add column keeps_output integer not null default 1 check (keeps_output in (0, 1));
-- Without output_bytes, which changes many times a second while a task runs.
create index tasks_kept_output on tasks (finished_at) where keeps_output = 1 and finished_at is not null;
