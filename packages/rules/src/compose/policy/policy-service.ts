// The policy for one service of a compose file: every key that Compose knows, with its allowed values.
import { buildRule } from './policy-build.ts'
import { mountRule } from './policy-mounts.ts'
import {
  all,
  allow,
  allowIf,
  each,
  inCheckout,
  isLoopback,
  isSet,
  keysOf,
  needs,
  objectOf,
  oneOf,
  type Rule,
  type Rules,
  refuse,
  reservedLabels,
} from './policy-rules.ts'
import { imageRule, ulimits } from './policy-values.ts'

/** More replicas than this are a mistake or an attack. */
export const MAX_REPLICAS = 10

const devices = needs('devices', 'lets the container use devices of the machine')
const namespace = 'shares a namespace with the machine or with a foreign container'

/** `service:web` is a service of the same file. */
const joins = (harmless: readonly string[], otherwise: Rule): Rule =>
  allowIf((value) => typeof value === 'string' && (harmless.includes(value) || isService(value)), otherwise)
const isService = (value: string): boolean => value.startsWith('service:')

const networkMode: Rule = (value, key, ctx) => {
  if (value === 'host')
    return needs('host_network', 'puts the container into the network of the machine')(value, key, ctx)
  const foreign = needs('external_networks', 'puts the container into a network that this environment does not own')
  return joins(['none'], foreign)(value, key, ctx)
}

const hooks = each(
  keysOf({
    command: allow,
    environment: allow,
    user: allow,
    working_dir: allow,
    privileged: needs('privileged', 'gives the command all rights on the machine'),
  }),
)

const containers: Rule = allowIf(
  (value) => Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) <= MAX_REPLICAS,
  refuse({
    what: `must be a whole number from 0 to ${MAX_REPLICAS}`,
    advice: 'Give the number of containers that you need',
  }),
)

const deploy = keysOf({
  mode: oneOf(
    ['replicated'],
    refuse({
      what: 'must be "replicated": the platform starts as many containers as deploy.replicas says',
      advice: 'Remove it, and set deploy.replicas to the number of containers that you need',
    }),
  ),
  replicas: containers,
  labels: reservedLabels,
  resources: keysOf({
    limits: keysOf({ cpus: allow, memory: allow, pids: allow }),
    reservations: keysOf({ cpus: allow, memory: allow, devices, generic_resources: devices }),
  }),
  endpoint_mode: allow,
  placement: allow,
  restart_policy: allow,
  rollback_config: allow,
  update_config: allow,
})

const networks = each(
  keysOf({
    aliases: allow,
    ipv4_address: allow,
    ipv6_address: allow,
    priority: allow,
    gw_priority: allow,
    link_local_ips: needs('host_network', 'chooses addresses outside the network of the environment'),
    mac_address: needs('host_network', 'chooses an address of the hardware'),
    driver_opts: needs('host_network', 'sets options of the network driver'),
  }),
)

const logging = keysOf({
  driver: oneOf(['json-file', 'local', 'none'], needs('log_drivers', 'sends the output elsewhere than to Docker')),
  options: keysOf(
    Object.fromEntries(
      'max-size max-file compress labels labels-regex env env-regex tag mode max-buffer-size'
        .split(' ')
        .map((name) => [name, allow]),
    ),
    needs('log_drivers', 'is an option of a log driver that sends the output elsewhere'),
  ),
})

const platformsLimits = refuse({
  what: 'conflicts with the limits that the platform sets',
  advice: 'Use cpus, mem_limit and pids_limit',
})

/** Limits that would conflict with the platform's. */
export const PLATFORM_LIMITS = [
  'cpu_count',
  'cpu_percent',
  'cpu_period',
  'cpu_quota',
  'cpu_rt_period',
  'cpu_rt_runtime',
  'memswap_limit',
]

/** What Docker gives every container unless `cap_drop` takes it away. */
const DEFAULT_CAPABILITIES = new Set(
  (
    'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP SETGID SETPCAP SETUID ' +
    'SYS_CHROOT'
  ).split(' '),
)

const isDefaultCapability = (name: unknown): boolean =>
  DEFAULT_CAPABILITIES.has(String(name).toUpperCase().replace(/^CAP_/, ''))

const dangerous: Rules = {
  privileged: needs('privileged', 'gives the container all rights on the machine'),
  cap_add: allowIf(
    (names) => Array.isArray(names) && names.every(isDefaultCapability),
    needs('capabilities', 'gives the container further rights on the machine'),
  ),
  devices,
  device_cgroup_rules: devices,
  gpus: devices,
  blkio_config: devices,
  network_mode: networkMode,
  pid: joins(['private'], needs('host_namespaces', namespace)),
  ipc: joins(['private', 'shareable', 'none'], needs('host_namespaces', namespace)),
  uts: needs('host_namespaces', namespace),
  userns_mode: needs('host_namespaces', namespace),
  cgroup: oneOf(['private'], needs('host_namespaces', namespace)),
  cgroup_parent: refuse({ what: 'leaves the limits that the platform sets' }),
  security_opt: each(
    oneOf(
      ['no-new-privileges', 'no-new-privileges:true', 'no-new-privileges=true'],
      needs('security_options', 'changes how the container is confined'),
    ),
  ),
  sysctls: needs('kernel_settings', 'changes settings of the kernel'),
  runtime: oneOf(['runc'], needs('runtimes', 'chooses another runtime than the usual one')),
  container_name: needs('container_names', 'fixes a name that another environment may have'),
  ports: all(
    needs('host_ports', 'publishes ports on the machine', 'Route the service in .service.yml, or use expose'),
    each(
      allowIf(
        (port) => isLoopback(objectOf(port).host_ip),
        needs('public_ports', 'is published on all addresses of the machine', 'Publish it on 127.0.0.1'),
      ),
    ),
  ),
  use_api_socket: needs('docker_socket', 'lets the container control Docker'),
  volumes_from: each(
    allowIf(
      (value) => !String(value).startsWith('container:'),
      needs('external_volumes', 'mounts the volumes of a container that this environment does not own'),
    ),
  ),
  external_links: needs('external_networks', 'leads to containers that this environment does not own'),
  annotations: refuse({ what: 'gives instructions to the runtime' }),
  oom_kill_disable: refuse({ what: 'lets the container outlive its memory limit' }),
  oom_score_adj: allowIf(
    (value) => Number(value) >= 0,
    refuse({ what: 'lets other processes be ended first when memory runs out', advice: 'Choose zero or more' }),
  ),
  mac_address: needs('host_network', 'chooses an address of the hardware'),
  credential_spec: refuse({ what: 'takes credentials of the machine' }),
  isolation: oneOf(['default'], refuse({ what: 'chooses how the container is isolated' })),
  storage_opt: refuse({ what: 'sets options of the storage driver' }),
  provider: refuse({ what: 'runs a program on the machine' }),
  models: refuse({ what: 'is not supported by the platform' }),
}

const checked: Rules = {
  image: imageRule,
  build: buildRule,
  deploy,
  networks,
  logging,
  volumes: each(mountRule),
  labels: reservedLabels,
  env_file: each((value, key, ctx) => {
    const path = typeof value === 'object' && value !== null && 'path' in value ? value.path : value
    return path === ctx.variablesFile ? [] : inCheckout('reads a file outside the checkout')(path, key, ctx)
  }),
  label_file: each(inCheckout('reads a file outside the checkout')),
  post_start: hooks,
  pre_stop: hooks,
  scale: containers,
  ulimits,
  ...Object.fromEntries(PLATFORM_LIMITS.map((limit) => [limit, platformsLimits])),
  // Docker refuses what exceeds the memory of the container.
  mem_reservation: allow,
  shm_size: allow,
  tmpfs: allow,
}

const harmless: Rules = Object.fromEntries(
  (
    'attach cap_drop command configs cpu_shares cpus cpuset depends_on develop dns dns_opt dns_search domainname ' +
    'entrypoint environment expose extra_hosts group_add healthcheck hostname init links mem_limit mem_swappiness ' +
    'pids_limit platform profiles pull_policy read_only restart secrets stdin_open stop_grace_period stop_signal tty ' +
    'user working_dir'
  )
    .split(' ')
    .map((name) => [name, allow]),
)

const knownKeys = keysOf({ ...harmless, ...checked, ...dangerous })

export const serviceRule: Rule = all(knownKeys, (value, key) => {
  const hasImage = typeof value === 'object' && value !== null && Object.entries(value).some(isImageOrBuild)
  return hasImage ? [] : [{ key, sentence: `${key} has neither image nor build. Add one of them`, capability: null }]
})

function isImageOrBuild([name, value]: [string, unknown]): boolean {
  return (name === 'image' || name === 'build') && isSet(value)
}
