-- Alerts get a history; organizations get rules, silences, and channels that messages are sent to.

create table alert_records (
  id {{id}},
  rule text not null,
  -- Of the server, certificate, environment or organization; 0 for the whole platform.
  target_id bigint not null,
  -- A service of the environment; empty for everything else.
  service text not null default '',
  -- Null: for platform administrators.
  organization_id bigint references organizations (id) on delete cascade,
  environment_id bigint references environments (id) on delete cascade,
  severity text not null check (severity in ('warning', 'critical')),
  -- Words for people, as of the time at which it was opened.
  subject text not null,
  message text not null,
  page text not null,
  -- 0 while channels get no message, since its environment is silenced.
  is_notified integer not null check (is_notified in (0, 1)),
  opened_at bigint not null,
  resolved_at bigint
);
insert into alert_records (rule, target_id, organization_id, severity, subject, message, page, is_notified, opened_at)
  select a.kind, a.target_id, a.organization_id, case when a.kind = 'certificate_ending' then 'warning' else 'critical' end,
    coalesce((select s.name from servers s where s.id = a.target_id and a.kind in ('server_unreachable', 'disk_low')),
      (select coalesce(c.domain, 'all domains') from certificates c where c.id = a.target_id and a.kind = 'certificate_ending'), 'the platform'),
    'Opened before this release', '/', 1, a.since
  from alerts a;
drop table alerts;
alter table alert_records rename to alerts;
-- An alert is opened once, whichever process finds it.
create unique index alerts_open_unique on alerts (rule, target_id, service) where resolved_at is null;
create index alerts_organization_id on alerts (organization_id, id);
create index alerts_environment_id on alerts (environment_id, id);

-- Where an organization differs from the defaults.
create table alert_rules (
  organization_id bigint not null references organizations (id) on delete cascade,
  rule text not null,
  is_enabled integer not null check (is_enabled in (0, 1)),
  -- Null: the default.
  threshold integer,
  primary key (organization_id, rule)
);

create table alert_silences (
  environment_id bigint primary key references environments (id) on delete cascade,
  -- Null: until a member turns the alerts on again.
  until bigint
);

create table channels (
  id {{id}},
  organization_id bigint not null references organizations (id) on delete cascade,
  type text not null check (type in ('mail', 'slack', 'discord', 'telegram', 'ntfy', 'webhook')),
  name text not null,
  -- Of the address, to be shown; the address itself is sealed.
  host text,
  recipient text,
  -- What the secrets are sealed to: there before the row is, and never changed.
  seal_id text not null,
  url_sealed text,
  token_sealed text,
  -- Signs what a webhook is sent.
  secret_sealed text,
  -- JSON lists of names.
  events text not null,
  severities text not null,
  is_enabled integer not null default 1 check (is_enabled in (0, 1)),
  -- How the last attempt went.
  last_at bigint,
  last_status text check (last_status in ('succeeded', 'retrying', 'failed')),
  last_message text,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index channels_seal_id_unique on channels (seal_id);
create index channels_organization_id on channels (organization_id, id);

-- Messages that wait to be sent. A row goes when its message has arrived or is given up.
create table channel_deliveries (
  id {{id}},
  channel_id bigint not null references channels (id) on delete cascade,
  -- The same for every attempt.
  key text not null,
  message text not null,
  attempts integer not null default 0,
  -- By the clock of the database: when it is due, or until when a process is at it.
  next_at bigint not null default 0,
  last_error text,
  created_at bigint not null
);
create index channel_deliveries_channel_id on channel_deliveries (channel_id, id);
create index channel_deliveries_next_at on channel_deliveries (next_at, id);
