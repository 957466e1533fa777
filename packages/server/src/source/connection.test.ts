import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { connect } from './connection.ts'

const folder = mkdtempSync(join(tmpdir(), 'connection-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = generateSshKey('project 7')
const repository = { projectId: 7, address: 'ssh://git@127.0.0.1:22/x.git', ...key, hostKey: 'ssh-ed25519 AAAA' }
const options = { folder, allowedNetworks: ['127.0.0.0/8', '::1', 'localhost'] }

test('the private key is a file that only its owner can read, removed after the call even if it fails', async () => {
  const seen = await connect(repository, options, async ({ environment, folder: own }) => {
    const modes = [statSync(own).mode & 0o777, statSync(join(own, 'key')).mode & 0o777]
    const hosts = readFileSync(join(own, 'known_hosts'), 'utf8')
    return { modes, environment, own, hosts, file: readFileSync(join(own, 'key'), 'utf8') }
  })
  expect(seen.file).toBe(key.privateKey.reveal())
  expect(seen.modes).toEqual([0o700, 0o600])
  expect(seen.hosts).toBe('127.0.0.1 ssh-ed25519 AAAA\n')
  expect(JSON.stringify(seen.environment)).not.toContain('PRIVATE KEY')
  expect(seen.environment).toMatchObject({ GIT_ALLOW_PROTOCOL: 'ssh', GIT_CEILING_DIRECTORIES: folder })
  expect(seen.environment.GIT_SSH_COMMAND).toContain(`'-o' 'StrictHostKeyChecking=yes' '-o' 'HostName=127.0.0.1'`)
  expect(existsSync(seen.own)).toBe(false)
  const failing = connect(repository, options, () => Promise.reject(new Error('on purpose')))
  await expect(failing).rejects.toThrow('on purpose')
  expect(readdirSync(folder)).toEqual([])
})

test('a name is pinned to the addresses that were checked, for https as well, and no key is written', async () => {
  const address = 'https://localhost:8443/x.git'
  const seen = await connect({ ...repository, address }, options, async ({ settings, environment, folder: own }) => {
    return { settings, environment, files: readdirSync(own) }
  })
  expect(seen.settings).toEqual([expect.stringMatching(/^http\.curloptResolve=localhost:8443:(127\.0\.0\.1|\[::1\])/)])
  expect(seen.environment).toMatchObject({ GIT_ALLOW_PROTOCOL: 'https', GIT_TERMINAL_PROMPT: '0' })
  expect(seen.environment).not.toHaveProperty('GIT_SSH_COMMAND')
  expect(seen.files).toEqual([])
})

test('removes keys of a killed platform, and keeps those of a running call', async () => {
  const [left, used] = [join(folder, 'connection-left'), join(folder, 'connection-used')]
  for (const path of [left, used]) mkdirSync(path)
  utimesSync(left, new Date(0), new Date(0))
  await connect(repository, options, async () => undefined)
  expect(readdirSync(folder)).toEqual(['connection-used'])
})
