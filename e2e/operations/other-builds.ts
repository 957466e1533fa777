// Other builds of the platform: one with changed programs, and one of an earlier commit.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildServer } from '../../packages/server/build.ts'
import { type Build, OURS } from '../../tools/platform.ts'

const root = join(import.meta.dirname, '../..')

export type OtherBuild = Disposable & Build

/** The current build with some of its text replaced; each text must be found. */
export async function buildChanged(changes: Readonly<Record<string, string>>): Promise<OtherBuild> {
  await buildServer()
  const folder = mkdtempSync(join(tmpdir(), 'shipway-other-build-'))
  cpSync(dirname(join(root, OURS)), folder, { recursive: true })
  const program = join(folder, 'main.mjs')
  // The bundler breaks long lines, also within strings.
  let text = readFileSync(program, 'utf8').replaceAll('\\\n', '')
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`The build has no ${before}: name something that it has`)
    text = text.replaceAll(before, after)
  }
  writeFileSync(program, text)
  return { program, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Built from its own sources, with the current libraries. Not below `node_modules`, where Node refuses TypeScript. */
export function buildCommit(commit: string): OtherBuild {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-commit-'))
  const archive = execFileSync('git', ['-C', root, 'archive', '--format=tar', commit], { maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const libraries = join(folder, 'node_modules')
  mkdirSync(join(libraries, '@shipway'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@shipway' && name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(libraries, name))
  }
  for (const name of ['api', 'rules']) symlinkSync(join(folder, 'packages', name), join(libraries, '@shipway', name))
  execFileSync(process.execPath, ['packages/server/build.ts'], { cwd: folder, stdio: 'inherit' })
  return {
    program: join(folder, OURS),
    migrations: join(folder, 'packages/server/migrations'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
