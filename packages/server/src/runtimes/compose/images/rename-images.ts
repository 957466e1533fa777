// Renames what earlier versions built: the names of their images could be guessed by every build on the same server.

import { dockerScript } from '../../../commands/docker/script.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import type { ImagesToRename } from '../../runtime.ts'

/** Does nothing where every image has the name of now. Containers know their images by id, and do not notice. */
export async function renameImages(
  host: Host,
  { installationId, environmentIds, imageTokenOf }: ImagesToRename,
): Promise<void> {
  if (environmentIds.length === 0) return
  const words = environmentIds.flatMap((id) => [String(id), imageTokenOf(id)])
  await ask(host, dockerScript('rename-images', installationId, ...words), `Images cannot be renamed on ${host.name}`)
}
