// The software bill of materials of a release, in the format CycloneDX: the packages that went into its bundles, by the lockfile, and Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBundledPackages } from './bundled-packages.ts'

const root = join(import.meta.dirname, '../..')

/** An entry of package-lock.json. */
type Locked = { readonly version: string; readonly integrity?: string; readonly license?: string }

type Release = { readonly version: string; readonly nodeVersion: string; readonly madeAt: Date }

export function billOfMaterials({ version, nodeVersion, madeAt }: Release): object {
  const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const bundled = new Set(
    ['server', 'web', 'docs', 'cli'].flatMap((name) => readBundledPackages(join(root, 'packages', name, 'dist'))),
  )
  const components = [...bundled].toSorted().map((place) => {
    const locked = packages[place]
    if (!locked) throw new Error(`${place} was bundled, and package-lock.json does not have it: run npm ci`)
    return componentOf(place.replace(/^.*node_modules\//, ''), locked)
  })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: {
        type: 'application',
        'bom-ref': `shipway@${version}`,
        name: 'shipway',
        version,
        licenses: licensesOf('Apache-2.0'),
      },
    },
    components: [...components, nodeOf(nodeVersion)],
  }
}

function componentOf(name: string, { version, integrity, license }: Locked): object {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${rest}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(integrity !== undefined && { hashes: hashesOf(integrity) }),
    ...(license !== undefined && { licenses: licensesOf(license) }),
  }
}

function hashesOf(integrity: string): readonly object[] {
  const [, base64 = ''] = /^sha512-(\S+)/.exec(integrity) ?? []
  return base64 === '' ? [] : [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }]
}

const licensesOf = (license: string): readonly object[] =>
  /^[A-Za-z0-9.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]

const nodeOf = (version: string): object => {
  const purl = `pkg:generic/node@${version}`
  return { type: 'application', 'bom-ref': purl, name: 'node', version, purl, licenses: licensesOf('MIT') }
}
