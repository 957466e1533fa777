// Docker Engine with Compose and Buildx. Debian 12 lacks the current Compose and Buildx, so there all come from Debian 13.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RealPart } from './part.ts'
import { isOnThePath } from './programs.ts'
import { trixieLines, trixieStanzas } from './trixie-sources.ts'

const apt = '/etc/apt'
const pluginFolders = [
  '/usr/libexec/docker/cli-plugins',
  '/usr/lib/docker/cli-plugins',
  '/usr/local/lib/docker/cli-plugins',
]
const packages = ['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx']

export const docker: RealPart = {
  name: 'Docker Engine with Compose and Buildx, started by root',
  isPresent: () => process.getuid?.() === 0 && isInstalled(),
  packages: [...packages.map((name) => (isDebian12() ? `${name}/trixie` : name)), 'iptables'],
  beforeInstall: () => {
    if (isDebian12()) offerTrixie()
  },
  withoutIt: 'the tests that deploy with Docker',
}

/** The engine's daemon, the client and both of its plugins. */
function isInstalled(): boolean {
  const plugins = ['docker-compose', 'docker-buildx']
  return (
    ['dockerd', 'containerd', 'docker', 'iptables'].every(isOnThePath) &&
    plugins.every((plugin) => pluginFolders.some((folder) => existsSync(join(folder, plugin))))
  )
}

function isDebian12(): boolean {
  const release = '/etc/os-release'
  return existsSync(release) && /^VERSION_CODENAME=bookworm$/m.test(readFileSync(release, 'utf8'))
}

/** Packages of Debian 13 become installable by name; the low priority keeps them from replacing anything else. */
function offerTrixie(): void {
  const folder = `${apt}/sources.list.d`
  const files = [`${apt}/sources.list`, ...readdirSync(folder).map((name) => join(folder, name))].filter(existsSync)
  const texts = (ending: string): string[] =>
    files.filter((file) => file.endsWith(ending)).map((file) => readFileSync(file, 'utf8'))
  writeFileSync(`${folder}/shipway-trixie.sources`, texts('.sources').map(trixieStanzas).join(''))
  writeFileSync(`${folder}/shipway-trixie.list`, texts('.list').map(trixieLines).join(''))
  writeFileSync(`${apt}/preferences.d/shipway-trixie`, 'Package: *\nPin: release n=trixie\nPin-Priority: 50\n')
}
