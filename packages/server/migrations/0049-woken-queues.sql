-- Until when a process is at a row, apart from when it is due next: what makes it due earlier does not end the lease.
alter table outbox add column held_until bigint not null default 0;
alter table check_waits add column held_until bigint not null default 0;

-- The git host asked to be left alone until then; events do not shorten that.
alter table outbox add column paused_until bigint not null default 0;
alter table check_waits add column paused_until bigint not null default 0;
