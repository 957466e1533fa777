// Parses the output of the check script. It comes from the server, so lengths and values are limited.
import { safeText } from '@shipway/rules/safe-text'

export type ServerFacts = {
  /** Unix time in seconds, by the server's clock. */
  readonly time: number
  readonly user: string
  /** The platform's folder there. */
  readonly folder: string
  readonly isWritable: boolean
  /** Whether its set-up trusts the organization's authority. */
  readonly letsPeopleIn: boolean
  /** Whether commands of the manual recipe run as users of their own. */
  readonly hasCommandUsers: boolean
  /** In KiB, like all sizes here. */
  readonly room: number | undefined
  readonly dockerRoom: number | undefined
  /** The fuller one of the disks of the platform's folder and of Docker. */
  readonly disk: { readonly free: number; readonly total: number } | undefined
  readonly memory: { readonly total: number; readonly available: number } | undefined
  /** Undefined if the program is not installed. */
  readonly git: Version | undefined
  readonly curl: Version | undefined
  readonly hasSocat: boolean
  readonly docker: {
    readonly isInstalled: boolean
    /** Version of the daemon, if it answers. */
    readonly server: Version | undefined
    readonly isForbidden: boolean
    readonly compose: Version | undefined
    readonly buildx: Version | undefined
    /** It would build from sources that the platform's policy refuses. */
    readonly ignoresSourcePolicy: boolean
    /** Containers reach the metadata service of a cloud. */
    readonly reachesMetadata: boolean
    /** Commands of concurrent builds can reach each other over the network. */
    readonly letsBuildsMeet: boolean
  }
  readonly haproxy: Version | undefined
  readonly edge: {
    readonly socket: 'absent' | 'writable' | 'forbidden'
    readonly isRunning: boolean
    /** Its configuration file, if there is one. */
    readonly configuration: string | undefined
  }
}

export type Version = { readonly text: string; readonly major: number; readonly minor: number }

/** Undefined if the script printed nothing. Skips what the login shell prints before it. */
export function readServerFacts(output: string): ServerFacts | undefined {
  const begin = /^shipway-check\n/m.exec(output)
  if (begin === null) return undefined
  const said = output.slice(begin.index + begin[0].length)
  const end = /^configuration\n/m.exec(said)
  const values = new Map((end === null ? said : said.slice(0, end.index)).split('\n').map(asEntry))
  const text = (name: string): string => safeText(values.get(name) ?? '').slice(0, 200)
  const number = (name: string): number | undefined => asNumber(values.get(name))
  const version = (name: string): Version | undefined => asVersion(values.get(name))
  const time = number('time')
  if (time === undefined) return undefined
  const [total, available] = [number('memory_total'), number('memory_available')]
  const socket = values.get('edge_socket')
  return {
    time,
    user: text('user'),
    folder: text('folder'),
    isWritable: values.has('writable'),
    letsPeopleIn: values.has('people'),
    hasCommandUsers: values.has('command_users'),
    room: number('room'),
    dockerRoom: number('docker_room'),
    disk: fullest([
      [number('room'), number('room_total')],
      [number('docker_room'), number('docker_room_total')],
    ]),
    memory: total === undefined || available === undefined ? undefined : { total, available },
    git: version('git'),
    curl: version('curl'),
    hasSocat: values.has('socat'),
    docker: {
      isInstalled: values.has('docker'),
      server: version('docker_server'),
      isForbidden: values.has('docker_forbidden'),
      compose: version('compose'),
      buildx: version('buildx'),
      ignoresSourcePolicy: values.has('ignores_source_policy'),
      reachesMetadata: values.has('metadata'),
      letsBuildsMeet: values.has('builds_meet'),
    },
    haproxy: version('haproxy'),
    edge: {
      socket: socket === 'writable' || socket === 'forbidden' ? socket : 'absent',
      isRunning: /^Version: /.test(values.get('edge_running') ?? ''),
      configuration: end === null ? undefined : said.slice(end.index + end[0].length),
    },
  }
}

/** A pebibyte in KiB, so that numbers of bytes stay exact. Larger disks, or more free space than total space, count as not measured. */
const LARGEST_DISK = 2 ** 40

function fullest(disks: readonly (readonly [number | undefined, number | undefined])[]): ServerFacts['disk'] {
  const measured = disks.flatMap(([free, total]) =>
    free !== undefined && total !== undefined && free <= total && total <= LARGEST_DISK ? [{ free, total }] : [],
  )
  return measured.toSorted((one, other) => one.free - other.free)[0]
}

function asEntry(line: string): [string, string] {
  const blank = line.indexOf(' ')
  return blank < 0 ? [line, ''] : [line.slice(0, blank), line.slice(blank + 1)]
}

/** Fifteen digits fit a number exactly. */
function asNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined
}

/** The first numbers with a dot between them: `git version 2.39.5`, `v2.24`. A program that prints none counts as 0.0. */
function asVersion(value: string | undefined): Version | undefined {
  if (value === undefined) return undefined
  const [text = '0.0', major, minor] = /(\d{1,6})\.(\d{1,6})(?:\.\d{1,6})*/.exec(value) ?? []
  return { text, major: Number(major ?? 0), minor: Number(minor ?? 0) }
}
