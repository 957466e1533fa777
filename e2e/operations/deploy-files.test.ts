// The files of deploy/ match the current platform.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MEMORY_SETTING, NODE_FLAGS, OURS } from '../../tools/platform.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy')

test('Compose understands compose.yml, and refuses it without what has no default', () => {
  const config = (environment: Record<string, string>): string =>
    execFileSync('docker', ['compose', '--file', 'compose.yml', 'config', '--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    })
  const given = { SHIPWAY_BASE_URL: 'https://ship.example.com', DATABASE_PASSWORD: 'of-the-database' }
  const { services } = JSON.parse(config(given))
  expect(services.shipway.environment).toMatchObject({
    DATABASE_URL: 'postgres://shipway:of-the-database@database:5432/shipway',
    SHIPWAY_MASTER_KEY_FILE: '/run/secrets/master-key',
  })
  expect(services.shipway.ports).toMatchObject([{ host_ip: '127.0.0.1', target: 7878 }])
  expect(() => config({ DATABASE_PASSWORD: 'x' })).toThrow('SHIPWAY_BASE_URL')
  expect(() => config({ SHIPWAY_BASE_URL: 'x' })).toThrow('DATABASE_PASSWORD')
})

test('every setting that they name exists', () => {
  const known = readFileSync(join(root, 'packages/server/src/config.ts'), 'utf8')
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const named = files.flatMap(({ name }) => readFileSync(join(folder, name), 'utf8').match(/\bSHIPWAY_[A-Z_]+/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect([...new Set(named)].filter((name) => !known.includes(`  ${name}: setting(`))).toEqual([])
})

test('units start the launcher, which is in the folder of the release', () => {
  for (const name of ['shipway.service', 'shipway-next.service', 'shipway-backup.service'])
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(
      /^ExecStart=.*\/opt\/shipway\/(current|next)\/shipway-server\b/m,
    )
})

test('the version that is tried runs within the same walls as the service', () => {
  const walls = (name: string): string => {
    const [text = ''] = readFileSync(join(folder, name), 'utf8').split('[Install]')
    return text.slice(text.indexOf('LimitNOFILE=')).trim()
  }
  expect(walls('shipway-next.service').length).toBeGreaterThan(500)
  expect(walls('shipway-next.service')).toBe(walls('shipway.service'))
})

test('the launcher starts the platform as `npm start` does', () => {
  const launcher = readFileSync(join(folder, 'shipway-server'), 'utf8')
  expect(NODE_FLAGS.length).toBeGreaterThan(0)
  expect(launcher).toContain(`exec "$node" ${NODE_FLAGS.join(' ')} "$folder/${OURS}" "$@"`)
  for (const [name, value] of Object.entries(MEMORY_SETTING)) expect(launcher).toContain(`export ${name}=${value}`)
})
