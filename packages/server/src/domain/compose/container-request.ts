// A container as the Engine is asked for it, in the words in which Compose would ask: what Compose does beside that takes longer than the
// container itself.
//
// Only for services whose keys are all known here. For any other, and for values in another form, it returns undefined: Compose creates those.
import type { JsonObject } from '@shipway/rules/compose/model'
import { nanoCpus } from '@shipway/rules/compose/read-compose-model'
import { z } from 'zod'
import { durationNs } from './compose-duration.ts'

export type ContainerRequest = {
  readonly name: string
  readonly network: string
  /** Values of variables are in it. */
  readonly body: JsonObject
}

export type Dependencies = {
  /** As it is written for Compose; values are as they are meant, without escapes. */
  readonly document: JsonObject
  /** Of the variables file. */
  readonly variables: ReadonlyMap<string, string>
  readonly imageId: string
  /** Behind the names of the containers that the service has. */
  readonly number: number
  /** That made the current container. */
  readonly composeVersion: string
  readonly directory: string
  readonly file: string
  readonly variablesFile: string
}

export function containerRequest(service: string, dependencies: Dependencies): ContainerRequest | undefined {
  const parsed = Document.safeParse(dependencies.document)
  if (!parsed.success) return undefined
  const { name: project, services, networks } = parsed.data
  const known = Service.safeParse(withoutExtensions(services[service] ?? {}))
  if (!known.success) return undefined
  const own = known.data
  const [networkKey, ...others] = Object.keys(own.networks)
  const network = Network.safeParse(withoutExtensions(networks[networkKey ?? ''] ?? {}))
  const environment = environmentOf(own, dependencies.variables)
  if (networkKey === undefined || others.length > 0 || !network.success || !environment) return undefined
  if (!/^[\w.-]+$/.test(service)) return undefined
  const name = [project, service, dependencies.number].join('-')
  const endpoint = { Aliases: [name, service, ...(own.networks[networkKey]?.aliases ?? [])] }
  const body = {
    ...configOf(own),
    Env: environment,
    Labels: { ...own.labels, ...composeLabels(service, { ...dependencies, project, labels: own.labels }) },
    HostConfig: { ...hostConfigOf(own), NetworkMode: network.data.name },
    NetworkingConfig: { EndpointsConfig: { [network.data.name]: endpoint } },
  }
  return { name, network: network.data.name, body }
}

const duration = z.string().transform((text, ctx) => {
  const ns = durationNs(text)
  if (ns === undefined) ctx.addIssue({ code: 'custom', message: 'is no duration' })
  return ns ?? 0
})
const words = z.array(z.string()).nullish()
const port = z
  .string()
  .regex(/^127\.0\.0\.1:\d{1,5}:\d{1,5}$/)
  .transform((text) => text.split(':'))

const Service = z.strictObject({
  image: z.string(),
  // The platform says that nothing is pulled; what Compose is started after is the platform's order.
  pull_policy: z.string().nullish(),
  depends_on: z.unknown().optional(),
  command: words,
  entrypoint: words,
  env_file: z.tuple([z.string()]),
  environment: z.record(z.string(), z.string().nullable()),
  labels: z.record(z.string(), z.string()),
  ports: z.array(port).max(1),
  expose: z.array(z.string().regex(/^\d{1,5}$/)).nullish(),
  networks: z.record(z.string(), z.strictObject({ aliases: words }).nullable()),
  restart: z.string().regex(/^(no|always|unless-stopped|on-failure(:\d{1,9})?)$/),
  user: z.string().nullish(),
  working_dir: z.string().nullish(),
  hostname: z.string().nullish(),
  stop_signal: z.string().nullish(),
  stop_grace_period: duration.nullish(),
  init: z.boolean().nullish(),
  tty: z.boolean().nullish(),
  read_only: z.boolean().nullish(),
  cap_add: words,
  cap_drop: words,
  cpus: z.number().nullish(),
  mem_limit: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ])
    .nullish(),
  pids_limit: z.number().nullish(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: duration.nullish(),
      timeout: duration.nullish(),
      retries: z.number().nullish(),
      start_period: duration.nullish(),
    })
    .nullish(),
})

type Service = z.infer<typeof Service>

/** One that is there already: others are Compose's to make. */
const Network = z.strictObject({ name: z.string().regex(/^[A-Za-z0-9][\w.-]*$/), external: z.literal(true) })

const objects = z.record(z.string(), z.record(z.string(), z.unknown()))
const Document = z.object({ name: z.string(), services: objects, networks: objects })

/** Extensions do nothing. */
const withoutExtensions = (definition: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(definition).filter(([key]) => !key.startsWith('x-')))

/** Undefined if a key without a value is no variable of the environment: only Compose knows where it would look. */
function environmentOf({ environment }: Service, variables: ReadonlyMap<string, string>): string[] | undefined {
  const all = new Map(variables)
  for (const [key, own] of Object.entries(environment)) {
    const value = own ?? variables.get(key)
    if (value === undefined) return undefined
    all.set(key, value)
  }
  return [...all].map(([key, value]) => `${key}=${value}`)
}

/** What is undefined here is taken from the image. */
function configOf(own: Service): JsonObject {
  const { image, command, entrypoint, ports, expose, healthcheck, stop_grace_period: grace } = own
  const open = [...(expose ?? []), ...ports.map(([, , inside]) => `${inside}/tcp`)]
  return {
    Image: image,
    Cmd: command ?? undefined,
    Entrypoint: entrypoint ?? undefined,
    Hostname: own.hostname ?? undefined,
    User: own.user ?? undefined,
    WorkingDir: own.working_dir ?? undefined,
    Tty: own.tty ?? false,
    AttachStdout: true,
    AttachStderr: true,
    ExposedPorts: Object.fromEntries(open.map((key) => [key, {}])),
    StopSignal: own.stop_signal ?? undefined,
    StopTimeout: typeof grace === 'number' ? Math.trunc(grace / NANOSECONDS) : undefined,
    Healthcheck: healthcheck
      ? {
          Test: healthcheck.test,
          Interval: healthcheck.interval ?? undefined,
          Timeout: healthcheck.timeout ?? undefined,
          Retries: healthcheck.retries ?? undefined,
          StartPeriod: healthcheck.start_period ?? undefined,
        }
      : undefined,
  }
}

const NANOSECONDS = 1e9

function hostConfigOf({ ports, restart, cpus, mem_limit: memory, pids_limit: processes, ...own }: Service): JsonObject {
  const [policy, retries = '0'] = restart.split(':')
  const bindings = ports.map(([ip, outside, inside]) => [`${inside}/tcp`, [{ HostIp: ip, HostPort: outside }]])
  return {
    PortBindings: Object.fromEntries(bindings),
    RestartPolicy: { Name: policy, MaximumRetryCount: Number(retries) },
    Init: own.init ?? undefined,
    ReadonlyRootfs: own.read_only ?? false,
    CapAdd: own.cap_add ?? undefined,
    CapDrop: own.cap_drop ?? undefined,
    ExtraHosts: [],
    Memory: memory ?? 0,
    NanoCpus: nanoCpus(cpus ?? 0),
    PidsLimit: processes ?? undefined,
  }
}

type Labeling = Dependencies & { readonly project: string; readonly labels: Readonly<Record<string, string>> }

/** The labels by which Compose knows its containers. Its digest of a service is unknown here: ours replaces it and is never compared. */
function composeLabels(service: string, { project, labels, ...own }: Labeling): JsonObject {
  const values = {
    'config-hash': labels['shipway.hash'] ?? '',
    'container-number': String(own.number),
    // Compose does not read it: the platform starts them in its order.
    depends_on: '',
    image: own.imageId,
    oneoff: 'False',
    project,
    'project.config_files': own.file,
    'project.environment_file': own.variablesFile,
    'project.working_dir': own.directory,
    service,
    version: own.composeVersion,
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`com.docker.compose.${key}`, value]))
}
