/**
 * The platform as `npm start`, the release and the tests run it: one file in place of two thousand, most of them of libraries, which takes a
 * start from three seconds of work to one. `dist` holds everything it needs besides Node, and finds it by relative place:
 *
 *   main.mjs           the program; oidc-provider.mjs and acme-client.mjs are loaded when they are first needed
 *   *-thread.mjs       programs of threads
 *   src/…/scripts/     shell scripts, at the places of their sources
 *   migrations/        SQL
 *
 * The dashboard and the client are in `dist` of their own packages, two folders up.
 */
import { cpSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'
import { buildId } from '../../tools/build-id.ts'
import { freshBuild } from '../../tools/fresh-build.ts'
import { writeBundledPackages } from '../../tools/release/bundled-packages.ts'

const root = import.meta.dirname

/** pg loads it only if it is installed. */
const NOT_BUNDLED = ['pg-native']

const sources = [
  'src/**/*.{ts,sh}',
  'migrations/*.sql',
  'build.ts',
  '../api/src/**/*.ts',
  '../rules/src/**/*.ts',
  '../../package-lock.json',
]

export const buildServer = (): Promise<void> => freshBuild({ root, sources, contained: buildId(), make: bundle })

async function bundle(folder: string): Promise<void> {
  const files = await bundleProgram(folder)
  for (const [name, contents] of Object.entries(LOADED_LATER))
    files.push(...(await bundleLibrary(folder, name, contents)))
  writeBundledPackages(folder, files)
  for (const file of globSync(['src/**/scripts/**/*.sh', 'migrations/*.sql'], { cwd: root }))
    cpSync(join(root, file), join(folder, file))
}

/** Returns the files that it read. */
async function bundleProgram(folder: string): Promise<string[]> {
  const threads = new Set<string>()
  const plugins = [placesInBuild(threads), oneLanguage, httpAlone, ...Object.keys(LOADED_LATER).map(beside)]
  const bundleFile = (source: string, file: string) =>
    build({
      ...SHARED,
      define: { SHIPWAY_BUILD: JSON.stringify(buildId()) },
      entryPoints: [source],
      outfile: join(folder, file),
      plugins,
    })
  const files = filesOf(await bundleFile(join(root, 'src/main.ts'), 'main.mjs'))
  const strange = /[^\0-\x7f]/.exec(await readFile(join(folder, 'main.mjs'), 'utf8'))
  if (strange)
    throw new Error(`Write ${JSON.stringify(strange[0])} as \\u…: with it the program takes twice the memory`)
  for (const source of threads) files.push(...filesOf(await bundleFile(source, builtThread(source))))
  return files
}

const filesOf = ({ metafile }: BuildResult<{ metafile: true }>): string[] => Object.keys(metafile.inputs)

/** Libraries that most processes never need. The names that CommonJS exports are known only when it runs, so they are listed. */
const LOADED_LATER = {
  'oidc-provider': "export * from 'oidc-provider'; export { default } from 'oidc-provider'",
  'acme-client': "export { axios, Client, crypto } from 'acme-client'",
} as const

async function bundleLibrary(folder: string, name: string, contents: string): Promise<string[]> {
  const built = await build({
    ...SHARED,
    stdin: { contents, resolveDir: root },
    outfile: join(folder, `${name}.mjs`),
    // oidc-provider stores the names of its classes, which must stay as they are; keeping all names makes every function slower.
    keepNames: true,
  })
  return filesOf(built)
}

const beside = (name: string): Plugin => ({
  name: `${name}-beside`,
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: `./${name}.mjs`, external: true })),
})

/** Libraries in CommonJS ask for modules of Node by it. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

const SHARED = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  legalComments: 'none',
  // The text of the program stays in memory. One character beyond ASCII, in a comment of a library, would double it; so comments go,
  // and blanks with them. Names stay, and lines stay short enough to be found by their numbers.
  minifyWhitespace: true,
  lineLimit: 200,
  logLevel: 'warning',
  metafile: true,
  external: [...NOT_BUNDLED],
  banner: { js: REQUIRE },
} as const satisfies BuildOptions

/** Of the fifty languages that zod can say its faults in, none is asked for but its own. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    })),
}

/** An `import` of it reads all that it exports, and one of those is a whole client of HTTP: a tenth of the start. `require` does not. */
const httpAlone: Plugin = {
  name: 'http-alone',
  setup: ({ onLoad, onResolve }) => {
    const namespace = 'required'
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace } : { path, external: true },
    )
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

/**
 * A module finds files by its own place. In the build, files of this package are at the same place below `dist`, and folders of other
 * packages are where they are, seen from `dist`. The program of a thread is a bundle; its source is added to `threads`.
 */
const placesInBuild = (threads: Set<string>): Plugin => ({
  name: 'places-in-build',
  setup: ({ onLoad }) =>
    onLoad({ filter: /packages\/(server|api|rules)\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (/import\.meta\.(dirname|filename)/.test(text)) throw new Error(`${path}: write new URL(…, import.meta.url)`)
      const inBuild = (_whole: string, name: string | undefined): string => {
        const target = name === undefined ? path : join(dirname(path), name)
        if (name?.endsWith('.ts')) threads.add(target)
        const place = name?.endsWith('.ts') ? builtThread(target) : placeOf(target)
        return `new URL(${JSON.stringify(place)}, import.meta.url)${name === undefined ? '.href' : ''}`
      }
      return {
        loader: 'ts',
        contents: text.replaceAll(/new URL\('(\.[^']*)', import\.meta\.url\)|import\.meta\.url/g, inBuild),
      }
    }),
})

function placeOf(target: string): string {
  const place = target.startsWith(`${root}/`) ? `./${relative(root, target)}` : relative(join(root, 'dist'), target)
  return target.endsWith('/') ? `${place}/` : place
}

const builtThread = (source: string): string => `./${basename(source, '.ts')}.mjs`

if (process.argv[1] === import.meta.filename) await buildServer()
