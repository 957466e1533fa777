// Generates random services: harmless and dangerous parts in short and long forms, and empty values.
import fc from 'fast-check'

const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/etc',
    '/etc/passwd',
    '/var/run/docker.sock',
    '/proc',
    '~/.ssh',
    '../other',
    './a/../../b',
    '/etc/localtime',
  ),
  fc.constantFrom('./data', './conf', '.', './a/b', './nginx.conf', 'data', 'cache'),
)

const mount = fc.oneof(
  fc
    .tuple(
      path,
      fc.constantFrom('/in', '/data', '/etc/localtime', '/in/deep'),
      fc.constantFrom('', ':ro', ':rw', ':z', ':ro,rslave'),
    )
    .map(([source, target, modes]) => `${source}:${target}${modes}`),
  fc.record(
    {
      type: fc.constantFrom('bind', 'volume', 'tmpfs', 'npipe', 'cluster'),
      source: path,
      target: fc.constantFrom('/in', '/data'),
      read_only: fc.boolean(),
      bind: fc.record({ propagation: fc.constantFrom('private', 'rshared', 'slave') }, { requiredKeys: [] }),
    },
    { requiredKeys: ['type', 'target'] },
  ),
)

const harmlessMount = fc
  .tuple(
    fc.constantFrom('./data', './conf', '.', './a/b', './nginx.conf', 'data', 'cache', '/etc/localtime'),
    fc.constantFrom('/in', '/data', '/etc/localtime', '/other'),
    fc.constantFrom('', ':ro', ':rw', ':z'),
  )
  .map(([source, target, modes]) => `${source}:${target}${modes}`)

const port = fc.oneof(
  fc.constantFrom('80', '8080:80', '0.0.0.0:22:22', '127.0.0.1:1:1', '53:53/udp', '3000-3002:3000-3002', '[::1]:80:80'),
  fc.record(
    {
      target: fc.integer({ min: 1, max: 65_535 }),
      published: fc.constantFrom('80', '9000-9010'),
      host_ip: fc.constantFrom('0.0.0.0', '127.0.0.1'),
    },
    { requiredKeys: ['target'] },
  ),
)

const mode = fc.constantFrom('host', 'bridge', 'none', 'container:other', 'service:other', 'private', 'shareable')

const harmless = fc.record(
  {
    image: fc.constantFrom('nginx', 'nginx:1.27', 'registry.example.com:5000/a/b:c'),
    volumes: fc.array(harmlessMount, { maxLength: 3 }),
    ports: fc.array(port, { maxLength: 3 }),
    expose: fc.array(fc.constantFrom('80', '9000/tcp'), { maxLength: 2 }),
    cap_drop: fc.constantFrom([], ['ALL']),
    ipc: fc.constantFrom('private', 'shareable'),
    security_opt: fc.constantFrom([], ['no-new-privileges:true']),
    container_name: fc.constantFrom('other-web-1', 'db', '-x'),
    networks: fc.constantFrom(['front'], { front: { aliases: ['w'], ipv4_address: '10.0.0.9' } }),
    labels: fc.constant({ a: 'b' }),
    deploy: fc.constantFrom({ replicas: 2 }, { resources: { limits: { memory: '64m' } } }),
    restart: fc.constantFrom('always', 'no'),
  },
  { requiredKeys: ['image'] },
)

/** Every key that gives a container access to the machine. */
const dangerous = {
  image: fc.constantFrom('shipway-abc-web:1', 'a;b', 'sha256:00'),
  volumes: fc.array(mount, { maxLength: 4 }),
  privileged: fc.boolean(),
  cap_add: fc.constantFrom([], ['ALL'], ['SYS_ADMIN', 'NET_ADMIN']),
  devices: fc.constantFrom([], ['/dev/sda:/dev/sda']),
  network_mode: mode,
  pid: mode,
  ipc: mode,
  uts: fc.constantFrom('host', ''),
  userns_mode: fc.constantFrom('host', ''),
  cgroup_parent: fc.constantFrom('/', ''),
  security_opt: fc.constantFrom(['seccomp:unconfined'], ['apparmor=unconfined']),
  sysctls: fc.constantFrom({}, { 'kernel.msgmax': '1' }),
  runtime: fc.constantFrom('runc', 'evil'),
  networks: fc.constant({ front: { mac_address: '02:42:ac:11:00:02' } }),
  labels: fc.constantFrom({ 'shipway.environment': '8' }, { 'com.docker.compose.project': 'other' }),
  deploy: fc.constant({ replicas: 10_000 }),
  volumes_from: fc.constantFrom([], ['container:other']),
} satisfies Readonly<Record<string, fc.Arbitrary<unknown>>>

const one = fc.oneof(...Object.entries(dangerous).map(([key, value]) => fc.record({ [key]: value })))

/** Half of them are harmless; few have more than one dangerous part. */
export const service = fc.oneof(
  harmless,
  fc.tuple(harmless, one).map(([base, more]) => ({ ...base, ...more })),
  fc.tuple(harmless, one, one).map(([base, more, other]) => ({ ...base, ...more, ...other })),
)

export const topLevel = fc.record(
  {
    networks: fc.constantFrom(
      { front: {} },
      { front: { external: true } },
      { front: { name: 'other_default' } },
      { front: { internal: false } },
      { front: { driver: 'macvlan' } },
      { front: { driver: 'overlay', ipam: { config: [{ subnet: '10.0.0.0/8' }] } } },
      { front: { driver_opts: { 'com.docker.network.bridge.name': 'docker0' } } },
    ),
    volumes: fc.constantFrom(
      { data: {}, cache: {} },
      { data: { external: true }, cache: {} },
      { data: { name: 'other_data' }, cache: {} },
      { data: { driver: 'local', driver_opts: { type: 'none', o: 'bind', device: '/' } }, cache: {} },
    ),
    name: fc.constantFrom('other', 'project'),
  },
  { requiredKeys: ['networks', 'volumes'] },
)
