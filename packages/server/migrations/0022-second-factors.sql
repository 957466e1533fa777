-- Codes that people sign in with beside their password (RFC 6238), and the recovery codes for whoever has lost the device that makes them.

create table second_factors (
  user_id bigint primary key references users (id) on delete cascade,
  -- Names the secret: a sealed value opens for this one alone, and a later enrolment has another.
  key_id text not null,
  secret_sealed text not null,
  created_at bigint not null,
  -- Null until a first code has shown that the device has the secret: only then is a code asked for.
  confirmed_at bigint,
  -- The time step of the newest code that was used. A code of this step or of an earlier one is refused.
  last_step bigint not null default 0
);

-- Each goes when it is used.
create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_digest text not null,
  primary key (user_id, code_digest)
);
