/**
 * `npm run release`: what people install, in the folder `dist-release`, with checksums. The same commit makes the same bytes.
 *
 *   shipway-<version>-linux-<machine>.tar.gz   the built platform, with Node
 *   shipway-<version>.cdx.json                 the bill of materials
 *   install.sh                                 sets the platform up, or upgrades it
 *   SHA256SUMS, SHA256SUMS.sig                 checksums of these, signed with the key of --key or RELEASE_KEY_FILE
 *
 *   shipway-<version>-image.tar                the container image for `docker load`, if a Docker Engine answers; --no-image leaves it out
 */
import { execFileSync, spawnSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { OLDEST_RELEASE } from '../../packages/server/src/store/migrate.ts'
import { buildId } from '../build-id.ts'
import { packFolder } from './archive.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { copyRelease } from './copy-release.ts'
import { CHECKSUMS, checksumsOf, publicKeyOf, readSigningKey, SIGNATURE, signText } from './signature.ts'

const root = join(import.meta.dirname, '../..')

type Order = {
  readonly folder: string
  /** Without one, the release is not signed. */
  readonly key?: KeyObject | undefined
  /** For tests: another version than that of the checkout. */
  readonly version?: string
  /** For tests: changes the built platform before it is packed. */
  readonly change?: (folder: string) => void
  /** More files to list in the checksums. */
  readonly more?: Readonly<Record<string, Buffer>>
}

/** Packs what the last builds made. Returns the names of the files. */
export function makeRelease({
  folder,
  key,
  version = versionOfCheckout(),
  change,
  more = {},
}: Order): readonly string[] {
  const staging = mkdtempSync(join(tmpdir(), 'shipway-release-'))
  try {
    const time = timeOfCommit()
    const name = `shipway-${version}`
    const bill = `${JSON.stringify(billOfMaterials({ version, nodeVersion: process.versions.node, madeAt: new Date(time * 1000) }), null, 2)}\n`
    const built = join(staging, name)
    copyRelease(built)
    writeFileSync(join(built, 'version'), `${version}\n`)
    // An upgrade asks for it before it runs anything of the release.
    writeFileSync(join(built, 'oldest-release'), `${OLDEST_RELEASE}\n`)
    writeFileSync(join(built, 'bill-of-materials.cdx.json'), bill)
    change?.(built)
    const files = {
      'install.sh': Buffer.from(installerFor(key)),
      [`${name}.cdx.json`]: Buffer.from(bill),
      [`${name}-linux-${process.arch}.tar.gz`]: packFolder({ folder: built, name, time }),
      ...more,
    }
    const checksums = checksumsOf(files)
    mkdirSync(folder, { recursive: true })
    const all = {
      ...files,
      [CHECKSUMS]: Buffer.from(checksums),
      ...(key && { [SIGNATURE]: signText(checksums, key) }),
    }
    for (const [file, bytes] of Object.entries(all)) writeFileSync(join(folder, file), bytes)
    return Object.keys(all)
  } finally {
    rmSync(staging, { recursive: true })
  }
}

/** The installer knows the key, so that one download that can be trusted is enough. */
function installerFor(key: KeyObject | undefined): string {
  const text = readFileSync(join(root, 'deploy/install.sh'), 'utf8')
  const place = /^RELEASE_KEY=''$/m
  if (!place.test(text)) throw new Error("deploy/install.sh has no line RELEASE_KEY='' any more")
  return key ? text.replace(place, `RELEASE_KEY='${publicKeyOf(key).trim()}'`) : text
}

/** Such as `1.15.0`, or `1.15.0+bb5c3621a` between two releases. */
function versionOfCheckout(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const build = buildId()
  return build === '' ? version : `${version}+${build}`
}

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim()

const timeOfCommit = (): number => Number(git('log', '-1', '--format=%ct'))

const hasEngine = (): boolean => spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0

function buildImage(version: string): Readonly<Record<string, Buffer>> {
  const tag = `shipway:${version.replace('+', '-')}`
  const folder = mkdtempSync(join(tmpdir(), 'shipway-image-'))
  try {
    const file = join(folder, 'image.tar')
    execFileSync('docker', ['build', '--file', 'deploy/Dockerfile', '--tag', tag, '.'], { cwd: root, stdio: 'inherit' })
    execFileSync('docker', ['save', '--output', file, tag], { stdio: 'inherit' })
    return { [`shipway-${version}-image.tar`]: readFileSync(file) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { key: { type: 'string' }, 'no-image': { type: 'boolean' }, uncommitted: { type: 'boolean' } },
  })
  if (git('status', '--porcelain') !== '' && !values.uncommitted) {
    console.error('The checkout has changes that are in no commit. Commit them, or pass --uncommitted for a trial.')
    process.exit(1)
  }
  const keyFile = values.key ?? process.env.RELEASE_KEY_FILE
  const key = keyFile === undefined || keyFile === '' ? undefined : readSigningKey(keyFile)
  const withImage = !values['no-image'] && hasEngine()
  const [folder, next] = [join(root, 'dist-release'), join(root, 'dist-release-next')]
  rmSync(next, { recursive: true, force: true })
  const more = withImage ? buildImage(versionOfCheckout()) : {}
  const files = makeRelease({ folder: next, key, more })
  rmSync(folder, { recursive: true, force: true })
  renameSync(next, folder)
  for (const file of files) console.log(`dist-release/${file}`)
  if (!withImage) console.log('Without the container image: no Docker Engine answers, or --no-image was passed.')
  if (!key)
    console.log('Not signed: pass --key <file>, made with `openssl genpkey -algorithm ed25519`, to sign the checksums.')
}
