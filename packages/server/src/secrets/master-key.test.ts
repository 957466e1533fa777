import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadMasterKey, MasterKeyRefused } from './master-key.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'master-key-'))
})
afterAll(() => rm(root, { recursive: true }))

const folder = () => mkdtemp(join(root, 'data-'))
const refusal = async (settings: Parameters<typeof loadMasterKey>[0]): Promise<MasterKeyRefused> => {
  const outcome = await loadMasterKey(settings).catch((error: unknown) => error)
  if (outcome instanceof MasterKeyRefused) return outcome
  throw new Error('The key was not refused')
}

const key = randomBytes(32)

test.each([
  ['base64', key.toString('base64')],
  ['base64 without padding', key.toString('base64').replace('=', '')],
  ['base64url', key.toString('base64url')],
  ['hex', key.toString('hex')],
  ['hex in capitals', key.toString('hex').toUpperCase()],
  ['text with a line end', `${key.toString('base64')}\n`],
])('a key given as %s is taken', async (_form, text) => {
  const loaded = await loadMasterKey({ key: text, dataFolder: '/nonexistent' })
  expect(Buffer.from(loaded.reveal())).toEqual(key)
  expect(inspect(loaded)).toBe('[hidden]')
})

test.each([
  ['nothing', ''],
  ['a word', 'hunter2-hunter2'],
  ['16 bytes', key.subarray(0, 16).toString('base64')],
  ['31 bytes', key.subarray(0, 31).toString('hex')],
  ['33 bytes', Buffer.concat([key, Buffer.of(1)]).toString('base64')],
  ['64 bytes', randomBytes(64).toString('base64')],
  ['a phrase of 43 letters', 'thequickbrownfoxjumpsoverthelazydogandsleep'],
  ['zeros', '0'.repeat(64)],
  ['one byte repeated', Buffer.alloc(32, 0xa7).toString('base64')],
  ['a pattern repeated', '0123456789abcdef'.repeat(4)],
  ['bytes that count up', Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex')],
  [
    'bytes that count up through zero',
    Buffer.from(Array.from({ length: 32 }, (_, index) => index + 240)).toString('hex'),
  ],
])('%s is refused without being repeated', async (_what, text) => {
  const error = await refusal({ key: text, dataFolder: '/nonexistent' })
  expect(error.message).toContain('openssl rand -base64 32')
  if (text) expect(inspect(error)).not.toContain(text)
})

test('a key and a key file together are refused', async () => {
  const error = await refusal({ key: key.toString('hex'), keyFile: '/nonexistent', dataFolder: '/nonexistent' })
  expect(error.message).toContain('Give one of them')
  expect(inspect(error)).not.toContain(key.toString('hex'))
})

test('the first start makes a key that only its user can read, and later starts find it', async () => {
  const dataFolder = join(await folder(), 'new', 'data')
  const first = await loadMasterKey({ dataFolder })
  expect((await stat(join(dataFolder, 'master.key'))).mode & 0o777).toBe(0o600)
  expect((await stat(dataFolder)).mode & 0o077).toBe(0)
  expect(await readdir(dataFolder)).toEqual(['master.key'])
  expect((await loadMasterKey({ dataFolder })).reveal()).toEqual(first.reveal())
  expect(first.reveal()).toHaveLength(32)
})

test('two data folders get different keys', async () => {
  const one = await loadMasterKey({ dataFolder: await folder() })
  const other = await loadMasterKey({ dataFolder: await folder() })
  expect(one.reveal()).not.toEqual(other.reveal())
})

test('starts that race agree on one key and leave no draft behind', async () => {
  const dataFolder = await folder()
  // Each start sets out a little later than the one before, so that some read while others still write.
  const start = async (delay: number) => {
    for (let turn = 0; turn < delay; turn += 1) await stat(dataFolder)
    return loadMasterKey({ dataFolder })
  }
  const keys = await Promise.all(Array.from({ length: 40 }, (_, index) => start(index)))
  const distinct = new Set(keys.map((loaded) => Buffer.from(loaded.reveal()).toString('hex')))
  expect(distinct.size).toBe(1)
  expect(await readdir(dataFolder)).toEqual(['master.key'])
})

test.each([0o640, 0o604, 0o660, 0o620, 0o644])(
  'a key file with mode %o is refused with the command that mends it',
  async (mode) => {
    const dataFolder = await folder()
    const path = join(dataFolder, 'master.key')
    await writeFile(path, key.toString('hex'))
    await chmod(path, mode)
    const error = await refusal({ dataFolder })
    expect(error.message).toContain(`chmod 600 ${path}`)
    expect(inspect(error)).not.toContain(key.toString('hex'))
  },
)

test('a damaged key file is refused and left as it is', async () => {
  const dataFolder = await folder()
  const path = join(dataFolder, 'master.key')
  await writeFile(path, 'half-a-key', { mode: 0o600 })
  const error = await refusal({ dataFolder })
  expect(error.message).toContain(path)
  expect(inspect(error)).not.toContain('half-a-key')
  expect(await readFile(path, 'utf8')).toBe('half-a-key')
})

test('an empty and an oversized key file are refused', async () => {
  for (const text of ['', 'A'.repeat(5000)]) {
    const keyFile = join(await folder(), 'key')
    await writeFile(keyFile, text, { mode: 0o600 })
    expect((await refusal({ keyFile, dataFolder: '/nonexistent' })).message).toContain(keyFile)
  }
})

test('a given key file is read, also through a symbolic link', async () => {
  const place = await folder()
  await writeFile(join(place, 'real'), `${key.toString('base64')}\n`, { mode: 0o600 })
  await symlink('real', join(place, 'alias'))
  const loaded = await loadMasterKey({ keyFile: join(place, 'alias'), dataFolder: '/nonexistent' })
  expect(Buffer.from(loaded.reveal())).toEqual(key)
})

test('a given key file that is absent is refused, not made', async () => {
  const place = await folder()
  const error = await refusal({ keyFile: join(place, 'absent'), dataFolder: place })
  expect(error.message).toContain('does not exist')
  expect(await readdir(place)).toEqual([])
})

test('a folder in place of the key file is refused', async () => {
  const keyFile = join(await folder(), 'key')
  await mkdir(keyFile, { mode: 0o700 })
  expect((await refusal({ keyFile, dataFolder: '/nonexistent' })).message).toContain('not a regular file')
})
