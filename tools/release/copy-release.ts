/**
 * `npm run build`: the built platform in the folder `dist`, with Node and without sources or `node_modules`. A copy of that folder runs
 * anywhere on machines of this kind. Its parts find each other by relative place, as in a checkout.
 */
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const PARTS = [
  ...['server', 'web', 'docs', 'cli'].map((name) => `packages/${name}/dist`),
  ...['deploy', 'docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'],
]

/** Copies what the last builds made. `folder` must not exist. */
export function copyRelease(folder: string): void {
  for (const part of PARTS) copy(join(root, part), join(folder, part))
  // The Node that runs this came with the dependencies, or is new enough.
  copy(process.execPath, join(folder, 'node'))
  copy(join(root, 'deploy/shipway-server'), join(folder, 'shipway-server'))
  chmodSync(join(folder, 'shipway-server'), 0o755)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false })
}

if (process.argv[1] === import.meta.filename) {
  const [folder, next] = [join(root, 'dist'), join(root, 'dist-next')]
  rmSync(next, { recursive: true, force: true })
  copyRelease(next)
  rmSync(folder, { recursive: true, force: true })
  renameSync(next, folder)
  console.log('The platform is in dist. Copy the folder to where it shall run, and start shipway-server there.')
}
