// The folders on a server in which the files of actions are kept.
import { listArtifactFolders } from '../../commands/environment-folders.ts'
import { ask } from '../ask.ts'
import type { Host } from '../host.ts'

export type KeptFolder = { readonly path: string; readonly taskId: number }

/** `folder` is the platform's on that server, and paths begin there. Also those that a run was ended in the middle of. */
export async function listKeptFolders(host: Host, folder: string): Promise<readonly KeptFolder[]> {
  const listed = await ask(host, listArtifactFolders(folder), `The artifacts on ${host.name} could not be listed`)
  return listed.split('\n').flatMap((path) => {
    const taskId = /^environments\/\d+\/artifacts\/(\d{1,15})(?:\.new)?$/.exec(path)?.[1]
    return taskId === undefined ? [] : [{ path, taskId: Number(taskId) }]
  })
}
