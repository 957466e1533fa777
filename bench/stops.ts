// Measures how long untrusted input of the largest accepted size blocks the event loop.
import { checkCompose } from '../packages/rules/src/compose/policy/check-compose.ts'
import { readComposeModel, UnreadableCompose } from '../packages/rules/src/compose/read-compose-model.ts'
import { outputTail } from '../packages/server/src/domain/tasks/output-tail.ts'
import { StepFault } from '../packages/server/src/domain/tasks/step-fault.ts'
import { checkCertificate } from '../packages/server/src/edge/certificates/check-certificate.ts'
import { foreseenFaults, readFilesOf } from '../packages/server/src/recipes/docker/release/commit-files.ts'
import { outputLimits } from '../packages/server/src/remote/output-limits.ts'
import { StepOutput } from '../packages/server/src/runner/step-output.ts'
import { prepareMask } from '../packages/server/src/secrets/prepare-mask.ts'
import { Secret } from '../packages/server/src/secrets/secret.ts'
import { readConfigFile } from '../packages/server/src/source/files/read-config-file.ts'
import { longestStopMs } from '../packages/server/test/longest-stop.ts'
import { median, type Verdict } from './verdict.ts'

type Work = () => unknown

/** Refusals are expected errors with a reason. Any other error ends the measurement. */
const refusing =
  (work: Work): Work =>
  async () => {
    try {
      await work()
    } catch (error) {
      if (!isFault(error)) throw error
    }
  }

const FAULTS = [StepFault, UnreadableCompose]
/** One that comes from a thread keeps only its name. */
const isFault = (error: unknown): boolean =>
  FAULTS.some((fault) => error instanceof fault) || (error instanceof Error && error.name === 'RepositoryConfigFault')

const TURNS = 3
const MOST_SECONDS = 0.2

export async function benchStops(): Promise<Verdict[]> {
  const works: Readonly<Record<string, Work>> = {
    ...ofFiles(),
    ...ofModels(),
    ...(await ofValues()),
    'a mebibyte of carriage returns at the end of an output': () =>
      outputTail(Buffer.from(`${'\r'.repeat(64 * 1024)}\n`.repeat(16)), { totalLines: 16, isWhole: false }),
    'a private key of blanks': refusing(() =>
      checkCertificate('', new Secret(`-----BEGIN PRIVATE KEY-----\n${' '.repeat(64 * 1024)}x`), 0),
    ),
  }
  const verdicts: Verdict[] = []
  for (const [what, work] of Object.entries(works)) {
    const stops: number[] = []
    for (let turn = 0; turn < TURNS; turn++) stops.push(await longestStopMs(async () => work()))
    verdicts.push({
      what: `the longest stop by ${what}`,
      figure: median(stops) / 1000,
      unit: 's',
      atMost: MOST_SECONDS,
      detail: `${stops.map((stop) => stop.toFixed(0)).join(' ')} ms of the thread's own time`,
    })
  }
  return verdicts
}

/** Lines or entries until there are so many bytes. */
function filled(bytes: number, entry: (index: number) => string): string {
  const entries: string[] = []
  for (let length = 0; length < bytes; length += entries.at(-1)?.length ?? 1) entries.push(entry(entries.length))
  return entries.join('')
}

function ofFiles(): Record<string, Work> {
  const texts = {
    '20,000 keys': filled(224 * 1024, (at) => `k${at}: v\n`),
    'keys in a flow': `a: {${filled(224 * 1024, (at) => `k${at},`)}}`,
    'anchors and aliases':
      filled(100 * 1024, (at) => `a${at}: &x${at} 1\n`) + filled(90_000, (at) => `b${at}: *x${at}\n`),
    mistakes: `a: ${'}\n'.repeat(100 * 1024)}`,
    brackets: '['.repeat(224 * 1024),
    escapes: `a: "${'\\x'.repeat(100 * 1024)}"`,
  }
  const compose = (text: string): Work => {
    const read = async (path: string) => (path === 'compose.yml' ? Buffer.from(text) : undefined)
    const commit = { links: new Set<string>(), read }
    const deployment = { variables: new Map(), buildKeys: new Set<string>(), grants: new Set<never>() }
    const reading = { files: ['compose.yml'], profiles: [], services: [], deployment }
    return async () => foreseenFaults(commit, await readFilesOf(commit, reading), reading)
  }
  const ofEach = Object.entries(texts).flatMap(([what, text]) => [
    [`a compose file of 224 KiB of ${what}`, refusing(compose(text))] as const,
    [
      `a .service.yml of 224 KiB of ${what}`,
      refusing(() => readConfigFile({ content: Buffer.from(text), recipe: 'docker' })),
    ] as const,
  ])
  return Object.fromEntries(ofEach)
}

/** What Compose makes of a file. */
function ofModels(): Record<string, Work> {
  const check = {
    checkout: '/srv/checkout',
    links: new Set(['a/link']),
    platformFolder: '/srv/shipway',
    variablesFile: '/v',
    projectName: 'x',
    grants: new Set<never>(),
    routed: new Set(['web']),
  }
  const list = (bytes: number, entry: (index: number) => string): string =>
    filled(bytes, (at) => `${entry(at)},`).slice(0, -1)
  const model = (service: string): string => `{"name":"x","services":{"web":{"image":"a",${service}}}}`
  const mount = (source: string): string => `{"type":"bind","source":"${source}","target":"/b"}`
  const models = {
    'many mounts': model(`"volumes":[${list(230_000, (at) => mount(`/a/${at}`))}]`),
    'long mounts': model(`"volumes":[${list(900_000, () => mount(`/srv/checkout/${'a/'.repeat(9_000)}`))}]`),
    'unknown keys': model(list(190_000, (at) => `"k${at}":1`)),
    services: `{"name":"x","services":{${list(120_000, (at) => `"s${at}":{}`)}}}`,
    'a mebibyte of brackets': model(`"x":${'['.repeat(1_000_000)}`),
  }
  const ofEach = Object.entries(models).map(
    ([what, text]) => [`a model of ${what}`, refusing(() => checkCompose(readComposeModel(text), check))] as const,
  )
  return Object.fromEntries(ofEach)
}

async function ofValues(): Promise<Record<string, Work>> {
  const oddLines = filled(64 * 1024, (at) => `é"$\\'<\`${at.toString(36).padStart(4, '0')}\n`)
  const odd = [oddLines, oddLines.replaceAll('é', 'è')].map((value) => new Secret(value))
  const mask = await prepareMask([new Secret('a'.repeat(64 * 1024)), new Secret(`${'a'.repeat(127)}b`)])
  const hiding = (text: string): Work => {
    const bytes = Buffer.from(text)
    return async () => {
      const batch = { put: () => undefined, room: async () => undefined }
      const output = new StepOutput(batch, { readBytes: 0, limits: outputLimits, mask: mask.stream() })
      await output.take(bytes, 0)
      output.end()
    }
  }
  return {
    'variables of 128 KiB of short odd lines': () => prepareMask(odd),
    'a periodic value in 3 MB of one letter': hiding('a'.repeat(3_000_000)),
    'a periodic value in 3 MB of one letter in lines': hiding(`${'a'.repeat(70)}\n`.repeat(42_000)),
  }
}
