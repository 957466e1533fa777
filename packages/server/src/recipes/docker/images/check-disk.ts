// Looks whether a server has room for a build, and makes some where it has too little.
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import type { Deployment } from '../../deployment.ts'
import type { DoStep } from '../../run.ts'
import { askDocker } from '../ask-docker.ts'
import { dockerScript } from '../script.ts'

const MEBIBYTE_KIB = 1024

type Disk = Pick<Deployment, 'leastDiskMebibytes' | 'freeDisk'>

export function checkDisk(step: DoStep, deployment: Disk, folder: string): Promise<void> {
  return step('Check the disk', async ({ host, say }) => {
    const least = deployment.leastDiskMebibytes
    const before = await readFree(host, folder)
    say(`${before} MiB are free`)
    if (before >= least) return
    say(`A build needs ${least} MiB: the build cache and images that nobody needs are removed`)
    await deployment.freeDisk()
    const free = await readFree(host, folder)
    say(`${free} MiB are free`)
    if (free >= least) return
    throw CheckFailed(
      `${host.name} has ${free} MiB of disk left, and a build needs ${least} MiB. Free some, or enlarge the disk`,
    )
  })
}

async function readFree(host: Host, folder: string): Promise<number> {
  const printed = await askDocker(host, dockerScript('check-disk', folder))
  return Math.floor(Math.min(...printed.trim().split('\n').map(Number)) / MEBIBYTE_KIB)
}
