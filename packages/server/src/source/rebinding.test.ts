// DNS rebinding: a name that leads elsewhere right after it was checked. Connections use the checked address and do not resolve again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GitHost, startGitHost } from '../../test/git-host.ts'
import { type Loopback, listenOn } from '../../test/loopback.ts'
import { makeCertificate } from '../../test/make-certificate.ts'
import { createOrigin } from '../../test/origin.ts'
import { hasSshd } from '../../test/sshd.ts'
import { listHostRefs } from '../commands/git.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { connect } from './connection.ts'
import { callHost } from './git-host/call-host.ts'
import { runGit } from './run-git.ts'

/** Only the test's resolver knows the name: any other resolver would fail. */
const NAME = 'rebind.attacker.test'
const METADATA = '169.254.169.254'

const folder = mkdtempSync(join(tmpdir(), 'rebinding-'))
const key = generateSshKey('rebinding')
let asked: string[]
let answers: string[]

/** Allowed at first, then the address of the metadata service. */
const resolve = async (host: string): Promise<readonly string[]> => {
  asked.push(host)
  return [answers.shift() ?? METADATA]
}

beforeEach(() => {
  asked = []
  answers = ['127.0.0.1']
})
afterAll(() => rmSync(folder, { recursive: true }))

const options = { folder: join(folder, 'connections'), allowedNetworks: ['127.0.0.0/8'], resolve }

function askGit(address: string, { hostKey = null, authority = '' }: { hostKey?: string | null; authority?: string }) {
  return connect({ projectId: 1, address, ...key, hostKey }, options, async (connection) => {
    const environment = { ...connection.environment, GIT_SSL_CAINFO: authority }
    const { stdout } = await runGit(listHostRefs(address, 'refs/heads/main', connection.settings), {
      ...connection,
      environment,
    })
    return stdout.toString()
  })
}

describe.skipIf(!hasSshd)('git over ssh', () => {
  let gitHost: GitHost
  beforeAll(async () => {
    gitHost = await startGitHost({ authorizedKey: key.publicKey })
  })
  afterAll(() => gitHost.stop())

  test('connects to the checked address, and not at all when the name leads elsewhere next time', async () => {
    const origin = createOrigin(join(gitHost.folder, 'app.git'))
    const sha = origin.commit({ file: 'x' })
    const { port } = new URL(gitHost.address(''))
    const address = `ssh://${userInfo().username}@${NAME}:${port}${origin.path}`
    expect(await askGit(address, gitHost)).toBe(`${sha}\trefs/heads/main\n`)
    expect([asked, gitHost.signIns()]).toEqual([[NAME], 1])
    await expect(askGit(address, gitHost)).rejects.toMatchObject({ code: 'address_not_allowed' })
    expect([asked, gitHost.signIns()]).toEqual([[NAME, NAME], 1])
  })
})

describe('git over https', () => {
  const authority = join(folder, 'authority')
  let web: Loopback
  let requests: string[]

  beforeAll(async () => {
    const { certificate, privateKey } = makeCertificate({ names: [NAME] })
    writeFileSync(authority, certificate)
    const server = createHttps({ cert: certificate, key: privateKey }, (request, response) => {
      const { url = '', headers } = request
      requests.push(`${headers.host}${url}`)
      if (url.startsWith('/moved')) response.writeHead(302, { location: url.replace('/moved', '/elsewhere') })
      response.end(`${'a'.repeat(40)}\trefs/heads/main\n`)
    })
    web = await listenOn(server)
  })
  beforeEach(() => {
    requests = []
  })
  afterAll(() => web.close())

  test('connects to the checked address, and not at all when the name leads elsewhere next time', async () => {
    const address = `https://${NAME}:${web.port}/x.git`
    expect(await askGit(address, { authority })).toBe(`${'a'.repeat(40)}\trefs/heads/main\n`)
    expect(asked).toEqual([NAME])
    expect(requests[0]).toBe(`${NAME}:${web.port}/x.git/info/refs?service=git-upload-pack`)
    requests = []
    await expect(askGit(address, { authority })).rejects.toMatchObject({ code: 'address_not_allowed' })
    expect(requests).toEqual([])
  })

  test('does not follow redirects', async () => {
    const asking = askGit(`https://${NAME}:${web.port}/moved.git`, { authority })
    await expect(asking).rejects.toThrow('leads to another address, which is not followed')
    expect(requests).toEqual([expect.stringContaining('/moved.git/')])
  })

  test('gives the same error for a forbidden address whether anything listens there or not', async () => {
    answers = [METADATA, METADATA]
    const sentences = new Set<string>()
    for (const port of [web.port, 1]) {
      const asking = askGit(`https://${NAME}:${port}/x.git`, { authority })
      await asking.catch((error: Error) => sentences.add(error.message))
    }
    const sentence = `${NAME} leads to ${METADATA}, which is in a private network`
    expect([...sentences]).toEqual([expect.stringContaining(sentence)])
    expect(requests).toEqual([])
  })
})

describe('the API of a git host', () => {
  let api: Loopback
  let hosts: (string | undefined)[]
  beforeAll(async () => {
    const server = createHttp((request, response) => {
      hosts.push(request.headers.host)
      response.end('{}')
    })
    api = await listenOn(server)
  })
  afterAll(() => api.close())

  test('is called at the checked address, and not at all when the name leads elsewhere next time', async () => {
    hosts = []
    const call = () =>
      callHost(`http://${NAME}:${api.port}`, { method: 'GET', path: '/x' }, { headers: {}, ...options })
    expect(await call()).toEqual({})
    expect([asked, hosts]).toEqual([[NAME], [`${NAME}:${api.port}`]])
    await expect(call()).rejects.toMatchObject({ code: 'address_not_allowed' })
    expect([asked, hosts.length]).toEqual([[NAME, NAME], 1])
  })
})
