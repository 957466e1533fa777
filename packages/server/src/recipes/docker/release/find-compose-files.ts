// Finds the compose files of the commit and checks whether Compose may read them. Reads the mirror, before anything runs.
import { posix } from 'node:path'
import { composeForDockerfile } from '@shipway/rules/compose/compose-for-dockerfile'
import type { JsonObject } from '@shipway/rules/compose/model'
import type { ExplicitWrite } from '@shipway/rules/compose/mounts/explicit-writes'
import type { LeftOut } from '@shipway/rules/compose/read-compose-files'
import { findComposeSource, NO_COMPOSE_FILE } from '@shipway/rules/service-file/find-compose-source'
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { CheckFailed, ChecksFailed } from '../../../domain/tasks/step-fault.ts'
import { type CommitFiles, foreseenFaults, readFilesOf } from './commit-files.ts'

/** Files of the checkout, or one that the platform writes for a lone Dockerfile. */
export type ComposeFiles = {
  /** The symbolic links of the checkout. */
  readonly links: readonly string[]
  /** Mounts that the files say may be written to. */
  readonly writes: readonly ExplicitWrite[]
} & (
  | ({ readonly type: 'files'; readonly files: readonly string[] } & ComposeOptions)
  | { readonly type: 'generated'; readonly document: JsonObject }
)

/** What Compose gets beside the files. */
type ComposeOptions = {
  readonly profiles: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** The existing env files of each service that also names a missing one. */
  readonly envFiles: Readonly<Record<string, readonly string[]>>
  /** Variables that builds are resolved without. */
  readonly hidden: readonly string[]
  /** Whether the commit has values for variables, or a file uses `PWD`. */
  readonly hasDefaults: boolean
  /** All files that Compose reads; undefined where they are many, or an earlier version of the platform has found them. */
  readonly reads?: readonly string[]
}

type FileSearch = { readonly commit: CommitFiles; readonly deployment: Deployment; readonly config: DockerConfig }

export async function findComposeFiles(
  io: Pick<StepIo, 'say'>,
  { commit: opened, deployment, config }: FileSearch,
): Promise<ComposeFiles> {
  const commit = { ...opened, read: readOnce(opened.read) }
  const source = config.source ?? (await findComposeSource(commit.read))
  if (source === null) throw CheckFailed(NO_COMPOSE_FILE)
  const links = [...commit.links]
  const { services, profiles } = config
  if (source.type === 'build') {
    io.say(`${source.context}/${source.dockerfile}`)
    return { type: 'generated', links, writes: [], document: composeForDockerfile({ build: source, services }) }
  }
  const { files } = source
  // The reader below goes through them one by one, and each takes git a moment: fetch them in parallel first.
  const first = [...files.slice(0, MOST_AT_ONCE), posix.join(posix.dirname(files[0] ?? ''), '.env')]
  await Promise.all(first.map(commit.read))
  const found = await readFilesOf(commit, { files, profiles, deployment })
  if (found.faults.length > 0) {
    throw ChecksFailed(await foreseenFaults(commit, found, { files, profiles, services, deployment }))
  }
  for (const file of files) io.say(file)
  for (const { sentence } of found.remarks) io.say(sentence)
  const { writes, leftOut, envFiles, hidden, hasDefaults, reads } = found
  const options = { profiles, leftOut, envFiles, hidden, hasDefaults, ...(reads.length <= MOST_READ && { reads }) }
  return { type: 'files', links, files, writes, ...options }
}

const MOST_READ = 100
const MOST_AT_ONCE = 3

/** Reads each file only once. */
function readOnce(read: CommitFiles['read']): CommitFiles['read'] {
  const known = new Map<string, ReturnType<typeof read>>()
  return (path) => {
    const reading = known.get(path) ?? read(path)
    known.set(path, reading)
    return reading
  }
}
