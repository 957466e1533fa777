// Reads files of the commit that is deployed.

import type { Deployment } from '../../deployment/deployment.ts'
import { SourceError } from '../../source/source-error.ts'
import type { RecipeContext } from '../recipe-context.ts'

const MOST_BYTES = 1024 * 1024

/** Returns a sentence for a file that exists and cannot be read. */
export const commitFileReader =
  (
    { source }: Pick<RecipeContext, 'source'>,
    { deployment, sha }: { readonly deployment: Deployment; readonly sha: string },
  ) =>
  (path: string): Promise<Buffer | string | undefined> =>
    source.readFile(deployment.project.id, sha, { path, maxBytes: MOST_BYTES }).catch((error: unknown) => {
      if (error instanceof SourceError) return error.message
      throw error
    })
