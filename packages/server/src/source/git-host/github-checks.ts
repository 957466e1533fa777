// Checks of a commit at GitHub: check runs of Apps, and commit statuses.
import { z } from 'zod'
import type { ReportedCheck } from '../../domain/repository/commit-checks.ts'
import { fieldOf, listOf } from '../../domain/repository/reported-values.ts'
import type { ApiDialect } from './api-dialect.ts'

export const githubChecks: Pick<ApiDialect, 'checkLists' | 'readChecks' | 'required'> = {
  checkLists: [
    (repository, sha, page) => ({
      method: 'GET',
      path: `/repos/${repository}/commits/${sha}/check-runs?filter=latest&per_page=100&page=${page}`,
    }),
    (repository, sha, page) => ({
      method: 'GET',
      path: `/repos/${repository}/commits/${sha}/status?per_page=100&page=${page}`,
    }),
  ],
  readChecks: (answer) => {
    const { check_runs, statuses } = Checks.parse(answer)
    if (check_runs) return check_runs.map(checkOfRun)
    return (statuses ?? []).map(({ context, state }) => ({ name: context, state: STATUS_STATES[state] ?? 'pending' }))
  },
  required: {
    // Of rulesets, and of the older protection of branches; both can be read without being an administrator.
    list: (repository, branch) => [
      { method: 'GET', path: `/repos/${repository}/rules/branches/${encodeURIComponent(branch)}?per_page=100` },
      { method: 'GET', path: `/repos/${repository}/branches/${encodeURIComponent(branch)}` },
    ],
    read: (answer) =>
      Array.isArray(answer)
        ? answer.flatMap((rule) => contextsOf(listOf(fieldOf(rule, 'parameters', 'required_status_checks'))))
        : listOf(fieldOf(answer, 'protection', 'required_status_checks', 'contexts')).filter(isText),
  },
}

const Checks = z.union([
  z.object({
    check_runs: z.array(z.object({ name: z.string(), status: z.string(), conclusion: z.string().nullish() })),
    statuses: z.undefined().optional(),
  }),
  z.object({
    statuses: z.array(z.object({ context: z.string(), state: z.string() })),
    check_runs: z.undefined().optional(),
  }),
])

/** An action that a person must take may still turn it green. */
const CONCLUSIONS: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'green',
  neutral: 'green',
  skipped: 'green',
  action_required: 'pending',
}

function checkOfRun({
  name,
  status,
  conclusion,
}: {
  name: string
  status: string
  conclusion?: string | null | undefined
}) {
  const state = status === 'completed' ? (CONCLUSIONS[conclusion ?? ''] ?? 'red') : 'pending'
  return { name, state } satisfies ReportedCheck
}

const STATUS_STATES: Readonly<Record<string, ReportedCheck['state']>> = {
  success: 'green',
  pending: 'pending',
  failure: 'red',
  error: 'red',
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const contextsOf = (checks: readonly unknown[]): readonly string[] =>
  checks.map((check) => fieldOf(check, 'context')).filter(isText)
