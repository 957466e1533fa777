// The ports that a service of a compose file names, by how it names them.

export type PublishedPort = {
  /** Inside the container. */
  readonly port: number
  /** On the machine; null if Docker chooses it. */
  readonly host: number | null
  /** Only for programs on the machine itself. */
  readonly isLocal: boolean
}

type Pairs = readonly (readonly [string, string])[]

type Around = {
  readonly text: (value: unknown) => string
  readonly environment: Pairs
  readonly labels: Pairs
}

const MOST_PORTS = 50

export type OutlinedPorts = {
  readonly published: readonly PublishedPort[]
  /** Ports that labels name to a reverse proxy. */
  readonly proxied: readonly number[]
  readonly exposed: readonly number[]
}

export function outlinePorts(
  { ports, expose }: Readonly<Record<string, unknown>>,
  { text, environment, labels }: Around,
): OutlinedPorts {
  const seen = new Set<number>()
  return {
    published: listOf(ports)
      .flatMap((entry) => publishedPort(entry, text))
      .filter(({ port }) => !seen.has(port) && seen.add(port)),
    proxied: proxiedPorts(environment, labels),
    exposed: [...new Set(listOf(expose).flatMap((entry) => publishedPort(entry, text).map(({ port }) => port)))],
  }
}

/** `8080:80`, `127.0.0.1:8080:80/tcp`, `80`, or `{ target: 80 }`. Of a range it is the first; UDP is not routed. */
function publishedPort(entry: unknown, text: Around['text']): readonly PublishedPort[] {
  // Such as `${DEBUG_PORT}:5003`.
  if (typeof entry === 'string' && /\$\{?\w*DEBUG/.test(entry)) return []
  if (typeof entry === 'object' && entry !== null) {
    const { target, published, host_ip: address, protocol }: Readonly<Record<string, unknown>> = { ...entry }
    if (text(protocol) === 'udp') return []
    return publishedPort([text(address) || '0.0.0.0', text(published), text(target)].join(':'), text)
  }
  const words = /^(?:(.*):)?([0-9]{1,5})(?:-[0-9]{1,5})?(?:\/tcp)?$/.exec(text(entry).slice(-200))
  const port = Number(words?.[2])
  if (!isPort(port)) return []
  const host = Number(/(?:^|:)([0-9]{1,5})(?:-[0-9]{1,5})?$/.exec(words?.[1] ?? '')?.[1])
  return [{ port, host: isPort(host) ? host : null, isLocal: LOOPBACK.test(words?.[1] ?? '') }]
}

const LOOPBACK = /^(?:127\.|localhost:|\[::1\])/

/** Traefik finds the port in a label, nginx-proxy in the environment. */
function proxiedPorts(environment: Pairs, labels: Pairs): readonly number[] {
  const said = [
    ...labels.filter(([key]) => /^traefik\.http\.services\..{1,200}\.loadbalancer\.server\.port$/.test(key)),
    ...environment.filter(([key]) => key === 'VIRTUAL_PORT'),
  ]
  return [...new Set(said.map(([, value]) => Number(value)).filter(isPort))].slice(0, MOST_PORTS)
}

/** Ports in what starts a program: `--port 3000`, `-b 0.0.0.0:8000`, `PORT=3000`. */
export function portsInText(command: string, environment: Pairs = []): readonly number[] {
  const named = environment.filter(([key]) => PORT_VARIABLE.test(key)).map(([, value]) => value)
  const bound = [command, ...environment.map(([, value]) => value)]
    .join('\n')
    .matchAll(
      /(?:0\.0\.0\.0|\[::\]|\+|\*):([0-9]{2,5})\b|--(?:http-)?port[= "',]{1,4}([0-9]{2,5})\b|\s-p[ "',]{0,4}([0-9]{4,5})\b/g,
    )
  const all = [...named, ...[...bound].map(([, one, other, third]) => one ?? other ?? third)].map(Number)
  return [...new Set(all.filter(isPort))].slice(0, MOST_PORTS)
}

const PORT_VARIABLE = /^(?:(?:HTTP|APP|SERVER|WEB|LISTEN|NODE|APPLICATION)_)?PORT$/

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST_PORTS) : [])
