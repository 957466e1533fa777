// Tables that pages show are written through `tx` only, so that each write notifies subscribers.
import type { Problem, Rule } from './problem.ts'
import { isProductCode, lineAt, type SourceFile } from './source-file.ts'

const shown = [
  ...[
    'organizations',
    'memberships',
    'invitations',
    'users',
    'personal_tokens',
    'projects',
    'project_servers',
    'certificates',
  ],
  ...[
    'project_variables',
    'environments',
    'variables',
    'domains',
    'routes',
    'services',
    'grants',
    'approvals',
    'pull_requests',
  ],
  ...['servers', 'tasks', 'steps', 'outputs', 'environment_actions', 'artifacts'],
].join('|')

/** Invisible writes: a lock rewrites a column with its own value; no page shows leases, when a credential was last used, or what samples counted. */
const unseen =
  /set (id|epoch) = \1\b|set lease_until|lease_until = |edge_version|eb\.ref\('id'\)|last_used_at|machine_id|reconciled_at|repository_external_id|counted_restarts/

const built = new RegExp(
  `\\b(db|database)\\s*\\.(insertInto|updateTable|deleteFrom)\\('(${shown})'\\)[^;]*?\\.execute`,
  'g',
)
const raw = new RegExp(
  `(insert into|update|delete from)\\s+(${shown})\\b[^\`]*\`\\s*\\.execute\\(\\s*(db|database)\\b`,
  'g',
)

export const notifiedWrites: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('packages/server/src/store/') && isProductCode(path))
    .flatMap((file) => [...problemsOf(file, built), ...problemsOf(file, raw)])

function problemsOf({ path, text }: SourceFile, pattern: RegExp): Problem[] {
  return [...text.matchAll(pattern)]
    .filter(([found]) => !unseen.test(found))
    .map(({ index }) => ({
      path,
      line: lineAt(text, index),
      message: 'a page shows this: take a Change, write through it and tell what was changed',
    }))
}
