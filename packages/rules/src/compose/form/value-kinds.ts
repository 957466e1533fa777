// The value types that Compose accepts for each key. A key that is not listed is checked by the policy only.

export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'map' | 'nothing'

/** The allowed types of a key, and of the entries of a list. */
export type Form = { readonly kinds: readonly Kind[]; readonly entries?: readonly Kind[] }

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'map'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

const words = (text: string): readonly string[] => text.split(' ')
const each = (keys: string, form: Form): [string, Form][] => words(keys).map((key) => [key, form])

/** Variables are text before substitution, so numbers may also be text. */
export const FORMS_OF_SERVICE: ReadonlyMap<string, Form> = new Map([
  ...each(
    'image container_name hostname domainname restart network_mode pid ipc uts user working_dir stop_signal platform runtime ' +
      'isolation cgroup_parent cgroup userns_mode mac_address cpuset stop_grace_period',
    { kinds: ['text'] },
  ),
  ...each('command entrypoint', { kinds: ['text', 'list', 'nothing'], entries: ['text'] }),
  ...each('dns dns_search tmpfs', { kinds: ['text', 'list'], entries: ['text'] }),
  ...each('env_file', { kinds: ['text', 'list'], entries: ['text', 'map'] }),
  ...each('ports', { kinds: ['list'], entries: ['text', 'number', 'map'] }),
  ...each('expose group_add', { kinds: ['list'], entries: ['text', 'number'] }),
  ...each('volumes devices configs secrets', { kinds: ['list'], entries: ['text', 'map'] }),
  ...each('cap_add cap_drop security_opt links external_links profiles volumes_from device_cgroup_rules dns_opt', {
    kinds: ['list'],
    entries: ['text'],
  }),
  ...each('environment labels extra_hosts sysctls annotations networks depends_on', {
    kinds: ['list', 'map'],
    entries: ['text'],
  }),
  ...each('deploy', { kinds: ['map', 'nothing'] }),
  ...each('healthcheck logging ulimits', { kinds: ['map'] }),
  ...each('build extends', { kinds: ['text', 'map'] }),
  ...each('privileged init read_only tty stdin_open', { kinds: ['boolean', 'text'] }),
  ...each('cpus mem_limit scale pids_limit shm_size cpu_shares mem_reservation memswap_limit oom_score_adj', {
    kinds: ['number', 'text'],
  }),
])

/** Single values in maps of these. */
export const MAPS_OF_VALUES: ReadonlySet<string> = new Set(['environment', 'labels', 'annotations', 'sysctls'])

const NAMES: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a mapping',
  nothing: 'empty',
}

export const nameOf = (kind: Kind): string => NAMES[kind]
