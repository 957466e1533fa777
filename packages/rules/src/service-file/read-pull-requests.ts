// Reads the section `pull_requests` of `.service.yml`: which pull requests get an environment. With it comes `deploy_after`, since both count
// from the default branch alone.
import { hoursOfLifetime, Lifetime } from '@shipway/api/values/lifetime'
import { FilterPattern, Label, MOST_FILTER_ENTRIES, PullRequestsEnabled } from '@shipway/api/values/pull-request-rules'
import type { z } from 'zod'
import { addFault, type ConfigNode, isList, readList, readOptional, readSection, readValue } from './config-node.ts'
import { type FileDeployAfter, readDeployAfter } from './read-deploy-after.ts'
import { type FileFault, RepositoryConfigFault } from './repository-config.ts'
import { Flag } from './repository-config-values.ts'
import { parseRepositoryYaml } from './repository-yaml.ts'

/** What the file says; the project's settings decide the rest. */
export type FilePullRequestRules = {
  readonly enabled?: boolean | 'label'
  readonly labels?: readonly string[]
  readonly drafts?: boolean
  readonly bots?: boolean
  readonly targetBranches?: readonly string[]
  readonly paths?: readonly string[]
  readonly comments?: boolean
  readonly expireAfterHours?: number
  /** Of the key beside the section. */
  readonly deployAfter?: FileDeployAfter
}

/**
 * The section of a whole file. Faults elsewhere in the file do not matter here. Throws a RepositoryConfigFault with every fault of the
 * section; there is no other error.
 */
export function readPullRequestRules(content: string | Uint8Array): FilePullRequestRules {
  const { root, positionAt } = parseRepositoryYaml(content)
  const faults: FileFault[] = []
  const start = root.range?.[0] ?? 0
  const file: ConfigNode = {
    path: '',
    value: root,
    offset: start,
    keyOffset: start,
    file: { faults: [], positionAt },
  }
  const section = readSection(file, ['pull_requests', 'deploy_after'])
  const node = (key: 'pull_requests' | 'deploy_after'): ConfigNode | undefined => {
    const found = section(key)
    return found && { ...found, file: { faults, positionAt } }
  }
  const rules = readPullRequests(node('pull_requests'))
  const deployAfter = readDeployAfter(node('deploy_after'))
  if (faults.length > 0) throw new RepositoryConfigFault(faults)
  return { ...rules, ...(deployAfter && { deployAfter }) }
}

const KEYS = ['enabled', 'labels', 'drafts', 'bots', 'target_branches', 'paths', 'comments', 'expire_after'] as const

export function readPullRequests(node: ConfigNode | undefined): FilePullRequestRules {
  if (!node) return {}
  const field = readSection(node, KEYS)
  const enabled = readOptional(field('enabled'), PullRequestsEnabled)
  const labels = readAll(field('labels'), Label)
  if (enabled === 'label' && !labels?.length)
    addFault(node, field('enabled')?.offset ?? node.offset, 'Name at least one label under labels')
  const lifetime = readOptional(field('expire_after'), Lifetime)
  const rules = {
    enabled,
    labels,
    drafts: readOptional(field('drafts'), Flag),
    bots: readOptional(field('bots'), Flag),
    targetBranches: readAll(field('target_branches'), FilterPattern),
    paths: readAll(field('paths'), FilterPattern),
    comments: readOptional(field('comments'), Flag),
    expireAfterHours: lifetime === null ? null : (hoursOfLifetime(lifetime) ?? null),
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== null))
}

/** One value may stand for a list of one. Null where the file leaves it out. */
function readAll(node: ConfigNode | undefined, schema: z.ZodType<string>): readonly string[] | null {
  if (!node) return null
  const nodes = isList(node) ? (readList(node, MOST_FILTER_ENTRIES) ?? []) : [node]
  return nodes.map((node) => readValue(node, schema)).filter((value) => value !== undefined)
}
