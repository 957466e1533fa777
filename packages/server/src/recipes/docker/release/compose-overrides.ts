// Override files for Compose, so that it accepts compose files as people write them.

import { posix } from 'node:path'
import { parseDotenv } from '@shipway/rules/compose/source/dotenv'
import { isReserved } from '@shipway/rules/compose/source/known-variables'
import type { ComposeProject } from '../../../commands/docker/compose.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { variableFileWithout } from '../../../deployment/write-variables.ts'
import { Secret } from '../../../secrets/secret.ts'
import { renderVariableFile } from '../../../secrets/variable-file.ts'
import type { CommitFiles } from './commit-files.ts'
import type { ComposeFiles } from './find-compose-files.ts'

type OverrideSources = {
  /** Called only where an override file needs something of the commit. */
  readonly openCommit: () => Promise<CommitFiles>
  readonly files: Extract<ComposeFiles, { type: 'files' }>
  readonly folders: Folders
  readonly deployment: Deployment
  readonly project: ComposeProject
}

/** The contents of the override files, by path. */
export async function overrideFiles(telling: OverrideSources): Promise<ReadonlyMap<string, Secret>> {
  const { openCommit, files, folders, deployment, project } = telling
  const overrides = new Map<string, Secret>()
  if (files.hasDefaults)
    overrides.set(folders.defaults, await defaultsOf(await openCommit(), files.files[0] ?? '', project.directory))
  if (Object.keys(files.envFiles).length > 0)
    overrides.set(folders.envFiles, new Secret(envFilesOf(files.envFiles, folders)))
  if (files.hidden.length > 0) overrides.set(folders.buildVariables, variableFileWithout(deployment, files.hidden))
  return overrides
}

/** Compose never reads the file itself: names in it could steer Docker, and it could be a link. */
async function defaultsOf({ read, links }: CommitFiles, first: string, directory: string): Promise<Secret> {
  const file = posix.join(posix.dirname(first), '.env')
  const content = links.has(file) ? undefined : await read(file)
  const values =
    content instanceof Uint8Array ? parseDotenv(new TextDecoder().decode(content)) : new Map<string, string>()
  return renderVariableFile(new Map([...[...values].filter(([name]) => !isReserved(name)), ['PWD', directory]]))
}

/** A file that Compose merges over the others. It replaces lists that name missing files. */
function envFilesOf(envFiles: Readonly<Record<string, readonly string[]>>, { release }: Folders): string {
  const services = Object.entries(envFiles).map(([name, files]) => {
    const paths = files.map((file) => JSON.stringify(`${release}/${file}`.replaceAll('$', '$$$$')))
    return `  ${JSON.stringify(name)}: { env_file: !override [${paths.join(', ')}] }\n`
  })
  return `services:\n${services.join('')}`
}
