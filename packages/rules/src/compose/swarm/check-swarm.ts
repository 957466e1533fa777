// What a Swarm cannot do of a compose file, after the policy has checked it and its mounts are in their places. Docker's stack format ignores
// some of these keys, so that a container would have less protection or less data than its file says; others it refuses without a place.
//
// No grant helps: owners can allow what is dangerous, not what is impossible.
import { posix } from 'node:path'
import { MTU } from '../adapt/release-network.ts'
import type { ComposeModel, ComposeService, JsonObject, Refusal } from '../model.ts'
import { type Checkout, isInCheckout } from '../mounts/checkout-path.ts'
import type { SourceKind } from '../mounts/resolve-mounts.ts'
import {
  allow,
  allowIf,
  each,
  isSet,
  keysOf,
  objectOf,
  oneOf,
  type PolicyContext,
  type Rule,
  type Rules,
  refuse,
} from '../policy/policy-rules.ts'
import { refusal, within } from '../policy/refusal.ts'
import { bytesOf } from '../read-compose-model.ts'
import { processorOf } from './node-platform.ts'
import { parseTmpfs } from './tmpfs.ts'

export type SwarmCheck = {
  readonly checkout: Checkout
  /** What the commit has at a mounted path; undefined where that is not known. */
  readonly kindOf: (path: string) => SourceKind | undefined
  readonly routed: ReadonlySet<string>
}

/** In the order of the model; empty if a Swarm can run it. */
export function checkSwarm(model: ComposeModel, check: SwarmCheck): Refusal[] {
  const ctx: PolicyContext = {
    checkout: check.checkout,
    platformFolder: '',
    variablesFile: '',
    projectName: model.name,
  }
  const services = [...model.services.values()].flatMap((service) => {
    const key = within('services', service.name)
    return [
      ...serviceRule(service.definition, key, ctx),
      ...checkLinks(service, model),
      ...checkMounts(service, check),
      ...checkStart(service, check.routed),
    ]
  })
  const inSection = (section: string, definitions: ReadonlyMap<string, JsonObject>, rule: Rule): Refusal[] =>
    [...definitions].flatMap(([name, definition]) => rule(definition, within(section, name), ctx))
  return [
    ...services,
    ...inSection(
      'networks',
      model.networks,
      allowIf((network) => objectOf(network).external === true, networkRule),
    ),
    ...inSection('secrets', model.secrets, fileRule),
    ...inSection('configs', model.configs, fileRule),
  ]
}

const cannot = (advice = 'Remove it'): Rule => refuse({ what: 'cannot be set on a Swarm', advice })
const unless = (harmless: readonly unknown[], advice?: string): Rule => oneOf(harmless, cannot(advice))

/** The Engine's own bound for tasks. */
const LEAST_MEMORY = 4 * 1024 * 1024
const memory: Rule = allowIf(
  (value) => {
    const bytes = bytesOf(String(value))
    return bytes === null || bytes === 0 || bytes >= LEAST_MEMORY
  },
  refuse({ what: 'is less memory than a Swarm takes', advice: 'Choose at least 4 MiB' }),
)

const template: Rule = allowIf(
  (value) => !String(value).includes('{{'),
  refuse({ what: 'has two braces, which a Swarm takes for a template', advice: 'Choose another text' }),
)

const keysOfService: Rules = {
  blkio_config: cannot(),
  cgroup: unless(['private']),
  cgroup_parent: cannot(),
  cpu_shares: cannot('Use cpus in its place'),
  cpuset: cannot('Use cpus in its place'),
  // Only where it was granted; else it is a further name of the service, and ports are left out.
  container_name: cannot('Use the name of the service'),
  credential_spec: cannot(),
  device_cgroup_rules: cannot(),
  devices: cannot(),
  dns_opt: cannot(),
  domainname: cannot(),
  external_links: cannot('Use the name of a service'),
  gpus: cannot(),
  group_add: cannot('Give the group in user: "1000:1000"'),
  hostname: template,
  ipc: unless(['private', 'shareable']),
  mac_address: cannot(),
  mem_limit: memory,
  mem_reservation: memory,
  mem_swappiness: cannot(),
  network_mode: cannot('Use networks'),
  oom_kill_disable: cannot(),
  oom_score_adj: unless([0, '0']),
  pid: unless(['private']),
  platform: allowIf((value) => processorOf(String(value)) !== undefined, cannot('Use linux/amd64 or linux/arm64')),
  ports: cannot('Route the service in .service.yml, or use expose'),
  post_start: cannot('Do it in the entrypoint of the image'),
  pre_stop: cannot('Handle the stop signal in the program'),
  privileged: cannot(),
  runtime: unless(['runc']),
  security_opt: cannot(),
  storage_opt: cannot(),
  use_api_socket: cannot(),
  userns_mode: cannot(),
  uts: cannot(),
  volumes_from: cannot('Mount the volumes by their names'),
  deploy: keysOf(
    {
      resources: keysOf(
        {
          limits: keysOf({ memory }, allow),
          reservations: keysOf({ memory, devices: cannot(), generic_resources: cannot() }, allow),
        },
        allow,
      ),
    },
    allow,
  ),
  networks: each(keysOf({ aliases: allow, priority: allow, gw_priority: allow }, cannot())),
  tmpfs: (value, key) =>
    (Array.isArray(value) ? value : isSet(value) ? [value] : []).flatMap((text) => {
      const { target, others } = parseTmpfs(String(text))
      const what = `has options for ${target} that cannot be set on a Swarm`
      return others.length === 0 ? [] : [refusal(key, { what, advice: 'Keep size alone' })]
    }),
}

const serviceRule: Rule = keysOf(keysOfService, allow)

const networkRule: Rule = keysOf(
  {
    driver: unless(['bridge', 'overlay']),
    enable_ipv4: (value, key) => (value === false ? [refusal(key, { what: 'cannot be off on a Swarm' })] : []),
    // An empty value is one, too: `encrypted: ""`.
    driver_opts: keysOf({ [MTU]: allowIf((value) => /^\d{1,5}$/.test(String(value)), cannot()) }, (_value, key) => [
      refusal(key, { what: 'cannot be set on a Swarm' }),
    ]),
    enable_ipv6: cannot(),
    ipam: keysOf({ driver: unless(['default']) }, cannot()),
  },
  allow,
)

/** Of secrets and configs. */
const fileRule: Rule = (value, key) =>
  objectOf(value).content === ''
    ? [refusal(key, { what: 'is empty, which a Swarm does not take', advice: 'Give it a content or remove it' })]
    : []

/** A link to one service under the name of another cannot be an alias. */
function checkLinks({ name, definition: { links } }: ComposeService, { services }: ComposeModel): Refusal[] {
  const key = `${within('services', name)}.links`
  return (Array.isArray(links) ? links : []).flatMap((link) => {
    const [to = '', alias = to] = String(link).split(':')
    if (alias === to || !services.has(alias)) return []
    const what = `gives ${to} the name of another service, ${alias}`
    return [refusal(key, { what, advice: 'Choose another name: on a Swarm all services see it' })]
  })
}

function checkStart({ name, definition, replicas }: ComposeService, routed: ReadonlySet<string>): Refusal[] {
  const key = within('services', name)
  const { entrypoint, command } = definition
  const isReset = Array.isArray(entrypoint) && entrypoint.length === 0
  const hasCommand = Array.isArray(command) && command.length > 0
  const reset = { what: 'is empty, and a Swarm would run that of the image', advice: 'Add the command to run' }
  const away = { what: 'asks for no container, while a route leads to it', advice: 'Ask for one or more' }
  return [
    ...(isReset && !hasCommand ? [refusal(`${key}.entrypoint`, reset)] : []),
    ...(routed.has(name) && replicas < 1 ? [refusal(`${key}.deploy.replicas`, away)] : []),
  ]
}

function checkMounts({ name, definition: { volumes } }: ComposeService, check: SwarmCheck): Refusal[] {
  return (Array.isArray(volumes) ? volumes : []).flatMap((entry, index) => {
    const key = within(`${within('services', name)}.volumes`, index)
    const mount = objectOf(entry)
    const reason = mountFault(mount, check)
    return reason === null ? [] : [refusal(key, reason)]
  })
}

type Reason = { readonly what: string; readonly advice: string }

function mountFault(mount: JsonObject, { checkout, kindOf }: SwarmCheck): Reason | null {
  const { type, source, target, read_only: isReadOnly } = mount
  if (String(target).includes('{{')) {
    return { what: 'has two braces, which a Swarm takes for a template', advice: 'Choose another path' }
  }
  if (type === 'volume' && isSet(objectOf(mount.volume).subpath)) {
    return { what: 'mounts a part of a volume, which a Swarm cannot', advice: 'Mount the whole volume' }
  }
  if (type === 'tmpfs' && isSet(objectOf(mount.tmpfs).mode) && Number(objectOf(mount.tmpfs).mode) !== STICKY_FOR_ALL) {
    return { what: 'has a mode that cannot be set on a Swarm', advice: 'Keep size alone' }
  }
  if (type !== 'bind' || typeof source !== 'string') return null
  if (!isInCheckout(source, checkout)) {
    return { what: 'mounts a path of one machine, and a Swarm has several', advice: 'Use a named volume' }
  }
  const kind = kindOf(posix.relative(checkout.folder, source))
  if (kind === 'folder') {
    const what = 'mounts a folder of the repository, which the nodes of a Swarm do not have'
    return { what, advice: 'Copy it in the Dockerfile, or mount its files one by one' }
  }
  if (kind === 'file' && isReadOnly !== true) {
    const what = 'lets the container write to a file of the repository, which the nodes of a Swarm do not have'
    return { what, advice: 'Mount it read-only, or use a named volume' }
  }
  return null
}

/** 1777 in octal. */
const STICKY_FOR_ALL = 0o1777
