-- Why the platform removed an environment by itself, in words: for the project and the pull request.
alter table tasks add column because text;

-- A user who was deleted keeps a row, so that whatever that person did still names somebody. Nobody can sign in to it.
alter table users add column deleted_at bigint;
