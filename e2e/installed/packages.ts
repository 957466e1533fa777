// A package source on a machine of the test, which has no network: packages that the Debian root lacks, fetched once and kept.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianRoot, KEPT } from './debian-root.ts'
import type { Machine } from './machine.ts'

/** As on a machine that was never asked for a package: it has no lists yet. */
export function offerPackages(machine: Machine, name: string): void {
  machine.copy(folderOf(name), '/srv/packages')
  machine.write('/etc/apt/sources.list', 'deb [trusted=yes] file:/srv/packages ./\n')
}

/** The package and what it needs beyond the root. */
function folderOf(name: string): string {
  const folder = join(KEPT, `debian-packages-${name}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.partial`
  const archives = join(draft, 'cache/archives')
  rmSync(draft, { recursive: true, force: true })
  for (const path of [join(archives, 'partial'), join(draft, 'state/lists/partial')])
    mkdirSync(path, { recursive: true })
  const options = optionsFor(draft)
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', '--download-only', name]])
    execFileSync('apt-get', ['-qq', ...options, ...words], { stdio: ['ignore', 2, 2] })
  const index = readdirSync(archives)
    .filter((file) => file.endsWith('.deb'))
    .map((file) => entryOf(archives, file))
  writeFileSync(join(archives, 'Packages'), index.join('\n'))
  rmSync(join(archives, 'partial'), { recursive: true })
  rmSync(join(archives, 'lock'), { force: true })
  renameSync(archives, folder)
  rmSync(draft, { recursive: true })
  return folder
}

/** The sources and the installed packages of the root, and nothing of this machine. */
function optionsFor(draft: string): readonly string[] {
  const root = debianRoot()
  const settings = {
    'Dir::Etc::sourcelist': join(root, 'etc/apt/sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State': join(draft, 'state'),
    'Dir::State::status': join(root, 'var/lib/dpkg/status'),
    'Dir::Cache': join(draft, 'cache'),
    'APT::Sandbox::User': 'root',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

function entryOf(folder: string, file: string): string {
  const path = join(folder, file)
  const bytes = readFileSync(path)
  const fields = execFileSync('dpkg-deb', ['--field', path], { encoding: 'utf8' })
  const sum = createHash('sha256').update(bytes).digest('hex')
  return `${fields}Filename: ./${file}\nSize: ${bytes.length}\nSHA256: ${sum}\n`
}
