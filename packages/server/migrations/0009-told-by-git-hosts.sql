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
