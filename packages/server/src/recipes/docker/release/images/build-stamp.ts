// A stamp of the variables that images were built with.
import { hash } from 'node:crypto'
import type { Deployment } from '../../../../deployment/deployment.ts'
import { renderVariableFile } from '../../../../secrets/variable-file.ts'

/** Empty where builds get no variables. Those that they get are not secret, so their digest is not either. */
export function buildStamp({ variables, buildKeys }: Pick<Deployment, 'variables' | 'buildKeys'>): string {
  const passed = [...variables]
    .filter(([key]) => buildKeys.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return passed.length === 0 ? '' : hash('sha256', renderVariableFile(new Map(passed)).reveal())
}
