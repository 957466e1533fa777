/**
 * `npm run build:dashboard`: the dashboard as the platform serves it, each file also compressed. `npm start` and `npm test` build it where
 * it is missing or older than its sources.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { freshBuild } from '../../tools/fresh-build.ts'

const root = import.meta.dirname

const sources = [
  'src/**/*',
  'index.html',
  'vite.config.ts',
  'build.ts',
  '../api/src/**/*.ts',
  '../../package-lock.json',
]

export async function buildDashboard({ isQuiet = false } = {}): Promise<void> {
  await freshBuild({
    root,
    sources,
    make: async (folder) => {
      await inProduction(() => build({ root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } }))
      compress(folder)
    },
    onBegin: () => {
      if (!isQuiet) console.log('Building the dashboard')
    },
  })
}

/** Vitest sets NODE_ENV, and the build of a test would name the folders of this machine. */
async function inProduction(make: () => Promise<unknown>): Promise<void> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await make()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

function compress(folder: string): void {
  for (const name of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (process.argv[1] === import.meta.filename) await buildDashboard({ isQuiet: process.argv.includes('--quiet') })
