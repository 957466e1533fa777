// The services of a compose file with the ports that their containers listen on, as far as the file says so. Takes any document: what is
// not as Compose has it is left out.
export type ComposeOutline = {
  readonly services: readonly { readonly name: string; readonly ports: readonly number[] }[]
}

/** More than anybody routes to. */
const MOST_SERVICES = 200
const MOST_PORTS = 50

export function outlineCompose(document: unknown): ComposeOutline {
  const services = isObject(document) && isObject(document.services) ? document.services : {}
  return {
    services: Object.entries(services)
      .slice(0, MOST_SERVICES)
      .map(([name, service]) => ({ name, ports: isObject(service) ? portsOf(service) : [] })),
  }
}

/** Those that it publishes first: they are what somebody outside is meant to reach. */
function portsOf({ ports, expose }: Readonly<Record<string, unknown>>): readonly number[] {
  const entries = [...listOf(ports), ...listOf(expose)].slice(0, MOST_PORTS)
  return [...new Set(entries.flatMap((entry) => containerPort(entry) ?? []))]
}

/** `8080:80`, `127.0.0.1:8080:80/tcp`, `80`, or `{ target: 80 }`. Of a range it is the first; UDP is not routed. */
function containerPort(entry: unknown): number | undefined {
  if (isObject(entry)) return entry.protocol === 'udp' ? undefined : containerPort(entry.target)
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined
  const port = Number(/(?:^|:)([0-9]{1,5})(?:-[0-9]{1,5})?(?:\/tcp)?$/.exec(String(entry).slice(-200))?.[1])
  return port >= 1 && port <= 65_535 ? port : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
