-- Mails to send, written in the transaction of what causes them. What stands in one is sealed: links in it sign people in.
create table mails (
  id {{id}},
  -- Names the place of the sealed text, and the mail itself: a second delivery of it has the same Message-ID.
  key text not null unique,
  -- What it is for. Never to whom: people who have nothing to do with the platform are not written down.
  kind text not null,
  -- Null once it was given up.
  mail_sealed text,
  attempts integer not null default 0,
  -- When it may be tried (again). Whoever takes it moves this on, and so holds it for a while.
  next_at bigint not null,
  -- Given up from then on.
  expires_at bigint not null,
  given_up_at bigint,
  last_error text,
  -- 1: shown in the mailbox of a platform on its own machine, and never sent.
  is_kept integer not null default 0 check (is_kept in (0, 1)),
  created_at bigint not null,
  check ((given_up_at is null) = (mail_sealed is not null))
);
create index mails_next_at on mails (next_at) where given_up_at is null and is_kept = 0;
create index mails_given_up_at on mails (given_up_at) where given_up_at is not null;
