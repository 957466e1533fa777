// A zero-downtime redeployment by an expert, by hand: the source is fetched over an open connection, the new
// container runs beside the old one on another port, one entry of HAProxy's map changes when it answers, and the old one goes.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type GitHost, startGitHost } from '../packages/server/test/git-host.ts'
import { domainTo, openHaproxyEdge } from '../packages/server/test/haproxy-edge.ts'
import { startSshd } from '../packages/server/test/sshd.ts'
import { freePort } from '../tools/free-port.ts'

export type ByHand = Awaited<ReturnType<typeof beginByHand>>

const HOST = 'hand.localhost'

/** A git host, a server and an edge of the same kind as ours, the same application and the same engine. */
export async function beginByHand(gitHost: GitHost, dockerHost: string) {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-hand-'))
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
  const ownHost = await startGitHost({ authorizedKey: readFileSync(join(folder, 'key.pub'), 'utf8').trim() })
  const server = await startSshd({
    settings: [`AuthorizedKeysFile ${folder}/key.pub`, `SetEnv HOME=${folder} DOCKER_HOST=${dockerHost}`],
  })
  const edge = await openHaproxyEdge()
  await edge.lead(domainTo(1, { domain: HOST }))
  execFileSync('git', ['clone', '--quiet', `${gitHost.folder}/repository`, join(folder, 'app')])
  const setVariable = (value: string): void => writeFileSync(join(folder, 'variables.env'), `KEY=${value}\n`)
  setVariable('')
  const places = {
    folder,
    edge: edge.folder,
    source: ownHost.address(`${gitHost.folder}/repository/.git`),
    server: `ssh://${userInfo().username}@127.0.0.1:${server.port}`,
  }
  const ports = [await freePort(), await freePort()]
  let count = 0
  return {
    target: { port: edge.port, host: HOST },
    setVariable,
    deploy: async (): Promise<void> => {
      const [port = 0, old = 0] = count++ % 2 === 0 ? ports : ports.toReversed()
      const script = scriptOf(places, { port, old, version: count })
      const child = spawn('sh', ['-ec', script], { stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (bytes: Buffer) => {
        said += bytes
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`By hand it ended with ${code}: ${said.slice(-2000)}`)
    },
    stop: async () => {
      await server.stop()
      await ownHost.stop()
      await edge.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Places = Readonly<Record<'folder' | 'edge' | 'source' | 'server', string>>
type Versions = Readonly<Record<'port' | 'old' | 'version', number>>

function scriptOf({ folder, edge, source, server }: Places, { port, old, version }: Versions): string {
  const ssh = `ssh -F none -i ${folder}/key -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`
  const kept = (name: string): string =>
    `${ssh} -o ControlMaster=auto -o ControlPath=${folder}/${name} -o ControlPersist=60`
  return `
${kept('server')} ${server} 'set -e
cd ${folder}/app
GIT_SSH_COMMAND="${kept('git')}" git fetch --quiet --no-tags ${source} main
git checkout --quiet --force FETCH_HEAD
docker build --quiet --tag by-hand:${version} .
docker run --detach --name by-hand-${port} --env-file ${folder}/variables.env --publish 127.0.0.1:${port}:3000 by-hand:${version}
until curl --silent --fail --output /dev/null http://127.0.0.1:${port}/; do sleep 0.02; done
echo "set map ${edge}/routes.map ${HOST} ${port}:1:none:http" | socat - UNIX-CONNECT:${edge}/haproxy.sock
! docker stop by-hand-${old} || docker rm by-hand-${old}'
`
}
