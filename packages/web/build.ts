/**
 * `npm run build:dashboard`: the dashboard as the platform serves it, each file also compressed. `npm start` and `npm test` build it where
 * it is missing or older than its sources.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const here = import.meta.dirname
const folder = join(here, 'dist')
const stampFile = join(folder, 'sources.txt')

/** Whatever the built files depend on. */
const SOURCES = [
  'src/**/*',
  'index.html',
  'vite.config.ts',
  'build.ts',
  '../api/src/**/*.ts',
  '../../package-lock.json',
]

export async function buildDashboard({ isQuiet = false } = {}): Promise<void> {
  const digest = digestOfSources()
  if (digest === builtFrom()) return
  if (!isQuiet) console.log('Building the dashboard')
  // Beside the place, so that a platform that is started meanwhile finds the old one whole.
  const fresh = join(here, 'dist-next')
  rmSync(fresh, { recursive: true, force: true })
  await build({ root: here, logLevel: 'error', build: { outDir: fresh, emptyOutDir: true } })
  compress(fresh)
  writeFileSync(join(fresh, 'sources.txt'), digest)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(here, { recursive: true })
  renameSync(fresh, folder)
}

function compress(root: string): void {
  for (const name of globSync('**/*.{js,css,html,svg}', { cwd: root })) {
    const file = join(root, name)
    const bytes = readFileSync(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: here, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) hash.update(`${relative(here, file)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

if (process.argv[1] === import.meta.filename) await buildDashboard({ isQuiet: process.argv.includes('--quiet') })
