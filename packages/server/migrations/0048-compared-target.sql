-- The target branch that the changed files of `compared_sha` were compared with. Null: not known, so they are compared again.
alter table pull_requests add column compared_target text;
