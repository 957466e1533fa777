-- What runs the containers of a server.
alter table servers add column runtime text not null default 'compose' check (runtime in ('compose'));
