// Check runs of GitHub. Only an App can write them.
import { z } from 'zod'
import type { CheckRun } from '../../domain/repository/check-run.ts'
import type { ApiDialect } from './api-dialect.ts'

/** GitHub's limit for titles of check runs. */
const MOST_TITLE_CHARACTERS = 255

export const githubCheckRuns: NonNullable<ApiDialect['checkRuns']> = {
  find: (repository, { sha, name }, appId) => {
    const query = new URLSearchParams({ check_name: name, filter: 'latest', per_page: '100' })
    // Only the App that wrote a check run may change it.
    if (appId !== undefined) query.set('app_id', `${appId}`)
    return { method: 'GET', path: `/repos/${repository}/commits/${sha}/check-runs?${query}` }
  },
  readFound: (answer) =>
    Found.parse(answer).check_runs.map(({ id, external_id, output }) => ({
      id: String(id),
      externalId: external_id ?? null,
      hasAnnotations: (output?.annotations_count ?? 0) > 0,
    })),
  create: (repository, run) => ({
    method: 'POST',
    path: `/repos/${repository}/check-runs`,
    body: { head_sha: run.sha, ...bodyOf(run) },
  }),
  update: (repository, id, run) => ({
    method: 'PATCH',
    path: `/repos/${repository}/check-runs/${id}`,
    body: bodyOf(run),
  }),
}

const Found = z.object({
  check_runs: z.array(
    z.object({
      id: z.int(),
      external_id: z.string().nullish(),
      output: z.object({ annotations_count: z.int().nullish() }).nullish(),
    }),
  ),
})

function bodyOf({ name, externalId, url, state, title, summary, annotations, buttons }: CheckRun) {
  const isOpen = state === 'queued' || state === 'in_progress'
  return {
    name,
    external_id: externalId,
    details_url: url,
    // GitHub completes a run that has a conclusion, whatever its status.
    ...(isOpen ? { status: state } : { status: 'completed', conclusion: state }),
    output: {
      title: title.slice(0, MOST_TITLE_CHARACTERS),
      summary,
      ...(annotations.length > 0 && {
        annotations: annotations.map(({ path, line, message }) => ({
          path,
          start_line: line,
          end_line: line,
          annotation_level: 'failure',
          message,
        })),
      }),
    },
    actions: buttons.map(({ label, description, action }) => ({ label, description, identifier: action })),
  }
}
