-- What the last check of a server told, for everybody who may see the server.
create table server_checks (
  server_id bigint primary key references servers (id) on delete cascade,
  checked_at bigint not null,
  -- JSON, in the words that callers get.
  checks text not null,
  -- Of the fullest disk that deployments need; null where nobody could measure it.
  disk_free_bytes bigint,
  disk_total_bytes bigint
);
