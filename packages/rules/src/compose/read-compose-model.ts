// Parses the output of `docker compose config --format json`. What the policy checks is kept unchanged.
import { z } from 'zod'
import { checkJsonSize, JsonTooLarge } from '../bounded-json.ts'
import { withoutEscapes } from './escaped-dollars.ts'
import type { ComposeLimits, ComposeModel, ComposeService, JsonObject } from './model.ts'

/** The message names the key, never its value. */
export class UnreadableCompose extends Error {
  override readonly name = 'UnreadableCompose'
}

/** Values are unescaped. */
export function readComposeModel(text: string): ComposeModel {
  return composeModel(withoutEscapes(jsonOf(text)))
}

/** A text that reads as the same model, with further keys at the top. */
export function printComposeModel(model: ComposeModel, further: JsonObject = {}): string {
  return JSON.stringify({ ...composeDocument(model), ...further }).replaceAll('$', '$$$$')
}

export function composeDocument({
  name,
  services,
  networks,
  volumes,
  secrets,
  configs,
  others,
}: ComposeModel): JsonObject {
  const definitions = [...services].map(([key, { definition }]) => [key, definition] as const)
  return {
    ...others,
    name,
    services: Object.fromEntries(definitions),
    networks: Object.fromEntries(networks),
    volumes: Object.fromEntries(volumes),
    secrets: Object.fromEntries(secrets),
    configs: Object.fromEntries(configs),
  }
}

export function composeModel(document: unknown): ComposeModel {
  const { name, services, networks, volumes, secrets, configs, ...others } = parse(document)
  return {
    name,
    services: new Map(Object.entries(services).map(([key, service]) => [key, serviceOf(key, service)])),
    networks: definitions(networks),
    volumes: definitions(volumes),
    secrets: definitions(secrets),
    configs: definitions(configs),
    others,
  }
}

const strings = z.union([z.string(), z.number()]).transform(String)
const number = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).transform(Number)
const object = z.looseObject({})

/** Only what the plan needs; every other key is kept as it is. */
const serviceSchema = z.looseObject({
  image: z.string().nullish(),
  build: object.nullish(),
  container_name: z.string().nullish(),
  network_mode: z.string().nullish(),
  restart: z.string().nullish(),
  scale: number.nullish(),
  cpus: number.nullish(),
  mem_limit: strings.nullish(),
  pids_limit: number.nullish(),
  deploy: z
    .looseObject({
      replicas: number.nullish(),
      resources: z
        .looseObject({
          limits: z
            .looseObject({ cpus: number.nullish(), memory: strings.nullish(), pids: number.nullish() })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
  healthcheck: z.looseObject({ disable: z.boolean().nullish() }).nullish(),
  expose: z.array(strings).nullish(),
  ports: z
    .array(z.looseObject({ target: number, published: strings.nullish(), protocol: z.string().nullish() }))
    .nullish(),
  volumes: z
    .array(
      z.looseObject({
        type: z.string(),
        source: z.string().nullish(),
        target: z.string().nullish(),
        read_only: z.boolean().nullish(),
      }),
    )
    .nullish(),
  depends_on: z
    .record(
      z.string(),
      z.looseObject({
        condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
        required: z.boolean().default(true),
      }),
    )
    .nullish(),
})

type ParsedService = z.infer<typeof serviceSchema>

const section = z.record(z.string(), object.nullable()).nullish()

const modelSchema = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), serviceSchema),
  networks: section,
  volumes: section,
  secrets: section,
  configs: section,
})

function parse(document: unknown): z.infer<typeof modelSchema> {
  const parsed = modelSchema.safeParse(document)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') || 'its beginning'
  throw new UnreadableCompose(
    `What Compose made of the compose file cannot be read: it is not of the expected form at ${path}`,
  )
}

function jsonOf(text: string): unknown {
  const names = new Set<string>()
  const value = parseJson(text, names)
  // Libraries silently skip this name, so it would bypass the policy.
  if (!names.has('__proto__')) return value
  throw new UnreadableCompose('Nothing in a compose file can be named __proto__. Choose another name')
}

function parseJson(text: string, names: Set<string>): unknown {
  try {
    checkJsonSize(text, LIMITS)
    return JSON.parse(text, (name, value) => {
      names.add(name)
      return value
    })
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new UnreadableCompose(TOO_LARGE)
    // The parser's error quotes the text, which may contain secrets.
    throw new UnreadableCompose('What Compose made of the compose file cannot be read: it is not JSON')
  }
}

/** Several times the size of large projects. */
const LIMITS = { values: 20_000, depth: 100 } as const
const TOO_LARGE =
  'The compose files come to more than 20,000 values, or are nested too deep. Take out what is not needed, or split the project'

function definitions(found: Readonly<Record<string, JsonObject | null>> | null | undefined): Map<string, JsonObject> {
  return new Map(Object.entries(found ?? {}).map(([key, definition]) => [key, definition ?? {}]))
}

function serviceOf(name: string, service: ParsedService): ComposeService {
  const ports = (service.ports ?? []).map(({ target, published, protocol }) => ({
    target,
    published: published ?? null,
    protocol: protocol ?? 'tcp',
  }))
  return {
    name,
    definition: service,
    image: service.image ?? null,
    build: service.build ?? null,
    containerName: service.container_name ?? null,
    networkMode: service.network_mode ?? null,
    restart: service.restart ?? null,
    replicas: service.scale ?? service.deploy?.replicas ?? 1,
    hasHealthcheck: service.healthcheck ? service.healthcheck.disable !== true : false,
    ports,
    exposed: [
      ...new Set([
        ...ports.filter(({ protocol }) => protocol === 'tcp').map(({ target }) => target),
        ...exposedIn(service),
      ]),
    ],
    mounts: (service.volumes ?? []).map(({ type, source, target, read_only }) => ({
      type,
      source: source ?? null,
      target: target ?? null,
      isReadOnly: read_only === true,
    })),
    dependsOn: new Map(
      Object.entries(service.depends_on ?? {}).map(([key, { condition, required }]) => [
        key,
        { condition, isRequired: required },
      ]),
    ),
    limits: limitsOf(service),
  }
}

/** `8080`, `8080/tcp`; of a range the first. */
const exposedIn = ({ expose }: ParsedService): readonly number[] =>
  (expose ?? []).filter((port) => !port.endsWith('/udp')).map((port) => Number.parseInt(port, 10))

function limitsOf(service: ParsedService): ComposeLimits {
  const limits = service.deploy?.resources?.limits
  return {
    cpus: lower(cpuMicroseconds, service.cpus, limits?.cpus),
    memoryBytes: lower(Math.trunc, bytesOf(service.mem_limit), bytesOf(limits?.memory)),
    processes: lower(Math.trunc, service.pids_limit, limits?.pids),
  }
}

/** Docker treats zero and negative values as no limit, also values that round to zero in its own unit. */
function lower(
  inDockersUnit: (value: number) => number,
  ...values: readonly (number | null | undefined)[]
): number | null {
  const limits = values.filter((value) => typeof value === 'number').filter((value) => inDockersUnit(value) > 0)
  return limits.length === 0 ? null : Math.min(...limits)
}

/** Per 100 ms, computed from nano-CPUs, which Compose counts in single precision. */
const cpuMicroseconds = (cpus: number): number => Math.trunc(nanoCpus(cpus) / 10_000)

/** Docker's unit. */
export const nanoCpus = (cpus: number): number => Math.trunc(Math.fround(Math.fround(cpus) * 1e9))

/** Compose resolves sizes to bytes; some versions print a unit. */
export function bytesOf(text: string | null | undefined): number | null {
  const parts = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text ?? '')
  if (!parts) return null
  const [, amount = '', unit = ''] = parts
  return Math.floor(Number(amount) * 1024 ** ' kmgt'.indexOf(unit.toLowerCase() || ' '))
}
