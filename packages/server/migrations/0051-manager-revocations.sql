-- The number of the revocations that a manager has been told of: each refuses certificates by a list of its own.
alter table server_managers add column revocations bigint not null default 0;
