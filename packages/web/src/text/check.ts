// Labels of server checks. Programs that pass are shown with their version.
import type { Check } from '@shipway/api'

const NAMES: Readonly<Record<string, string>> = {
  connection: 'connection',
  account: 'account',
  command_users: 'command users',
  git: 'git',
  curl: 'curl',
  docker: 'Docker',
  compose: 'Compose',
  swarm: 'Swarm',
  buildx: 'Buildx',
  metadata: 'metadata service',
  build_network: 'build network',
  socat: 'socat',
  haproxy: 'edge',
  edge_configuration: 'edge configuration',
  disk: 'disk',
  docker_disk: 'Docker disk',
  clock: 'clock',
  memory: 'memory',
}

const VERSIONED: readonly string[] = ['git', 'curl', 'docker', 'compose', 'buildx']

export function checkLabel({ name, status, message }: Pick<Check, 'name' | 'status' | 'message'>): string {
  const words = NAMES[name] ?? name.replaceAll('_', ' ')
  const version = status === 'ok' && VERSIONED.includes(name) ? /(?<!\d)\d+\.\d+/.exec(message)?.[0] : undefined
  return version === undefined ? words : `${words} ${version}`
}
