-- 1: members without two-factor codes have no access to the organization until they turn them on.
alter table organizations add column require_two_factor integer not null default 0 check (require_two_factor in (0, 1));
