// What the platform adds to a manual deployment of a one-file repository: against the same git and shell commands run by hand.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { beginProject, buildOwner, type JourneyProject } from '../e2e/journey.ts'
import { startGitHost } from '../packages/server/test/git-host.ts'
import { startSshd } from '../packages/server/test/sshd.ts'
import { type DatabaseName, startPlatform } from '../tools/platform.ts'
import { timeDeployment } from './time-deployment.ts'
import { median, type Verdict } from './verdict.ts'

const ROUNDS = 9
const most = { ssh: 0.5, local: 0.2 } as const
type Connection = keyof typeof most

export async function benchManualDeployments(name: DatabaseName): Promise<readonly Verdict[]> {
  return [await compare(name, 'ssh'), await compare(name, 'local')]
}

async function compare(name: DatabaseName, connection: Connection): Promise<Verdict> {
  const platform = await startPlatform(name, buildOwner)
  const { token } = platform.filled
  const project = await beginProject({ url: platform.url, token, connection })
  const hand = await beginByHand(project, connection)
  try {
    const environmentId = await project.createEnvironment('main')
    const ours: number[] = []
    const byHand: number[] = []
    // The first round makes what is made once: mirrors, folders and connections.
    for (let round = 0; round <= ROUNDS; round++) {
      project.commit({ '.service.yml': serviceFile(round) })
      const handSeconds = await hand.deploy(round)
      const { seconds: ourSeconds } = await timeDeployment({ url: platform.url, token }, project.client, environmentId)
      if (round === 0) continue
      byHand.push(handSeconds)
      ours.push(ourSeconds)
    }
    return {
      what: `manual deployment over the same by hand, ${connection} (${name})`,
      // Of each round: what else the machine does then slows both.
      figure: median(ours.map((took, round) => took - (byHand[round] ?? 0))),
      unit: 's',
      atMost: most[connection],
      detail: `${seconds(ours)} against ${seconds(byHand)}, medians of ${ROUNDS}`,
    }
  } finally {
    await hand.stop()
    await platform.stop()
    await project.stop()
  }
}

const seconds = (figures: readonly number[]): string => `${median(figures).toFixed(3)} s`

const serviceFile = (round: number): string => `services:
  web: { port: 4000 }
manual:
  deploy:
    - { name: Say hello, run: echo hello ${round} }
`

/** Hosts of its own, of the same kind, that let in a key of its own; the connection to the server is shared, as ours is. */
async function beginByHand({ gitHost }: JourneyProject, connection: Connection) {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-hand-'))
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
  const ownHost = await startGitHost({ authorizedKey: readFileSync(join(folder, 'key.pub'), 'utf8').trim() })
  const server = await startSshd({ settings: [`AuthorizedKeysFile ${folder}/key.pub`] })
  const script = scriptOf(folder, {
    source: ownHost.address(`${gitHost.folder}/repository/.git`),
    server: connection === 'local' ? undefined : `ssh://${userInfo().username}@127.0.0.1:${server.port}`,
  })
  for (const repository of ['mirror.git', 'server.git']) {
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(folder, repository)])
  }
  return {
    deploy: async (round: number): Promise<number> => {
      const release = join(folder, 'releases', String(round))
      mkdirSync(join(folder, 'releases'), { recursive: true })
      const from = performance.now()
      const child = spawn('sh', ['-ec', script, 'by-hand', release, `echo hello ${round}`], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`By hand it ended with ${code}`)
      return (performance.now() - from) / 1000
    },
    stop: async () => {
      await server.stop()
      await ownHost.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function scriptOf(folder: string, { source, server }: { source: string; server: string | undefined }): string {
  const ssh = `ssh -F none -i ${folder}/key -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`
  const shared = `${ssh} -o ControlMaster=auto -o ControlPath=${folder}/control -o ControlPersist=60`
  const onServer = server === undefined ? 'sh -ec' : `${shared} ${server}`
  return `
export GIT_SSH_COMMAND="${ssh}"
git --git-dir=${folder}/mirror.git fetch --quiet --no-tags ${source} +main:main
export GIT_SSH_COMMAND="${shared}"
git --git-dir=${folder}/mirror.git push --quiet ${server ?? ''}${folder}/server.git +main:main
${onServer} "mkdir $1 && git --git-dir=${folder}/server.git --work-tree=$1 checkout --quiet --force main"
${onServer} "cd $1 && $2"
`
}
