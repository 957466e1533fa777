// A folder with a compose file: its repository, its .env, and what labels of a reverse proxy say about domains.
import { basename } from 'node:path'
import { parseEnv } from '@shipway/api/values/env-file'
import { z } from 'zod'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { findRepository } from '../repository/find-repository.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { runGit } from '../repository/run-git.ts'
import { plainText } from '../terminal/sanitize.ts'
import { hostsOf, type OtherPlatform } from './other-platform.ts'

const NAMES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const MOST_BYTES = 1024 * 1024

const Pairs = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
const Document = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({ labels: Pairs.nullish(), environment: Pairs.nullish(), volumes: z.array(z.unknown()).nullish() }),
  ),
  volumes: z.record(z.string(), z.unknown()).nullish(),
})

export async function readCompose(ctx: Context, word: string | undefined): Promise<OtherPlatform> {
  const { folder } = await findRepository(ctx, word)
  const [file, content] = await findFile(folder)
  const { rules } = await import('../repository/rules.ts')
  const parsed = Document.safeParse(rules.readComposeDocument(content, file))
  if (!parsed.success) throw UsageError(`${plainText(file)} has no services`)
  const { services, volumes } = parsed.data
  const env = await readFile(`${folder}/.env`)
  const { entries, faults } = parseEnv(env === NO_FILE ? '' : (env?.toString('utf8') ?? ''))
  const git = async (...words: [string, ...string[]]) =>
    (await runGit(words, { folder, signal: ctx.signal }))?.toString('utf8').trim() || undefined
  const names = Object.keys(volumes ?? {})
  return {
    title: file,
    leftBehind: [],
    apps: [
      {
        name: basename(folder),
        repository: await git('config', '--get', 'remote.origin.url'),
        branch: await git('rev-parse', '--abbrev-ref', 'HEAD'),
        stage: 'production',
        domains: hostsOf(
          Object.values(services).flatMap(({ labels, environment }) => [
            ...traefikHosts(labels),
            ...proxyHosts(environment),
          ]),
        ),
        variables: new Map(entries.map(({ key, value }) => [key, value])),
        schedules: [],
        leftBehind: [
          ...(env === NO_FILE
            ? ['.env, which is no plain file, or too large: set its variables with shipway vars set --from-file']
            : []),
          ...(faults.length > 0 ? [`${faults.length} lines of .env that could not be read`] : []),
          ...(names.length > 0
            ? [`Data in the volumes ${names.join(', ')}: load a dump after the first deployment`]
            : []),
        ],
      },
    ],
  }
}

async function findFile(folder: string): Promise<readonly [name: string, content: Buffer]> {
  for (const name of NAMES) {
    const content = await readFile(`${folder}/${name}`)
    if (content === NO_FILE) throw UsageError(`${plainText(`${folder}/${name}`)} is too large, or no plain file`)
    if (content) return [name, content]
  }
  throw UsageError(`There is no compose file in ${plainText(folder)}`, `It is called ${NAMES.join(', ')}`)
}

/** A folder, a link, which could lead to a secret of the machine, or more than is read. */
const NO_FILE = Symbol('no plain file')

async function readFile(path: string): Promise<Buffer | typeof NO_FILE | undefined> {
  const found = await readPlainFile(path, { mostBytes: MOST_BYTES, followsLinks: false }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      if (error.code === 'ELOOP') return NO_FILE
      throw error
    },
  )
  return found === undefined || found === NO_FILE ? found : found.kind === 'file' ? found.content : NO_FILE
}

/** `KEY=value` and `{KEY: value}` alike. */
const pairsOf = (pairs: z.infer<typeof Pairs> | null | undefined): readonly string[] => {
  const words = Array.isArray(pairs)
    ? pairs
    : Object.entries(pairs ?? {}).map(([key, value]) => keyAndValue(key, value))
  return words.filter((word) => typeof word === 'string')
}

/** Domains are texts: what else a value may be does not count. */
const keyAndValue = (key: string, value: unknown): string => `${key}=${typeof value === 'string' ? value : ''}`

/** `traefik.http.routers.x.rule=Host(`a`, `b`)`. */
const traefikHosts = (labels: z.infer<typeof Pairs> | null | undefined): readonly string[] =>
  pairsOf(labels)
    .filter((label) => /^traefik\.http\.routers\.[^=]+\.rule=/.test(label))
    .flatMap((label) => [...label.slice(0, 4000).matchAll(/`([^`]{1,253})`/g)].map(([, host]) => host ?? ''))

/** As nginx-proxy reads it. */
const proxyHosts = (environment: z.infer<typeof Pairs> | null | undefined): readonly string[] =>
  pairsOf(environment).flatMap((pair) =>
    pair.startsWith('VIRTUAL_HOST=') ? pair.slice('VIRTUAL_HOST='.length).split(',') : [],
  )
