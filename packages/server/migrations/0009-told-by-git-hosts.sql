-- How events of one moment are told apart, which git host it is, and what a delivery was about.

-- Closings less reopenings of the pull request that were told with the time of host_updated_at.
alter table pull_requests add column host_closings integer not null default 0;

-- 1: it was guessed from the name of the host; the first genuine delivery tells.
alter table projects add column is_host_guessed integer not null default 0 check (is_host_guessed in (0, 1));
update projects set is_host_guessed = 1 where repository_host = 'github';

alter table deliveries add column pull_request_number bigint;
alter table deliveries add column branch text;
alter table deliveries add column environment_id bigint references environments (id) on delete set null;
-- The git host that it looked like, by its headers, where that is not the one of the project.
alter table deliveries add column sent_by text check (sent_by in ('github', 'gitlab', 'gitea', 'bitbucket'));

-- Names such as pr-7.example.com and pr-7-api.example.com belong to the environment of that pull request. The number is the
-- environment's own, null where it is a manual one. -1: the name was taken before there was this rule, and stays until it changes.
alter table domains add column pull_request_number bigint;
update domains set pull_request_number = (
  select e.pull_request_number from environments e where e.id = domains.environment_id);
update domains set pull_request_number = -1 where
  substr(domain, 1, 3) = 'pr-' and substr(domain, 4, 1) in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')
  and substr(ltrim(substr(domain, 4), '0123456789'), 1, 1) in ('.', '-')
  and domain not like 'pr-' || cast(coalesce(pull_request_number, -2) as text) || '.%'
  and domain not like 'pr-' || cast(coalesce(pull_request_number, -2) as text) || '-%';
alter table domains add column is_own_name integer not null default 1 check (is_own_name = 1 and (
  substr(domain, 1, 3) <> 'pr-' or substr(domain, 4, 1) not in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')
  or substr(ltrim(substr(domain, 4), '0123456789'), 1, 1) not in ('.', '-')
  or coalesce(pull_request_number, -2) = -1
  or domain like 'pr-' || cast(coalesce(pull_request_number, -2) as text) || '.%'
  or domain like 'pr-' || cast(coalesce(pull_request_number, -2) as text) || '-%'));
