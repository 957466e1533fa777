/**
 * `npm run build:client`: the client as the platform serves it. Two forms, both without dependencies:
 *
 *   shipway.tgz  a package for `npm i -g`: the program, and the parts that it loads on demand
 *   shipway.mjs  one file. Parts that are loaded on demand are compressed text in it, which costs no time to skip
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { buildId } from '../../tools/build-id.ts'
import { freshBuild } from '../../tools/fresh-build.ts'
import { writeBundledPackages } from '../../tools/release/bundled-packages.ts'

const here = import.meta.dirname

/** A part of the program that is loaded on demand, by the import that matches the filter. */
type LatePart = { readonly name: string; readonly filter: RegExp; readonly entry: string; readonly exported: string }

/** The contract with zod, the MCP server, and the rules for repositories: each is needed by some commands only. */
export const INNER_PARTS: readonly LatePart[] = [
  { name: 'contract', filter: /^@shipway\/api\/client$/, entry: '@shipway/api/client', exported: 'createClient' },
  { name: 'mcp', filter: /\/mcp\/serve-mcp\.ts$/, entry: './src/mcp/serve-mcp.ts', exported: 'serveMcp' },
  { name: 'rules', filter: /\/rules\.ts$/, entry: './src/repository/rules.ts', exported: 'rules' },
]
/** Everything that commands share; `--help` does not need it. */
const RUN: LatePart = {
  name: 'run',
  filter: /\/run-program\.ts$/,
  entry: './src/run-program.ts',
  exported: 'runProgram',
}

const sources = [
  'src/**/*.ts',
  'build.ts',
  'package.json',
  'README.md',
  '../api/src/**/*.ts',
  '../rules/src/**/*.ts',
  '../../LICENSE',
  '../../package-lock.json',
]

/** Both forms, in `dist`, from where the platform serves them. Compressing takes seconds, so only if sources have changed. */
export const buildClient = (): Promise<void> =>
  freshBuild({ root: here, sources, contained: buildId(), make: buildBoth })

/** The form in one file. */
export const BUILT_CLIENT = join(here, 'dist', 'shipway.mjs')

async function buildBoth(folder: string): Promise<void> {
  for (const make of [buildOneFile, buildPackage]) await make(folder)
  writeBundledPackages(folder, read)
}

/** Files that went into the bundles. */
const read = new Set<string>()

async function buildOneFile(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'shipway.mjs')
  const inner = await Promise.all(
    INNER_PARTS.map(async (part) => within(part, await bundlePart(part, INNER_PLUGINS, AS_FUNCTION))),
  )
  const form = { ...AS_FUNCTION, define: { SHIPWAY_FORM: "'file'" } }
  const run = within(RUN, await bundlePart(RUN, [...inner, lateBuiltins], form))
  writeFileSync(file, await bundleMain(run), { mode: 0o755 })
  return file
}

async function buildPackage(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const inner = await Promise.all(
    INNER_PARTS.map(async (part) => [`${part.name}.mjs`, await bundlePart(part, INNER_PLUGINS)] as const),
  )
  return pack(folder, {
    'shipway.mjs': await bundleMain(beside(RUN)),
    'run.mjs': await bundlePart(RUN, [...INNER_PARTS.map(beside), lateBuiltins], {
      define: { SHIPWAY_FORM: "'package'" },
    }),
    ...Object.fromEntries(inner),
  })
}

const bundleMain = (run: Plugin): Promise<string> =>
  bundle({ entryPoints: [join(here, 'src/main.ts')], plugins: [run, withoutCommands, lateBuiltins] })

/** The help needs the catalogue's names and summaries only. The commands themselves are in the part `run`. */
const withoutCommands: Plugin = {
  name: 'without-commands',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\/commands\// }, ({ path }) => ({ path, namespace: 'without-commands' }))
    onLoad({ filter: /.*/, namespace: 'without-commands' }, () => ({ contents: 'export {}' }))
  },
}

const bundlePart = ({ entry, exported }: LatePart, plugins: Plugin[], form: BuildOptions = {}): Promise<string> =>
  bundle({ stdin: { contents: `export { ${exported} } from '${entry}'`, resolveDir: here }, plugins, ...form })

/** CommonJS, so that the code can run as the body of a function: it loads Node's modules with `require`. */
const AS_FUNCTION = { format: 'cjs', supported: { 'dynamic-import': false } } as const satisfies BuildOptions

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles, metafile } = await build({
    format: 'esm',
    ...options,
    bundle: true,
    platform: 'node',
    target: 'node20',
    define: { SHIPWAY_BUILD: JSON.stringify(buildId()), ...options.define },
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  for (const file of Object.keys(metafile?.inputs ?? {})) read.add(file)
  const [output] = outputFiles ?? []
  if (!output) throw new Error('The bundler made nothing')
  return output.text
}

const beside = ({ name, filter }: LatePart): Plugin => ({
  name,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path: `./${name}.mjs`, external: true })),
})

const within = (part: LatePart, source: string): Plugin => ({
  name: part.name,
  setup: ({ onResolve, onLoad }) => {
    // One name for all importers, or it would be bundled several times.
    onResolve({ filter: part.filter }, () => ({ path: part.name, namespace: part.name }))
    onLoad({ filter: /.*/, namespace: part.name }, () => ({ contents: unpacking(part, source) }))
  },
})

/**
 * Importing the text as a data URL would take Node a sixth of a whole run. The bundler escapes everything beyond ASCII, so each byte is
 * one character.
 */
const unpacking = ({ name, exported }: LatePart, source: string): string => `
const { brotliDecompressSync } = process.getBuiltinModule('node:zlib')
const { compileFunction } = process.getBuiltinModule('node:vm')
const packed = Buffer.from('${brotliCompressSync(source).toString('base64')}', 'base64')
const source = brotliDecompressSync(packed).toString('latin1')
const module = { exports: {} }
compileFunction(source, ['module', 'require'], { filename: 'shipway:${name}' })(module, process.getBuiltinModule)
export const { ${exported} } = module.exports
`

/**
 * A bundle would import every Node module that any command uses at startup. So each is loaded when its user runs, and only
 * the used names are read: some load half of Node.
 */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'late-builtins' }))
    onLoad({ filter: /.*/, namespace: 'late-builtins' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[a-z]\w*$/i.test(name))
      const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ take('${name}')`)
      return { contents: [`const take = (name) => process.getBuiltinModule('${path}')[name]`, ...exports].join('\n') }
    })
  },
}

/** Its build for Node is CommonJS, which loads Node's modules in a way that a bundle cannot. */
const yamlAsModules: Plugin = {
  name: 'yaml-as-modules',
  setup: ({ onResolve }) => {
    // The version of packages/rules. Vitest, which also builds, has no `import.meta.resolve`.
    const folder = dirname(createRequire(join(here, '../rules/package.json')).resolve('yaml/package.json'))
    onResolve({ filter: /^yaml$/ }, () => ({ path: join(folder, 'browser/index.js') }))
  },
}

/** zod's messages in fifty languages are half of the contract's size. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ path }) => ({ path, namespace: 'without-locales' }))
    onLoad({ filter: /.*/, namespace: 'without-locales' }, () => ({ contents: 'export {}' }))
  },
}

const INNER_PLUGINS = [withoutLocales, yamlAsModules]

function pack(folder: string, scripts: Readonly<Record<string, string>>): string {
  const staging = mkdtempSync(join(tmpdir(), 'shipway-pack-'))
  try {
    for (const [name, text] of Object.entries(scripts)) writeFileSync(join(staging, name), text, { mode: 0o755 })
    writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest(), null, 2))
    for (const file of ['README.md', '../../LICENSE']) copyFileSync(join(here, file), join(staging, basename(file)))
    const words = ['pack', '--silent', '--pack-destination', staging]
    const made = execFileSync('npm', words, { cwd: staging, encoding: 'utf8' }).trim()
    const archive = join(folder, 'shipway.tgz')
    rmSync(archive, { force: true })
    copyFileSync(join(staging, made), archive)
    return archive
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function manifest(): object {
  const { name, version, description, license } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20.16' },
    bin: { shipway: 'shipway.mjs' },
  }
}

if (process.argv[1] === import.meta.filename) {
  const [given] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const folder = resolve(given ?? dirname(BUILT_CLIENT))
  await (given === undefined ? buildClient() : buildBoth(folder))
  const made = ['shipway.mjs', 'shipway.tgz'].map((name) => join(folder, name))
  if (!process.argv.includes('--quiet')) console.log(made.join('\n'))
}
