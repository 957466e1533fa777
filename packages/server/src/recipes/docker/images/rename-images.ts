// Renames what earlier versions built: the names of their images could be guessed by every build on the same server.
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'
import { dockerScript } from '../script.ts'

type Renaming = {
  readonly installationId: string
  readonly environmentIds: readonly number[]
  readonly imageTokenOf: (environmentId: number) => string
}

/** Does nothing where every image has the name of now. Containers know their images by id, and do not notice. */
export async function renameImages(
  host: Host,
  { installationId, environmentIds, imageTokenOf }: Renaming,
): Promise<void> {
  if (environmentIds.length === 0) return
  const words = environmentIds.flatMap((id) => [String(id), imageTokenOf(id)])
  const { exitCode, stderr } = await host.run(dockerScript('rename-images', installationId, ...words))
  if (exitCode !== 0) throw CheckFailed(`Images cannot be renamed on ${host.name}: ${lastLine(stderr)}`)
}
