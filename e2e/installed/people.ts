// What people and a git host do on a machine that has the platform: by the commands of the guide, and by what pages and git hosts send.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { until } from '../journey.ts'
import type { Machine } from './machine.ts'

type Ran = Awaited<ReturnType<Machine['start']>>

const PLATFORM = 'http://localhost:7878'
export const HOST = 'ship.example.com'

/** docs/guides/node.md, for a program that needs no image of a registry. */
const DOCKERFILE = `FROM busybox:1.36
COPY index.html /www/index.html
EXPOSE 3000
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`
const SERVICE = `services:
  web: { port: 3000, health: / }
docker:
  build: .
`

export function makePeople(machine: Machine) {
  const asAda = (script: string): string => done(machine.run(...ada(script)))
  const asRoot = (script: string): string => done(machine.run('sh', '-ec', script))
  const ask = (...words: readonly string[]): Ran => machine.run('curl', '-fsS', '-m', '5', ...words)
  const post = (path: string, body: object): void => {
    machine.write('/root/body.json', JSON.stringify(body))
    const headers = `-H 'content-type: application/json' -H 'origin: ${PLATFORM}'`
    asRoot(`curl -fsS -b /root/jar -c /root/jar ${headers} --data-binary @/root/body.json ${PLATFORM}${path}`)
  }

  return {
    asAda,
    asRoot,
    /** As the page of the user who is signed in. */
    post,
    read: (path: string): string => asRoot(`curl -fsS -b /root/jar ${PLATFORM}${path}`),
    /** Beside others. */
    startAsAda: async (script: string): Promise<string> => done(await machine.start(...ada(script))),
    /** Users with keys, a repository, an image that is there, a name in the DNS. */
    prepare: (): void => {
      asRoot(`
        printf '192.0.2.10 ${HOST}\\n' >>/etc/hosts
        mkdir -p /tmp/image/bin && cp /usr/bin/busybox /tmp/image/bin/
        for name in sh httpd; do ln -s busybox /tmp/image/bin/$name; done
        tar -C /tmp/image -c . | docker import --change 'ENV PATH=/bin' - busybox:1.36
        useradd --create-home --shell /bin/bash ada
        useradd --create-home --shell /usr/bin/git-shell git
        runuser -u ada -- ssh-keygen -q -t ed25519 -N '' -f /home/ada/.ssh/id_ed25519
        install -d -o git -g git -m 700 /home/git/.ssh
        install -o git -g git -m 600 /home/ada/.ssh/id_ed25519.pub /home/git/.ssh/authorized_keys
        runuser -u git -- git init --quiet --bare --initial-branch=main /home/git/shop.git
        usermod --password '*' git
      `)
      asAda(`
        git config --global user.name Ada && git config --global user.email ada@example.com
        ssh-keyscan -t ed25519 ${HOST} >>.ssh/known_hosts
        git init --quiet --initial-branch=main shop && cd shop && git remote add origin git@${HOST}:shop.git
      `)
      machine.write('/home/ada/shop/Dockerfile', DOCKERFILE)
      machine.write('/home/ada/shop/.service.yml', SERVICE)
    },
    /** What the page for the set-up link sends. */
    setUp: (token: string): void => {
      const password = randomBytes(12).toString('hex')
      post('/api/setup', { token, name: 'Ada', email: 'ada@example.com', password, organization: 'Tidewater' })
    },
    /** `shipway login` on one side, the browser that approves its code on the other. */
    signIn: async (): Promise<void> => {
      const login = machine.start(...ada(`node shipway.mjs login ${PLATFORM} >login.txt 2>&1`))
      const shown = (): string => machine.run('cat', '/home/ada/login.txt').output
      const code = await until(async () => /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(shown())?.[0], 'the code is shown')
      post(`/api/device-requests/${code}/answer`, { decision: 'approve' })
      const { status } = await login
      assert.equal(status, 0, shown())
    },
    /** Pushes a page to a branch; returns the commit. */
    commit: (branch: string, text: string): string => {
      machine.write('/home/ada/shop/index.html', `${text}\n`)
      asAda(`
        cd shop && git checkout --quiet -B ${branch} && git add . && git commit --quiet --message 'Change the page'
        git push --quiet origin ${branch}
      `)
      return asAda('cd shop && git rev-parse HEAD').trim()
    },
    /** As a git host sends an event about a pull request. */
    deliver: (url: string, secret: string, payload: object): void => {
      const body = JSON.stringify(payload)
      machine.write('/root/payload.json', body)
      const headers = [
        'content-type: application/json',
        'x-github-event: pull_request',
        `x-github-delivery: ${randomBytes(8).toString('hex')}`,
        `x-hub-signature-256: sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ]
      const words = headers.flatMap((header) => ['-H', header])
      done(machine.run('curl', '-fsS', ...words, '--data-binary', '@/root/payload.json', url))
    },
    /** Waits for it. */
    answers: async (domain: string, text: string): Promise<void> => {
      const page = (): string => ask('-H', `Host: ${domain}`, 'http://192.0.2.10/').output
      await until(async () => page().includes(text) || undefined, `${domain} answers`, 120)
    },
    /** Waits for it. */
    platformIsReady: async (): Promise<void> => {
      await until(async () => ask(`${PLATFORM}/readyz`).status === 0 || undefined, 'the platform is ready')
    },
  }
}

function ada(script: string): readonly string[] {
  return ['runuser', '--login', 'ada', '--command', `set -e; ${script}`]
}

function done({ status, output }: Ran): string {
  assert.equal(status, 0, output === '' ? 'No output' : output)
  return output
}
