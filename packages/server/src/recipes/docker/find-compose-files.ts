// Which compose files the commit has, and whether each may be read by Compose at all. Read from the mirror: nothing ran yet.
import { posix } from 'node:path'
import { composeForDockerfile } from '@shipway/rules/compose/compose-for-dockerfile'
import type { JsonObject } from '@shipway/rules/compose/model'
import type { ExplicitWrite } from '@shipway/rules/compose/mounts/explicit-writes'
import type { ComposeSource } from '@shipway/rules/compose/policy/check-compose-source'
import type { DockerConfig } from '@shipway/rules/service-file/repository-config'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { checkComposeFile } from '../../source/files/check-compose-file.ts'
import type { Deployment } from '../deployment.ts'
import type { Doors } from '../doors.ts'
import { ensureCommit } from '../prepare.ts'
import type { StepIo } from '../run.ts'

/** Files of the checkout, or one that the platform writes for a lone Dockerfile. */
export type ComposeFiles = {
  /** The symbolic links of the checkout. */
  readonly links: readonly string[]
  /** Mounts that the files say may be written to. */
  readonly writes: readonly ExplicitWrite[]
} & (
  | { readonly type: 'files'; readonly files: readonly string[] }
  | { readonly type: 'generated'; readonly document: JsonObject }
)

const USUAL_NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const MOST_BYTES = 1024 * 1024
const MOST_FILES = 50

type What = { readonly deployment: Deployment; readonly sha: string; readonly config: DockerConfig }

export async function findComposeFiles(
  io: StepIo,
  doors: Doors,
  { deployment, sha, config }: What,
): Promise<ComposeFiles> {
  await ensureCommit(io, doors, { deployment, sha })
  const projectId = deployment.project.id
  const read = (path: string) => doors.source.readFile(projectId, sha, { path, maxBytes: MOST_BYTES })
  const links = await doors.source.listLinks(projectId, sha)
  const source = config.source ?? (await findUsual(read))
  if (source.type === 'build') {
    const services = config.services.map(({ name, port }) => ({ name, port }))
    io.say(`${source.context}/${source.dockerfile}`)
    const document = composeForDockerfile({ build: source, services })
    return { type: 'generated', links: [...links], writes: [], document }
  }
  const writes = await checkSources(read, links, source.files)
  for (const file of source.files) io.say(file)
  return { type: 'files', links: [...links], writes, files: source.files }
}

type Read = (path: string) => Promise<Buffer | undefined>

async function findUsual(read: Read): Promise<NonNullable<DockerConfig['source']>> {
  for (const name of USUAL_NAMES) if (await read(name)) return { type: 'compose', files: [name] }
  if (await read('Dockerfile')) return { type: 'build', context: '.', dockerfile: 'Dockerfile' }
  throw CheckFailed(
    `The repository root has none of ${[...USUAL_NAMES, 'Dockerfile'].join(', ')}. Name the file in .service.yml: docker.compose or docker.build`,
  )
}

/** Also those that they include or extend: Compose would read them before anything could be checked. */
async function checkSources(
  read: Read,
  links: ReadonlySet<string>,
  first: readonly string[],
): Promise<readonly ExplicitWrite[]> {
  const writes: ExplicitWrite[] = []
  // Paths of all the named files are relative to where the first lies, which is the project's directory.
  const folder = posix.dirname(first[0] ?? '.')
  const waiting: ComposeSource[] = first.map((file) => ({ file, folder }))
  // Where its paths lead depends on who draws a file in.
  const keyOf = ({ file, folder }: ComposeSource): string => `${folder}\n${file}`
  const seen = new Set(waiting.map(keyOf))
  for (let source = waiting.shift(); source; source = waiting.shift()) {
    const content = await read(source.file)
    if (!content) throw CheckFailed(`${source.file} is not in the repository`)
    const { files, writes: own } = await checkComposeFile({ ...source, content, links: [...links] })
    writes.push(...own)
    for (const further of files.filter((drawn) => !seen.has(keyOf(drawn)))) {
      seen.add(keyOf(further))
      waiting.push(further)
    }
    if (seen.size > MOST_FILES) throw CheckFailed(`The compose file leads to more than ${MOST_FILES} files`)
  }
  return writes
}
