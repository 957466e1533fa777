/**
 * `npm run build:dashboard`: the dashboard as the platform serves it, each file also compressed. `npm start` and `npm test` build it where
 * it is missing or older than its sources.
 */
import { build, type Plugin } from 'vite'
import { compressFiles } from '../../tools/compress-files.ts'
import { freshBuild } from '../../tools/fresh-build.ts'
import { writeBundledPackages } from '../../tools/release/bundled-packages.ts'

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
      const files = new Set<string>()
      await inProduction(() =>
        build({
          root,
          logLevel: 'error',
          plugins: [listFiles(files)],
          build: { outDir: folder, emptyOutDir: true },
        }),
      )
      compressFiles(folder)
      writeBundledPackages(folder, files)
    },
    onBegin: () => {
      if (!isQuiet) console.log('Building the dashboard')
    },
  })
}

/** Style sheets of packages are modules without code, so all count. */
const listFiles = (files: Set<string>): Plugin => ({
  name: 'list-files',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') for (const name of file.moduleIds) files.add(name)
  },
})

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

if (process.argv[1] === import.meta.filename) await buildDashboard({ isQuiet: process.argv.includes('--quiet') })
