// Finds the container port of a route if `.service.yml` names none.
import type { ComposeModel, ComposeService } from '../compose/model.ts'

type Routed = { readonly name: string; readonly port: number | null }

/** A service of the compose file whose profile nothing enables. */
type LeftOut = { readonly name: string; readonly profiles: readonly string[] }

export type RouteFault = { readonly service: string; readonly sentence: string }

export type RoutePorts = {
  readonly ports: Readonly<Record<string, number>>
  readonly faults: readonly RouteFault[]
  /** Services whose port neither file names; the image may. */
  readonly unsaid: readonly string[]
}

/** `model` is as Compose resolves it, with published ports. */
export function routePorts(
  routed: readonly Routed[],
  { services }: ComposeModel,
  leftOut: readonly LeftOut[] = [],
): RoutePorts {
  const ports: Record<string, number> = {}
  const faults: RouteFault[] = []
  const unsaid: string[] = []
  for (const { name, port } of routed) {
    const service = services.get(name)
    const all = service && port === null ? portsInFile(service) : port === null ? [] : [port]
    const [only, ...others] = all
    if (!service) faults.push({ service: name, sentence: absentSentence(name, [...services.keys()], leftOut) })
    else if (only === undefined) unsaid.push(name)
    else if (others.length === 0) ports[name] = only
    else faults.push({ service: name, sentence: chooseSentence(name, all, 'The compose file') })
  }
  return { ports, faults, unsaid }
}

function absentSentence(name: string, services: readonly string[], leftOut: readonly LeftOut[]): string {
  const out = leftOut.find((one) => one.name === name)
  if (out) {
    return `.service.yml routes ${name}, whose profile nothing enables. Add docker: { profiles: [${out.profiles[0]}] } to it`
  }
  const known = services.slice(0, 20).join(', ')
  return `.service.yml routes ${name}, which the compose file does not have${known === '' ? '' : `. It has ${known}`}`
}

/** Published ports, else exposed ones: published ports are meant for visitors. */
function portsInFile({ ports, exposed }: ComposeService): readonly number[] {
  const published = ports.filter(({ protocol }) => protocol === 'tcp').map(({ target }) => target)
  return published.length > 0 ? [...new Set(published)] : exposed
}

/** Faults for services whose port only the image can name. */
export function imagePortFaults(unsaid: ReadonlyMap<string, readonly number[]>): readonly RouteFault[] {
  return [...unsaid].flatMap(([service, ports]) => {
    if (ports.length === 1) return []
    return [
      { service, sentence: ports.length === 0 ? noPortSentence(service) : chooseSentence(service, ports, 'The image') },
    ]
  })
}

/** `where` says which file names the ports. */
function chooseSentence(service: string, ports: readonly number[], where: string): string {
  return (
    `${where} names several ports of ${service}: ${ports.join(', ')}. Name the one that answers HTTP in .service.yml, ` +
    `as in services: { ${service}: { port: ${ports[0]} } }`
  )
}

const noPortSentence = (service: string): string =>
  `Nothing says which port ${service} listens on: neither .service.yml, nor ports or expose of the compose file, nor EXPOSE ` +
  `of its image. Name it in .service.yml, as in services: { ${service}: { port: 8080 } }`
