-- Certificates that let people in at servers: who signs them, which were issued, and which servers take them.

-- The authority of an organization. Serials are counted here, so that none comes twice under one key, whatever rows are deleted.
create table ssh_authorities (
  organization_id bigint primary key references organizations (id) on delete cascade,
  public_key text not null,
  private_key_sealed text not null,
  last_serial bigint not null default 0,
  -- Counted up whenever certificates are revoked: servers that know of a lower number are to be told.
  revocations bigint not null default 0
);

-- Kept for a day after they end: the audit log tells of them for good.
create table ssh_certificates (
  organization_id bigint not null references ssh_authorities (organization_id) on delete cascade,
  serial bigint not null,
  user_id bigint not null references users (id) on delete cascade,
  server_id bigint references servers (id) on delete set null,
  environment_id bigint,
  purpose text not null check (purpose in ('logs', 'shell')),
  key_id text not null,
  issued_at bigint not null,
  valid_before bigint not null,
  revoked_at bigint,
  primary key (organization_id, serial)
);
create index ssh_certificates_user_id on ssh_certificates (user_id);
create index ssh_certificates_server_id on ssh_certificates (server_id);
create index ssh_certificates_organization_id_valid_before on ssh_certificates (organization_id, valid_before);

-- Servers that were seen to trust the authority of their organization, at the address that the record has now.
create table ssh_access (
  server_id bigint primary key references servers (id) on delete cascade,
  authority_key text not null,
  seen_at bigint not null,
  -- The number of the revocations that the server has been told of.
  revocations bigint not null default 0
);
