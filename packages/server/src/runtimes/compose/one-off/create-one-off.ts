// Creates the container of a one-off command through the Engine API, and does not start it: the words of the command are in its
// definition, so no shell of the server reads them.
import { dockerScript } from '../../../commands/docker/script.ts'
import { CheckFailed } from '../../../domain/tasks/step-fault.ts'
import { runDocker } from '../../../remote/ask-docker.ts'
import type { Host } from '../../../remote/host.ts'
import type { ExecTarget, OneOff } from '../../runtime.ts'
import { connectCommand } from '../containers/create-again.ts'
import { inspectDefinition } from '../containers/definition.ts'
import { mountedPaths, oneOffBody } from './one-off-definition.ts'

export async function createOneOff(host: Host, target: ExecTarget, oneOff: OneOff): Promise<void> {
  const definition = await inspectDefinition(host, target.id)
  const paths = mountedPaths(definition, oneOff.releases)
  if (paths.length > 0) {
    const { exitCode, stdout } = await host.run(dockerScript('check-mounted', oneOff.releases, ...paths))
    if (exitCode !== 0) throw CheckFailed(stdout.toString().trim() || 'The mounted files cannot be checked')
  }
  const sentence = `A container like that of ${target.service} cannot be made on ${host.name}`
  const body = JSON.stringify(oneOffBody(definition, oneOff))
  await runDocker(host, { command: dockerScript('create-container', oneOff.container), input: body }, sentence)
  const networks = Object.keys(definition.NetworkSettings.Networks ?? {}).map((name) => [name, {}] as const)
  const nameless = { ...definition, NetworkSettings: { Networks: Object.fromEntries(networks) } }
  await runDocker(host, connectCommand(oneOff.container, nameless), sentence)
}
