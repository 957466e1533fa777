// The port inside its container that a route leads to, where `.service.yml` names none.
import type { ComposeModel, ComposeService } from '../compose/model.ts'

type Routed = { readonly name: string; readonly port: number | null }

/**
 * The port of each routed service, as far as the two files say it; where they do not, the image may. `model` is as Compose resolves it:
 * what was published is in there.
 */
export function routePorts(
  routed: readonly Routed[],
  { services }: ComposeModel,
): { readonly ports: Readonly<Record<string, number>>; readonly faults: readonly string[] } {
  const found = routed.map(({ name, port }) => {
    const service = services.get(name)
    const ports = service && port === null ? portsInFile(service) : []
    return { name, isThere: service !== undefined, ports: port === null ? ports : [port] }
  })
  return {
    ports: Object.fromEntries(
      found.flatMap(({ name, ports: [port, ...others] }) =>
        port === undefined || others.length > 0 ? [] : [[name, port]],
      ),
    ),
    faults: found.flatMap(({ name, isThere, ports }) => {
      if (!isThere) return [absentSentence(name, [...services.keys()])]
      return ports.length > 1 ? [chooseSentence(name, ports, 'The compose file')] : []
    }),
  }
}

function absentSentence(name: string, services: readonly string[]): string {
  const known = services.slice(0, 20).join(', ')
  return `.service.yml routes ${name}, which the compose file does not have${known === '' ? '' : `. It has ${known}`}`
}

/** Those that the compose file publishes, else those that it exposes: what is published is what somebody is meant to reach. */
export function portsInFile({ ports, exposed }: ComposeService): readonly number[] {
  const published = ports.filter(({ protocol }) => protocol === 'tcp').map(({ target }) => target)
  return published.length > 0 ? [...new Set(published)] : exposed
}

/** For somebody who has to choose. `where` says who names them. */
export function chooseSentence(service: string, ports: readonly number[], where: string): string {
  const [first] = ports
  return (
    `${where} names several ports of ${service}: ${ports.join(', ')}. Name the one that answers HTTP in .service.yml, ` +
    `as in services: { ${service}: { port: ${first} } }`
  )
}

export const noPortSentence = (service: string): string =>
  `Nothing says which port ${service} listens on: neither .service.yml, nor ports or expose of the compose file, nor EXPOSE ` +
  `of its image. Name it in .service.yml, as in services: { ${service}: { port: 8080 } }`
