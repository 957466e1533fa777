-- How often something happened in a window of time, such as mails to one receiver: counted here, for all processes together.
create table counters (
  key text primary key,
  started_at bigint not null,
  count integer not null
);
create index counters_started_at on counters (started_at);
