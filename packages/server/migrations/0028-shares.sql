-- Certificates that were ordered from the authority lately: it allows one account few, which the organizations share. The authority counts
-- those of an organization that was deleted too, so they refer to none.
create table placed_orders (
  id {{id}},
  organization_id bigint not null,
  placed_at bigint not null
);
create index placed_orders_placed_at on placed_orders (placed_at);

-- For what one user has written lately, and for what is kept of one user.
create index audit_events_user_id on audit_events (user_id, created_at);
