// The home folder of the platform's user on a server.
import { findHomeFolder } from '../commands/environment-folders.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import type { Host } from './host.ts'

export async function findHome(host: Host): Promise<string> {
  const { exitCode, stdout } = await host.run(findHomeFolder())
  const home = stdout.toString().trim()
  if (exitCode !== 0 || !home.startsWith('/'))
    throw CheckFailed(`${host.name} gives the platform's user no home folder`)
  return home
}
