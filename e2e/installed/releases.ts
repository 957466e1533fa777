// Releases of the current build under other names, with the faults that an upgrade must undo.
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from '../../packages/cli/build.ts'
import { buildDocs } from '../../packages/docs/build.ts'
import { buildServer } from '../../packages/server/build.ts'
import { buildDashboard } from '../../packages/web/build.ts'
import { makeRelease } from '../../tools/release/make-release.ts'

type Change = (text: string) => string

type Fault = {
  readonly program?: Change
  readonly migration?: string
  /** Of `shipway.service`, within which a version runs once it is current. */
  readonly unit?: Change
  readonly oldestRelease?: string
}

/** Names of builds, and what is different in them. */
const CHANGES = {
  first: {},
  second: {},
  cannotstart: { program: onStart('process.exit(4)') },
  crashes: { program: onStart('setTimeout(() => process.exit(3), 13_000)') },
  /** It neither answers nor ends. */
  hangs: {
    program: onStart(
      "{ process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1e6); await new Promise(() => undefined) }",
    ),
  },
  badunit: { unit: (text: string) => text.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/false') },
  later: { migration: 'create table piers (id bigint);\n' },
  skips: { oldestRelease: '99.0.0' },
  badmigration: { migration: 'create table piers (id bigint);\ninsert into nowhere values (1);\n' },
} as const satisfies Record<string, Fault>

export type Named = keyof typeof CHANGES

export type Release = { readonly folder: string; readonly version: string }

/** Builds everything first, where sources have changed. */
export async function makeReleases(folder: string): Promise<(name: Named) => Release> {
  for (const build of [buildServer, buildClient, buildDashboard, buildDocs]) await build()
  const { version: current } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const { privateKey: key } = generateKeyPairSync('ed25519')
  return (name) => {
    const version = `${current}+${name}`
    const change = (built: string): void => {
      const program = join(built, 'packages/server/dist/main.mjs')
      const wanted: Fault = CHANGES[name]
      writeFileSync(program, (wanted.program ?? same)(renamed(readFileSync(program, 'utf8'), name)))
      if (wanted.migration !== undefined) writeFileSync(nextMigration(built), wanted.migration)
      const unit = join(built, 'deploy/shipway.service')
      if (wanted.unit) writeFileSync(unit, wanted.unit(readFileSync(unit, 'utf8')))
      if (wanted.oldestRelease !== undefined) writeFileSync(join(built, 'oldest-release'), `${wanted.oldestRelease}\n`)
    }
    const place = join(folder, name)
    makeRelease({ folder: place, key, version, change })
    return { folder: place, version }
  }
}

const same: Change = (text) => text

/** Commands of the same program stay as they are. */
function onStart(code: string): Change {
  return (text) => text.replace(/^(#!.*\n)?/, `$1if (process.argv.length === 2) ${code};`)
}

function renamed(text: string, name: string): string {
  const found = /versionOf\d*\((?:true\?)?"([^"]*)"/.exec(text)
  if (!found) throw new Error('The build names its version in another way')
  return text.replace(found[0], found[0].replace(/"[^"]*"/, JSON.stringify(name)))
}

function nextMigration(built: string): string {
  const folder = join(built, 'packages/server/dist/migrations')
  const known = readdirSync(folder).filter((name) => name.endsWith('.sql')).length
  return join(folder, `${String(known + 1).padStart(4, '0')}-later.sql`)
}
