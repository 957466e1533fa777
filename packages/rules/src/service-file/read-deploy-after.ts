// Reads `deploy_after` of `.service.yml`: what pushes and pull requests wait for before they are deployed.
import { CheckName, MOST_CHECK_NAMES } from '@shipway/api/values/check-name'
import { z } from 'zod'
import { type ConfigNode, isList, isSection, readList, readOptional, readSection, readValue } from './config-node.ts'
import { Duration } from './repository-config-values.ts'

export type FileDeployAfter = {
  /** Empty: the required checks, or all that are reported. */
  readonly names: readonly string[]
  /** Null: the default. */
  readonly minutes: number | null
}

const Checks = z.literal('checks', { error: 'Give checks, or a section with checks and timeout' })

/** `checks`, or a section that names them: `{ checks: [build, lint], timeout: 20m }`. */
export function readDeployAfter(node: ConfigNode | undefined): FileDeployAfter | undefined {
  if (!node) return undefined
  if (!isSection(node)) return readValue(node, Checks) && { names: [], minutes: null }
  const field = readSection(node, ['checks', 'timeout'])
  const named = field('checks')
  const nodes = named ? (isList(named) ? (readList(named, MOST_CHECK_NAMES) ?? []) : [named]) : []
  const names = nodes.map((node) => readValue(node, CheckName)).filter((name) => name !== undefined)
  const timeoutMs = readOptional(field('timeout'), Duration)
  return { names, minutes: timeoutMs === null ? null : Math.max(1, Math.round(timeoutMs / 60_000)) }
}
