// Compares a zero-downtime redeployment by the platform with the fastest one by hand: over open connections, without any avoidable check.

import { sampleFiles, serverFile } from '../e2e/load/sample.ts'
import { beginLoadWorld, type EndedTask, type LoadWorld } from '../e2e/load/world.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { type ByHand, beginByHand } from './by-hand.ts'
import { timeDeployment } from './time-deployment.ts'
import { untilAnswers } from './until-answers.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 9

type Change = (world: LoadWorld, hand: ByHand, round: number) => Promise<void>

type Case = {
  readonly what: string
  readonly atMost: number
  /** Before each round, for both. */
  readonly change: Change
  /** What the new version answers; undefined where it answers as the old one. */
  readonly answer?: (round: number) => string
}

const cases: readonly Case[] = [
  {
    what: 'a changed file',
    atMost: 1.3,
    change: async ({ journey }, _hand, round) => void journey.commit(filesOf(`changed ${round}`)),
    answer: (round) => `changed ${round} `,
  },
  {
    what: 'a changed variable',
    atMost: 1.3,
    change: async ({ journey, environmentId }, hand, round) => {
      hand.setVariable(String(round))
      const body = { set: { KEY: String(round) } }
      await journey.client.changeVariables({ params: { id: environmentId }, body })
    },
    answer: (round) => ` ${round}`,
  },
  { what: 'nothing changed', atMost: 0.8, change: async () => undefined },
]

/** It says its version and its variable. */
const filesOf = (version: string) => ({
  ...sampleFiles(version),
  'server.js': serverFile.replace("'VERSION'", `'${version} ' + (process.env.KEY ?? '')`),
})

/** The database is next to nothing of it. */
export async function benchDockerDeployments(): Promise<readonly Verdict[]> {
  const engine = await startEngine()
  try {
    const world = await beginLoadWorld({ dockerHost: engine.host })
    const hand = await beginByHand(world.journey.gitHost, engine.host)
    try {
      const verdicts: Verdict[] = []
      for (const one of cases) verdicts.push(...(await compare(world, hand, one)))
      return verdicts
    } finally {
      await hand.stop()
      await world.stop()
    }
  } finally {
    await engine.stop()
  }
}

type Times = { readonly end: number; readonly live: number }

async function compare(world: LoadWorld, hand: ByHand, { what, atMost, change, answer }: Case): Promise<Verdict[]> {
  const ours: Times[] = []
  const byHand: Times[] = []
  const tasks: EndedTask[] = []
  // The first round makes what is made once.
  for (let round = 0; round <= ROUNDS; round++) {
    await change(world, hand, round)
    const expected = answer?.(round)
    const theirs = await timed(() => hand.deploy(), hand.target, expected)
    const own = await timed(() => deploy(world), world.target, expected)
    if (round === 0) continue
    byHand.push(theirs)
    ours.push(own)
    tasks.push(own.result.task)
  }
  const verdict = (figure: keyof Times, name: string, detail = ''): Verdict => ({
    what: `docker redeployment over the least by hand, ${what}, ${name}`,
    figure: median(ours.map((own, round) => own[figure] / (byHand[round]?.[figure] ?? own[figure]))),
    atMost,
    detail: `${medianOf(ours, figure)} against ${medianOf(byHand, figure)}, medians of ${ROUNDS}${detail}`,
  })
  const end = verdict('end', 'until it has ended', `; ${stepsOf(tasks)}`)
  return answer ? [end, verdict('live', 'until the new version answers')] : [end]
}

const medianOf = (times: readonly Times[], figure: keyof Times): string =>
  `${median(times.map((one) => one[figure])).toFixed(2)} s`

async function timed<Result>(
  work: () => Promise<Result>,
  target: { readonly port: number; readonly host: string },
  expected: string | undefined,
): Promise<Times & { readonly result: Result }> {
  const from = performance.now()
  const working = work()
  const answering = expected === undefined ? working.then(() => performance.now()) : untilAnswers(target, expected)
  const result = await working
  const end = performance.now()
  return { end: (end - from) / 1000, live: ((await answering) - from) / 1000, result }
}

const deploy = ({ journey: { platform, client }, environmentId }: LoadWorld) =>
  timeDeployment({ url: platform.url, token: platform.filled.token }, client, environmentId)

/** Where the time goes, by the medians of the steps. */
function stepsOf(tasks: readonly EndedTask[]): string {
  const steps = tasks.flatMap(({ phases }) => phases.flatMap((phase) => phase.steps))
  const byName = Map.groupBy(steps, ({ name }) => name)
  const medians = [...byName].map(([name, all]) => ({ name, ms: median(all.map((step) => step.duration_ms ?? 0)) }))
  const sorted = medians.sort((a, b) => b.ms - a.ms)
  return sorted.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')
}
