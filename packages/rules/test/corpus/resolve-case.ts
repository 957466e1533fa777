// A corpus case as the real Compose resolves it.
import { checkRepositoryFiles } from '../../src/check-repository-files.ts'
import { readComposeFiles } from '../../src/compose/read-compose-files.ts'
import { readSource } from '../../src/compose/source/read-source.ts'
import { isDockerConfig } from '../../src/service-file/repository-config.ts'
import { resolve } from '../compose.ts'
import { treeOf, withServiceFile } from './tree.ts'

/** `resolved` is null where the files are refused before Compose reads them. */
export async function resolveCase(files: Readonly<Record<string, string>>) {
  const all = await withServiceFile(files)
  const tree = treeOf(all)
  const { config, faults } = await checkRepositoryFiles(tree, { recipe: 'docker' })
  const docker = isDockerConfig(config) ? config : null
  const named = docker?.source?.type === 'compose' ? docker.source.files : ['compose.yml']
  const custom = new Map(
    [...(all['compose.yml']?.matchAll(/\$\{([A-Z_]+):\?/g) ?? [])].map(([, name]) => [
      String(name),
      { isForBuilds: true },
    ]),
  )
  const read = await readComposeFiles({
    files: named,
    links: new Set<string>(),
    read: tree.read,
    custom,
    profiles: docker?.profiles ?? [],
    readSource: async (source) => readSource(source),
  })
  const found = { tree, config, faults, docker, read }
  if (read.faults.length > 0) return { ...found, resolved: null }
  const over = Object.entries(read.envFiles).map(
    ([name, paths]) => `  ${name}: { env_file: !override [${paths.map((path) => `"{checkout}/${path}"`)}] }\n`,
  )
  const env = [...read.known.defaults, ...[...custom.keys()].map((key) => [key, 'set'])].map(
    ([key, value]) => `${key}=${value}\n`,
  )
  const given = {
    ...all,
    'over.yml': `services:\n${over.join('') || '  {}'}\n`,
    'all.env': `${env.join('')}PWD={checkout}\n`,
  }
  const resolved = await resolve(given, {
    composeFiles: over.length > 0 ? [...named, 'over.yml'] : [...named],
    envFile: 'all.env',
    profiles: docker?.profiles ?? [],
  })
  return { ...found, resolved }
}
