// The documentation as static pages in `dist`. `npm start` and `npm test` build them where they are missing or older than their sources.
import { compressFiles } from '../../tools/compress-files.ts'
import { freshBuild } from '../../tools/fresh-build.ts'
import { writeBundledPackages } from '../../tools/release/bundled-packages.ts'
import { buildSite } from './src/build-site.ts'

const sources = [
  'src/**/*',
  'build.ts',
  ...['*.md', 'docs/**/*.md', 'docs/pictures/*', 'bench/RESULTS.md', 'deploy/**/*', 'examples/**/*'].map(
    (name) => `../../${name}`,
  ),
  // What the reference is made from.
  ...['api', 'rules', 'cli'].map((name) => `../${name}/src/**/*`),
  '../../package-lock.json',
]

export async function buildDocs(): Promise<void> {
  await freshBuild({
    root: import.meta.dirname,
    sources,
    make: async (folder) => {
      const files = await buildSite(folder)
      compressFiles(folder)
      writeBundledPackages(folder, files)
    },
  })
}

if (process.argv[1] === import.meta.filename) await buildDocs()
