// A release is taken only as its publisher made it.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { runProcess } from '../../remote/process.ts'
import { hasVersion } from './installed-versions.ts'
import { download, fetchRelease, readWanted, unpackRelease, verifyRelease } from './release-files.ts'

const name = 'shipway-1.16.0-linux-x64.tar.gz'
const publisher = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')

let folder: string
let keyFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-release-files-'))
  keyFile = join(folder, 'release.pub')
  writeFileSync(join(folder, name), 'the program')
  publish(publisher.privateKey)
})
afterEach(() => rmSync(folder, { recursive: true }))

function publish(key: KeyObject | undefined, listed = name): void {
  const checksum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
  const list = `${checksum}  ${listed}\n`
  writeFileSync(join(folder, 'SHA256SUMS'), list)
  rmSync(join(folder, 'SHA256SUMS.sig'), { force: true })
  if (key) writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(list), key))
}

const pin = (): void => writeFileSync(keyFile, publisher.publicKey.export({ type: 'spki', format: 'pem' }))
const check = (mayBeUnsigned = false) => verifyRelease({ folder, name }, { mayBeUnsigned, keyFile })

test('a release that is signed by the pinned key is accepted', async () => {
  pin()
  await check()
})

test.each([
  ['signed by a stranger', () => publish(stranger.privateKey), 'The signature is wrong'],
  ['not signed', () => publish(undefined), 'SHA256SUMS.sig is missing'],
  ['changed', () => appendFileSync(join(folder, name), '!'), 'is damaged or was changed'],
  ['of another name', () => publish(publisher.privateKey, `x${name}`), 'is damaged or was changed'],
  ['listed otherwise afterwards', () => appendFileSync(join(folder, 'SHA256SUMS'), '\n'), 'The signature is wrong'],
])('with a pinned key, one that is %s is refused, whatever is allowed', async (_, spoil, sentence) => {
  pin()
  spoil()
  await expect(check()).rejects.toThrow(sentence)
  await expect(check(true)).rejects.toThrow(sentence)
})

test('without a pinned key, only a caller who says so takes it, and its checksum counts', async () => {
  await expect(check()).rejects.toThrow('pass --unsigned')
  await check(true)
  appendFileSync(join(folder, name), '!')
  await expect(check(true)).rejects.toThrow('is damaged or was changed')
})

test('a release replaces the folder that a power cut left of it', async () => {
  const versions = join(folder, 'versions')
  for (const place of [join(versions, '1.16.0'), join(folder, 'shipway-1.16.0')]) mkdirSync(place, { recursive: true })
  for (const file of ['version', 'oldest-release', 'stale']) writeFileSync(join(versions, '1.16.0', file), '')
  writeFileSync(join(folder, 'shipway-1.16.0/version'), '1.16.0\n')
  writeFileSync(join(folder, 'shipway-1.16.0/oldest-release'), '1.15.0\n')
  const { exitCode } = await runProcess(['tar', '-czf', join(folder, name), '-C', folder, 'shipway-1.16.0'])
  expect(exitCode).toBe(0)
  publish(publisher.privateKey)
  pin()
  expect(hasVersion('1.16.0', versions)).toBe(false)
  const files = { folder, name, version: '1.16.0', remove: () => undefined }
  await unpackRelease(files, { mayBeUnsigned: false, keyFile }, versions)
  expect(hasVersion('1.16.0', versions)).toBe(true)
  expect(readdirSync(versions)).toEqual(['1.16.0'])
  expect(readdirSync(join(versions, '1.16.0')).sort()).toEqual(['oldest-release', 'version'])
})

test('a version, or a file of a release for this processor, is understood', () => {
  const name = `shipway-1.16.0-linux-${process.arch}.tar.gz`
  expect(readWanted('1.16.0')).toEqual({ text: '1.16.0', name, version: '1.16.0' })
  expect(readWanted(`/root/${name}`)).toEqual({ text: `/root/${name}`, name, version: '1.16.0' })
})

test('a release for another processor is refused by its name', () => {
  const other = process.arch === 'x64' ? 'arm64' : 'x64'
  expect(() => readWanted(`/root/shipway-1.16.0-linux-${other}.tar.gz`)).toThrow(`another processor (${other})`)
  expect(() => readWanted('/root/shipway-latest-linux-x64.tar.gz')).toThrow('neither a version nor a file')
})

test('a file that cannot be copied is named with the reason, and nothing is left behind', async () => {
  const file = join(folder, `shipway-1.17.0-linux-${process.arch}.tar.gz`)
  mkdirSync(file)
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  const fetched = fetchRelease(readConfig({}), readWanted(file), installed)
  await expect(fetched).rejects.toThrow(`${file} cannot be copied (`)
  expect(readdirSync(installed)).toEqual([])
})

test('a download is bounded, also one that does not say how long it is, and a full disk is named', async () => {
  const server = createServer((request, answer) => {
    if (request.url === '/none') answer.statusCode = 404
    for (let sent = 0; sent < 10; sent++) answer.write(Buffer.alloc(1000))
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const file = join(folder, 'downloaded')
    expect(await download(`${url}/list`, file, 10_000)).toBe(true)
    expect(readFileSync(file)).toHaveLength(10_000)
    await expect(download(`${url}/list`, file, 9_999)).rejects.toThrow('has more than 9999 bytes')
    expect(await download(`${url}/none`, file, 10_000)).toBe(false)
    await expect(download(`${url}/list`, '/dev/full', 10_000)).rejects.toThrow('cannot be downloaded (ENOSPC')
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})
