// Renames images of earlier versions of the platform: any build on the same server could guess their names.

import { dockerScript } from '../../../commands/docker/script.ts'
import { ask } from '../../../remote/ask.ts'
import type { Host } from '../../../remote/host.ts'
import type { ImagesToRename } from '../../runtime.ts'

/** Does nothing where every image has its present name. Containers refer to images by id, so they are not affected. */
export async function renameImages(
  host: Host,
  { installationId, environmentIds, imageTokenOf }: ImagesToRename,
): Promise<void> {
  if (environmentIds.length === 0) return
  const words = environmentIds.flatMap((id) => [String(id), imageTokenOf(id)])
  await ask(host, dockerScript('rename-images', installationId, ...words), `Images cannot be renamed on ${host.name}`)
}
