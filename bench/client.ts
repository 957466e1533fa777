// The command line: what starting it costs against a bare node, and what a deployment costs against the bare request.
// `npm run bench -- client`.
import { execFileSync } from 'node:child_process'
import { SHIPWAY } from '../e2e/cli/client-process.ts'
import { beginProject, buildOwner, ended } from '../e2e/journey.ts'
import { startPlatform } from '../tools/platform.ts'
import { median, type Verdict } from './verdict.ts'

const STARTS = 31
const DEPLOYMENTS = 11

const REQUEST = `
const { URL: url, TOKEN: token, ID: id } = process.env
const answer = await fetch(\`\${url}/api/environments/\${id}/tasks\`, { method: 'POST', headers: { authorization: \`Bearer \${token}\` } })
console.log((await answer.json()).url)`

export async function benchClient(): Promise<readonly Verdict[]> {
  return [measureHelp(), await measureDeploy()]
}

/** One after the other in turn, so that whatever else the machine does hits both alike. */
function measureHelp(): Verdict {
  const bare: number[] = []
  const help: number[] = []
  for (let round = 0; round < STARTS; round++) {
    bare.push(timeOf(['-e', '0']))
    help.push(timeOf([SHIPWAY, '--help']))
  }
  return {
    what: 'shipway --help against node -e 0',
    figure: median(help) / median(bare),
    atMost: 1.5,
    detail: `${median(help).toFixed(0)} ms against ${median(bare).toFixed(0)} ms, medians of ${STARTS}`,
  }
}

async function measureDeploy(): Promise<Verdict> {
  const platform = await startPlatform('embedded', buildOwner)
  const { token } = platform.filled
  const project = await beginProject({ url: platform.url, token, connection: 'local' })
  project.commit({ '.service.yml': "services: { web: {} }\nmanual: { deploy: [{ run: 'true' }] }\n" })
  const bare: number[] = []
  const whole: number[] = []
  try {
    const id = await project.createEnvironment('main')
    const request = { URL: platform.url, TOKEN: token, ID: String(id) }
    const client = { SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: token, HOME: '/nonexistent' }
    const settle = async (): Promise<void> => {
      const [task] = await project.client.listTasks({ params: { id }, query: { limit: 1 } })
      if (task) await ended(project.client, task.id)
    }
    for (let round = 0; round < DEPLOYMENTS; round++) {
      bare.push(timeOf(['--input-type=module', '-e', REQUEST], request))
      await settle()
      whole.push(timeOf([SHIPWAY, 'deploy', '-p', 'Hello', '-e', 'main'], client))
      await settle()
    }
  } finally {
    await platform.stop()
    await project.stop()
  }
  return {
    what: 'shipway deploy against a bare node script that sends the same request',
    figure: median(whole) / median(bare),
    atMost: 2.5,
    detail: `${median(whole).toFixed(0)} ms against ${median(bare).toFixed(0)} ms, medians of ${DEPLOYMENTS}`,
  }
}

function timeOf(words: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const startedAt = performance.now()
  execFileSync(process.execPath, words, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return performance.now() - startedAt
}
