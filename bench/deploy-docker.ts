// What the platform takes for a redeployment of containers, against the same git and docker commands run by hand over ssh.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { composeFile, sampleFiles } from '../e2e/load/sample.ts'
import { beginLoadWorld, type EndedTask, type LoadWorld } from '../e2e/load/world.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { startGitHost } from '../packages/server/test/git-host.ts'
import { startSshd } from '../packages/server/test/sshd.ts'
import { freePort } from '../tools/free-port.ts'
import { timeDeployment } from './time-deployment.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 7

type Hand = Awaited<ReturnType<typeof beginByHand>>
type Change = (world: LoadWorld, hand: Hand, round: number) => Promise<void>

/** What is changed before each round, for both. */
const cases: readonly (readonly [what: string, change: Change])[] = [
  ['a changed file', async ({ journey }, _hand, round) => void journey.commit(filesOf(`changed ${round}`))],
  [
    'a changed variable',
    async ({ journey, environmentId }, hand, round) => {
      hand.setVariable(String(round))
      const body = { set: { KEY: String(round) } }
      await journey.client.changeVariables({ params: { id: environmentId }, body })
    },
  ],
  ['nothing changed', async () => undefined],
]

/** With a check of its health, so that both wait until it answers: without one, Compose waits for a running process only. */
const filesOf = (version: string) => ({
  ...sampleFiles(version),
  'compose.yml': `${composeFile}    healthcheck:
      test: wget -q -O /dev/null http://127.0.0.1:3000/
      interval: 1s
`,
})

/** The database is next to nothing of it. */
export async function benchDockerDeployments(): Promise<readonly Verdict[]> {
  const engine = await startEngine()
  try {
    const world = await beginLoadWorld({ dockerHost: engine.host })
    const hand = await beginByHand(world, engine.host)
    try {
      const verdicts: Verdict[] = []
      for (const [what, change] of cases) verdicts.push(...(await compare(world, hand, { what, change })))
      return verdicts
    } finally {
      await hand.stop()
      await world.stop()
    }
  } finally {
    await engine.stop()
  }
}

type Case = { readonly what: string; readonly change: Change }

async function compare(world: LoadWorld, hand: Hand, { what, change }: Case): Promise<Verdict[]> {
  const { platform, client } = world.journey
  const reach = { url: platform.url, token: platform.filled.token }
  const ours: number[] = []
  const byHand: number[] = []
  const tasks: EndedTask[] = []
  // The first round makes what is made once.
  for (let round = 0; round <= ROUNDS; round++) {
    await change(world, hand, round)
    const handSeconds = await hand.deploy()
    const { seconds, task } = await timeDeployment(reach, client, world.environmentId)
    if (round === 0) continue
    byHand.push(handSeconds)
    ours.push(seconds)
    tasks.push(task)
  }
  const over = ours.map((took, round) => took - (byHand[round] ?? 0))
  const name = `docker redeployment over the same by hand, ${what}`
  const detail = `${median(ours).toFixed(2)} s against ${median(byHand).toFixed(2)} s, medians of ${ROUNDS}`
  return [
    {
      what: name,
      figure: median(ours.map((took, round) => took / (byHand[round] ?? took))),
      atMost: 1.3,
      detail: `${detail}; ${longestSteps(tasks)}`,
    },
    { what: name, figure: median(over), unit: 's', atMost: 1, detail: `at most ${Math.max(...over).toFixed(2)} s` },
  ]
}

/** Where the time goes, by the medians of the steps. */
function longestSteps(tasks: readonly EndedTask[]): string {
  const steps = tasks.flatMap(({ phases }) => phases.flatMap((phase) => phase.steps))
  const byName = Map.groupBy(steps, ({ name }) => name)
  const medians = [...byName].map(([name, all]) => ({ name, ms: median(all.map((step) => step.duration_ms ?? 0)) }))
  const longest = medians.sort((a, b) => b.ms - a.ms).slice(0, 8)
  return longest.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')
}

/** A git host and a server of the same kind that let in a key of its own, and the same engine. */
async function beginByHand({ journey: { gitHost } }: LoadWorld, dockerHost: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-hand-'))
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
  const ownHost = await startGitHost({ authorizedKey: readFileSync(join(folder, 'key.pub'), 'utf8').trim() })
  const server = await startSshd({
    settings: [`AuthorizedKeysFile ${folder}/key.pub`, `SetEnv HOME=${folder} DOCKER_HOST=${dockerHost}`],
  })
  execFileSync('git', ['clone', '--quiet', `${gitHost.folder}/repository`, join(folder, 'app')])
  const own = { env_file: [join(folder, 'variables.env')], ports: [`127.0.0.1:${await freePort()}:3000`] }
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ services: { web: own } }))
  const setVariable = (value: string): void => writeFileSync(join(folder, 'variables.env'), `KEY=${value}\n`)
  setVariable('')
  const script = scriptOf(folder, {
    source: ownHost.address(`${gitHost.folder}/repository/.git`),
    server: `ssh://${userInfo().username}@127.0.0.1:${server.port}`,
  })
  return {
    setVariable,
    deploy: async (): Promise<number> => {
      const from = performance.now()
      const child = spawn('sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (bytes: Buffer) => {
        said += bytes
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`By hand it ended with ${code}: ${said.slice(-2000)}`)
      return (performance.now() - from) / 1000
    },
    stop: async () => {
      await server.stop()
      await ownHost.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The connection to the server is shared, as ours is. */
function scriptOf(folder: string, { source, server }: { source: string; server: string }): string {
  const ssh = `ssh -F none -i ${folder}/key -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`
  const shared = `${ssh} -o ControlMaster=auto -o ControlPath=${folder}/control -o ControlPersist=60`
  const compose = `docker compose -p by-hand -f compose.yml -f ${folder}/own.json up -d --build --wait`
  return `
${shared} ${server} 'set -e
cd ${folder}/app
GIT_SSH_COMMAND="${ssh}" git fetch --quiet --no-tags ${source} main
git checkout --quiet --force FETCH_HEAD
${compose}'
`
}
