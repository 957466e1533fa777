// Limits as a server can keep them: Docker starts no container that may use more processors than there are.
import type { Limits } from '../../../domain/compose/model.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { lastLine } from '../../../remote/last-line.ts'

export async function fitLimits(host: Host, limits: Limits): Promise<Limits> {
  if (limits.cpus === null) return limits
  const { exitCode, stdout, stderr } = await host.run(['docker', 'info', '--format', '{{.NCPU}}'])
  if (exitCode !== 0) throw CheckFailed(`Docker on ${host.name} cannot be asked: ${lastLine(stderr)}`)
  const present = Number(stdout.toString().trim())
  return { ...limits, cpus: present > 0 ? Math.min(limits.cpus, present) : limits.cpus }
}
