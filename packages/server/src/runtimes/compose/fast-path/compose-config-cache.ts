// What Compose printed for an environment last: while nothing of what it reads has changed, it is not asked again. All that is judged of
// it is judged anew each time.
//
// What it reads: its words, the files that it is told beside the compose files, the variables, and, by their digests on the server, the
// compose files with all that they draw in; and the program itself with its environment.
import { z } from 'zod'
import type { ComposeProject } from '../../../commands/docker/compose.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Folders } from '../../../deployment/folders.ts'
import type { ComposeFiles } from '../../../recipes/docker/release/find-compose-files.ts'
import type { ComposeConfigCache } from '../../../recipes/recipe-context.ts'
import type { Host } from '../../../remote/host.ts'
import { Secret } from '../../../secrets/secret.ts'

export type CachedConfig = {
  readonly model: string
  /** Without the variables that no build may get; null where there are none such. */
  readonly forBuilds: string | null
}

type Reading = {
  readonly files: ComposeFiles
  readonly folders: Folders
  readonly project: ComposeProject
  /** The contents of the files that it is told, by their paths, and of the variables file. */
  readonly told: ReadonlyMap<string, Secret>
}

/** Undefined where not all of it can be known. */
export async function inputsOf(host: Host, { files, folders, project, told }: Reading): Promise<Secret | undefined> {
  const reads = files.type === 'generated' ? [] : files.reads
  if (reads === undefined || !PLAIN.test(folders.release)) return undefined
  const { exitCode, stdout } = await host.run(dockerScript('inputs-of-compose', folders.release, ...reads))
  const seen = stdout.toString()
  if (exitCode !== 0 || !/\/docker-compose \d+:\d+ \d+ \d+ \d+$/m.test(seen)) return undefined
  // No text of a user can hold the sign that stands for these.
  const relative = (text: string): string =>
    text.replaceAll(inText(folders.release), '\0release').replaceAll(inText(folders.task), '\0task')
  const { name, directory, profiles } = project
  const words = [name, directory, ...project.files, ...project.variableFiles].map(relative)
  const document = files.type === 'generated' ? files.document : null
  const contents = [...told].map(([path, content]) => [relative(path), relative(content.reveal())])
  return new Secret(JSON.stringify([seen, reads, words, profiles, document, contents]))
}

/** One that no escape of JSON alters, and whose end can be told. */
const PLAIN = /^[\w./-]+$/

/** A folder, and no longer name that begins like it. */
const inText = (folder: string): RegExp => new RegExp(`${folder.replaceAll('.', '\\.')}(?![\\w.-])`, 'g')

export function cacheConfig(
  models: ComposeConfigCache,
  inputs: Secret,
  { model, forBuilds, release, task }: CachedConfig & Pick<Folders, 'release' | 'task'>,
): void {
  // A file of the task would be gone with it; and whether a context is a folder, Compose looks up itself.
  const isBound = (text: string | null): boolean =>
    text?.includes(`${task}/`) === true || /"additional_contexts"/.test(text ?? '')
  if (isBound(model) || isBound(forBuilds)) return
  models.keep(new Secret(JSON.stringify([release, model, forBuilds])), inputs)
}

/** As Compose would print it for this release: its folder is another one each time. */
export function findCachedConfig(
  models: ComposeConfigCache,
  inputs: Secret,
  { release }: Pick<Folders, 'release'>,
): CachedConfig | undefined {
  const found = models.find(inputs)
  if (!found) return undefined
  const [before, model, forBuilds] = z
    .tuple([z.string(), z.string(), z.string().nullable()])
    .parse(JSON.parse(found.reveal()))
  const here = (text: string): string => text.replaceAll(inText(before), release)
  return { model: here(model), forBuilds: forBuilds === null ? null : here(forBuilds) }
}
