// What the Engine itself answers when it is asked for an environment in one go, for servers that are not there.
import type { FakeContainer } from './fake-deployment.ts'

type Seen = {
  readonly containers: readonly FakeContainer[]
  /** Names, with the release that they were made for. */
  readonly networks: Readonly<Record<string, number>>
  /** Ids of images, in the order in which they are asked for; null for what is not there. */
  readonly images: readonly (string | null)[]
}

export function engineAnswers({ containers, networks, images }: Seen): { readonly stdout: string } {
  const answers = [
    { status: 200, body: containers.map(containerOf) },
    { status: 200, body: Object.entries(networks).map(networkOf) },
    ...images.map((id) =>
      id === null ? { status: 404, body: { message: 'No such image' } } : { status: 200, body: { Id: id, Config: {} } },
    ),
  ]
  return { stdout: answers.map(({ status, body }) => `${JSON.stringify(body)}\n\n${status}\n`).join('') }
}

const networkOf = ([name, release]: readonly [string, number]) => ({
  Name: name,
  Driver: 'bridge',
  Labels: release > 0 ? { 'shipway.release': String(release) } : {},
})

const containerOf = ({ service, task, number, composeVersion, ports, networks, ...labels }: FakeContainer) => ({
  Id: `${service}-of-${task}`,
  State: 'running',
  Status: 'Up 2 minutes',
  Ports: [ports ?? []].flat().map((port) => ({ IP: '127.0.0.1', PrivatePort: 3000, PublicPort: port, Type: 'tcp' })),
  NetworkSettings: { Networks: Object.fromEntries([networks ?? []].flat().map((name) => [String(name), {}])) },
  Labels: {
    'com.docker.compose.container-number': String(number),
    'com.docker.compose.version': composeVersion,
    ...Object.fromEntries(
      Object.entries({ hash: 'earlier', mode: 'beside', origin: 'new', ...labels, service, task }).map(
        ([key, value]) => [`shipway.${key}`, String(value)],
      ),
    ),
  },
})
