-- Certificates for the domains that environments answer at: supplied for a project, or ordered for a domain.

create table certificates (
  id {{id}},
  project_id bigint not null references projects (id) on delete cascade,
  source text not null check (source in ('supplied', 'acme')),
  -- Null for a supplied one, which may cover many. Not a reference: a deployment writes its domains anew.
  domain text,
  -- Names the place of the sealed key: there before the row is, and new with each key.
  key_id text,
  chain text,
  private_key_sealed text,
  -- What the first certificate of the chain says; names are JSON as text.
  names text not null default '[]',
  issuer text,
  fingerprint text,
  not_before bigint,
  not_after bigint,
  -- Of orders since the last one that succeeded, and when the next may be tried.
  failures integer not null default 0,
  last_error text,
  next_attempt_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  check ((source = 'supplied') = (domain is null)),
  check ((chain is null) = (private_key_sealed is null))
);
create unique index certificates_project_id_unique on certificates (project_id) where domain is null;
create unique index certificates_project_id_domain_unique on certificates (project_id, domain) where domain is not null;

-- What the edge of a server holds: the digest tells a renewed or re-issued one from the one before. Not a reference: what is deleted
-- here is still there until it was taken from the server.
create table installed_certificates (
  server_id bigint not null references servers (id) on delete cascade,
  certificate_id bigint not null,
  digest text not null,
  installed_at bigint not null,
  primary key (server_id, certificate_id)
);
create index installed_certificates_certificate_id on installed_certificates (certificate_id);

-- Work that one process of the platform does at a time, by its name.
create table leases (
  name text primary key,
  holder text not null,
  until bigint not null
);
