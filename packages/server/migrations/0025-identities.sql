-- People as an OpenID Connect provider knows them, and sign-ins there that are under way.

-- An issuer never gives one subject to two people, whatever happens to names and e-mail addresses: only these two tell who somebody is.
create table identities (
  id {{id}},
  user_id bigint not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  -- As the provider told it then. It is shown, and nobody is found by it.
  email text,
  created_at bigint not null,
  last_used_at bigint
);
create unique index identities_issuer_subject_unique on identities (issuer, subject);
create unique index identities_user_id_issuer_unique on identities (user_id, issuer);

-- Each is used once, with the token that the cookie of the browser holds. State, nonce and code verifier are made of that token, so
-- nothing here is a secret.
create table provider_requests (
  token_digest text primary key,
  -- Who links the provider; null where somebody signs in.
  user_id bigint references users (id) on delete cascade,
  next text not null,
  expires_at bigint not null
);
create index provider_requests_expires_at on provider_requests (expires_at);
