// PostgreSQL 15 or newer: the server's programs.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import type { RealPart } from './part.ts'

const oldest = 15
const debianFolder = '/usr/lib/postgresql'

export const postgres: RealPart = {
  name: `PostgreSQL ${oldest} or newer`,
  isPresent: () => findPostgresFolder() !== undefined,
  packages: ['postgresql'],
  beforeInstall: keepDebianFromStartingACluster,
  withoutIt: 'the tests of the store and the API on PostgreSQL',
}

/** The folder with `initdb` and `postgres`, of the newest version that is installed. */
export function findPostgresFolder(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const folders = versions
    .filter((version) => version >= oldest)
    .sort((left, right) => right - left)
    .map((version) => `${debianFolder}/${version}/bin`)
  return [...folders, folderOnThePath()].find((folder) => folder !== undefined && existsSync(`${folder}/initdb`))
}

/** Where `pg_config` of another system (Homebrew, Fedora) says the programs are. */
function folderOnThePath(): string | undefined {
  try {
    const version = Number.parseInt(
      execFileSync('pg_config', ['--version'], { encoding: 'utf8' }).replace(/^\D+/, ''),
      10,
    )
    return version >= oldest ? execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim() : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Debian's package makes and starts a cluster of its own when it is installed; clusters that exist stay as they are. */
function keepDebianFromStartingACluster(): void {
  mkdirSync('/etc/postgresql-common/createcluster.d', { recursive: true })
  writeFileSync('/etc/postgresql-common/createcluster.d/shipway.conf', 'create_main_cluster = false\n')
}
