/**
 * The platform as `npm start` and the tests run it: one file in place of two thousand, most of them of libraries, which takes a start from
 * three seconds of work to one. What it reads beside itself (scripts, migrations, threads) it still finds where the sources are.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { freshBuild } from '../../tools/fresh-build.ts'

const root = import.meta.dirname

/** These find files of their own by where they lie. */
const NOT_BUNDLED = ['pino', 'acme-client', 'pg-native']

const sources = ['src/**/*.ts', 'build.ts', '../api/src/**/*.ts', '../rules/src/**/*.ts', '../../package-lock.json']

export const buildServer = (): Promise<void> => freshBuild({ root, sources, make: bundle })

async function bundle(folder: string): Promise<void> {
  await build({
    ...SHARED,
    entryPoints: [join(root, 'src/main.ts')],
    outfile: join(folder, 'main.mjs'),
    plugins: [sourcesStayInPlace, oneLanguage, httpAlone, beside('oidc-provider')],
  })
  const strange = /[^\0-\x7f]/.exec(await readFile(join(folder, 'main.mjs'), 'utf8'))
  if (strange)
    throw new Error(`Write ${JSON.stringify(strange[0])} as \\u…: with it the program takes twice the memory`)
  // It stores the names of its classes, which must stay as they are; to have all names kept makes every function slower.
  await build({
    ...SHARED,
    stdin: { contents: "export * from 'oidc-provider'; export { default } from 'oidc-provider'", resolveDir: root },
    outfile: join(folder, 'oidc-provider.mjs'),
    keepNames: true,
  })
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

const sourcesStayInPlace: Plugin = {
  name: 'sources-stay-in-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /packages\/(server|api|rules)\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    })),
}

if (process.argv[1] === import.meta.filename) await buildServer()
