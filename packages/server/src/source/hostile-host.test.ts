// A git host that sends more than fits into memory: it is refused, and uses no more memory than one process may have.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultOf } from '../../test/fetching.ts'
import { type Loopback, listenOn } from '../../test/loopback.ts'
import { makeCertificate } from '../../test/make-certificate.ts'
import { listHostRefs } from '../commands/git.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { type Connection, connect } from './connection.ts'
import { fetchIntoMirror } from './mirror.ts'
import { runGit } from './run-git.ts'

const NAME = 'hostile.attacker.test'
const folder = mkdtempSync(join(tmpdir(), 'hostile-host-'))
const key = generateSshKey('hostile host')
let web: Loopback

beforeAll(async () => {
  const { certificate, privateKey } = makeCertificate({ names: [NAME] })
  writeFileSync(join(folder, 'authority'), certificate)
  web = await listenOn(createHttps({ cert: certificate, key: privateKey }, answer))
})
afterAll(async () => {
  await web.close()
  rmSync(folder, { recursive: true })
})

function reached<Result>(path: string, use: (connection: Connection, address: string) => Promise<Result>) {
  const address = `https://${NAME}:${web.port}/${path}`
  const options = { folder: join(folder, 'connections'), allowedNetworks: ['127.0.0.0/8'] }
  const resolve = async () => ['127.0.0.1']
  return connect({ projectId: 1, address, ...key, hostKey: null }, { ...options, resolve }, (connection) => {
    const environment = { ...connection.environment, GIT_SSL_CAINFO: join(folder, 'authority') }
    return use({ ...connection, environment }, address)
  })
}

test('a pack of kilobytes that unfolds to gigabytes is refused as too large', async () => {
  const fault = await faultOf(
    reached('pack.git', (connection) =>
      fetchIntoMirror(join(folder, '1.git'), { branch: 'main' }, { connection, maxFileBytes: 4 * 1024 ** 3, io: {} }),
    ),
  )
  expect(fault).toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('is larger than the platform takes'),
  })
})

test('a list of branches that unfolds to gigabytes is refused as too large', async () => {
  const fault = await faultOf(
    reached('list.git', (connection, address) =>
      runGit(listHostRefs(address, 'refs/heads/main', connection.settings), connection),
    ),
  )
  expect(fault).toMatchObject({ code: 'too_large' })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method } = request
  if (url.startsWith('/list.git')) return answerWithZeros(response)
  const kind = method === 'GET' ? 'advertisement' : 'result'
  const asked = Buffer.concat(await request.toArray()).toString()
  response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${kind}` })
  // At first git asks only where the history ends.
  if (method === 'POST')
    return void response.end(
      asked.includes('done') ? Buffer.concat([end, Buffer.from(line('NAK\n')), unfoldingPack]) : end,
    )
  response.end(`${line('# service=git-upload-pack\n')}${end}${line(`${commitSha} refs/heads/main\0shallow\n`)}${end}`)
}

const end = Buffer.from('0000')
const line = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`

/** Endless zeros: a kilobyte on the wire is a mebibyte in memory. */
function answerWithZeros(response: ServerResponse): void {
  const zeros = deflateRawSync(Buffer.alloc(64 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  const head = { 'content-type': 'application/x-git-upload-pack-advertisement', 'content-encoding': 'gzip' }
  response.writeHead(200, head)
  response.write(Buffer.from('1f8b0800000000000003', 'hex'))
  const send = (): void => void response.write(zeros, (error) => error || send())
  send()
}

/** Header of an object in a pack: its kind and its size, seven bits at a time. */
function packHeading(kind: number, size: number): Buffer {
  return Buffer.from([
    (kind << 4) | (size % 16) | (size < 16 ? 0 : 128),
    ...(size < 16 ? [] : sizeBytes(Math.floor(size / 16))),
  ])
}

function sizeBytes(size: number): number[] {
  return size < 128 ? [size] : [(size % 128) | 128, ...sizeBytes(Math.floor(size / 128))]
}

const idOf = (kind: string, content: Buffer): Buffer =>
  createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest()

/** A commit with one file, and an object that repeats that file two hundred times. */
const file = Buffer.alloc(2 ** 24 - 1)
const tree = Buffer.concat([Buffer.from('100644 file\0'), idOf('blob', file)])
const who = 'x <x@example.com> 1700000000 +0000'
const commit = Buffer.from(`tree ${idOf('tree', tree).toString('hex')}\nauthor ${who}\ncommitter ${who}\n\nx\n`)
const commitSha = idOf('commit', commit).toString('hex')
const copies = 200
const unfolding = Buffer.from([
  ...[...sizeBytes(file.length), ...sizeBytes(copies * file.length)],
  // Copies from the start as many bytes as three bytes can encode.
  ...Array.from({ length: copies }, () => [0xf0, 0xff, 0xff, 0xff]).flat(),
])
const packed = Buffer.concat([
  Buffer.from('PACK\0\0\0\x02\0\0\0\x04', 'latin1'),
  ...[packHeading(1, commit.length), deflateSync(commit), packHeading(2, tree.length), deflateSync(tree)],
  ...[packHeading(3, file.length), deflateSync(file)],
  ...[packHeading(7, unfolding.length), idOf('blob', file), deflateSync(unfolding)],
])
const unfoldingPack = Buffer.concat([packed, createHash('sha1').update(packed).digest()])
