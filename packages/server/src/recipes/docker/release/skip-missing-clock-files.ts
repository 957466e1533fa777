// Leaves out mounts of clock files, such as /etc/localtime, that the server does not have.
import type { ComposeModel } from '@shipway/rules/compose/model'
import { isClockFile, objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { composeDocument, composeModel } from '@shipway/rules/compose/read-compose-model'
import type { Host } from '../../../remote/host.ts'

export async function skipMissingClockFiles(
  host: Host,
  model: ComposeModel,
): Promise<{ readonly model: ComposeModel; readonly notes: readonly string[] }> {
  const mounted = [...model.services.values()].flatMap(({ mounts }) =>
    mounts.flatMap(({ type, source }) => (type === 'bind' && source !== null && isClockFile(source) ? [source] : [])),
  )
  const absent = new Set<unknown>()
  for (const file of new Set(mounted)) {
    const { exitCode } = await host.run(['test', '-f', file])
    if (exitCode !== 0) absent.add(file)
  }
  if (absent.size === 0) return { model, notes: [] }
  const services = [...model.services].map(([name, { definition }]) => {
    const { volumes } = definition
    if (!Array.isArray(volumes)) return [name, definition]
    return [name, { ...definition, volumes: volumes.filter((mount) => !absent.has(objectOf(mount).source)) }]
  })
  return {
    model: composeModel({ ...composeDocument(model), services: Object.fromEntries(services) }),
    notes: [...absent].map((file) => `${file} is not on ${host.name}, and is not mounted`),
  }
}
