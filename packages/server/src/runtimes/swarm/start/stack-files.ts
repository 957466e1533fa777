// Makes the files that containers get ready on the manager: the Swarm stores them, and hands them to the nodes.
import { hash } from 'node:crypto'
import type { ComposeModel } from '@shipway/rules/compose/model'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Folders } from '../../../deployment/folders.ts'
import { type StackFile, stackFiles } from '../../../domain/swarm/stack-files.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { writeSecretFile } from '../../../remote/write-secret-file.ts'
import { Secret } from '../../../secrets/secret.ts'

type FilesOfStack = {
  readonly model: ComposeModel
  readonly variables: ReadonlyMap<string, string>
  readonly folders: Pick<Folders, 'release'>
  /** For the copies; only the platform's user can read it. */
  readonly folder: string
}

export async function prepareStackFiles(
  host: Host,
  { model, variables, folders, folder }: FilesOfStack,
): Promise<ReadonlyMap<string, StackFile>> {
  const sources = stackFiles(model, variables)
  const copied = sources.flatMap(({ key, content }) => (content.type === 'file' ? [{ key, path: content.path }] : []))
  const ready = new Map<string, StackFile>()
  if (copied.length > 0) {
    const command = dockerScript('copy-stack-files', folders.release, folder, ...copied.map(({ path }) => path))
    const printed = await ask(host, command, ({ stderr }) => CheckFailed(lastLine(stderr)))
    const lines = printed.split('\n')
    for (const [index, { key }] of copied.entries()) {
      const [digest = '', kind] = (lines[index] ?? '').split(' ')
      ready.set(key, { path: `${folder}/${index + 1}`, digest, isExecutable: kind === 'x' })
    }
  }
  for (const [index, { key, content }] of sources.entries()) {
    if (content.type !== 'text') continue
    const path = `${folder}/text-${index}`
    await writeSecretFile(host, path, { content: new Secret(content.text) })
    ready.set(key, { path, digest: hash('sha256', content.text), isExecutable: false })
  }
  return ready
}
