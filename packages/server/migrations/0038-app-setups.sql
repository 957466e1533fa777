-- GitHub Apps that are being set up. A row is deleted when its state comes back, so that it works once.

create table app_setups (
  connection_id bigint not null primary key references connections (id) on delete cascade,
  step text not null check (step in ('create', 'install')),
  -- Of the state that GitHub sends back.
  state_digest text not null,
  -- Who began it, and with which session or token: the same must end it.
  user_id bigint not null references users (id) on delete cascade,
  credential text not null,
  expires_at bigint not null
);
create index app_setups_user_id on app_setups (user_id);
