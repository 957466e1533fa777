// By which it is known whether images were built with the variables of now.
import { hash } from 'node:crypto'
import type { Deployment } from '../../../../deployment/deployment.ts'
import { renderVariableFile } from '../../../../secrets/variable-file.ts'

/** Empty where no variable is handed to builds. Those are no secrets, so their digest is none. */
export function buildStamp({ variables, buildKeys }: Pick<Deployment, 'variables' | 'buildKeys'>): string {
  const handed = [...variables]
    .filter(([key]) => buildKeys.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return handed.length === 0 ? '' : hash('sha256', renderVariableFile(new Map(handed)).reveal())
}
