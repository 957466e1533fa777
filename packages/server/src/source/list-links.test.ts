import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { longestStopMs } from '../../test/longest-stop.ts'
import { createOrigin } from '../../test/origin.ts'
import { listComposeFilesAt, listLinksAt } from './list-links.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-links-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a commit of a few kilobytes with a million links takes little memory and does not block', async () => {
  const origin = createOrigin(join(folder, 'links.git'))
  const blob = origin.git(['hash-object', '-w', '--stdin'], 'content')
  const tenTimes = (what: string): string =>
    origin.git(['mktree', '-z'], Array.from({ length: 10 }, (_, at) => `${what}\t${at}\0`).join(''))
  let tree = tenTimes(`120000 blob ${blob}`)
  for (let level = 1; level < 6; level++) tree = tenTimes(`040000 tree ${tree}`)
  const sha = origin.git(['-c', 'user.name=Ada', 'commit-tree', tree], 'A commit')
  origin.git(['update-ref', `refs/shipway/${sha}`, sha])
  const before = process.memoryUsage().rss
  const listing = () => expect(listLinksAt(origin.path, sha)).rejects.toThrow('symbolic links')
  expect(await longestStopMs(listing)).toBeLessThan(200)
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
})

test('files that are named like a compose file are found in every folder, links and deep ones left out', async () => {
  const origin = createOrigin(join(folder, 'compose.git'))
  const blob = origin.git(['hash-object', '-w', '--stdin'], 'services: {}')
  const tree = (entries: readonly string[]): string =>
    origin.git(['mktree', '-z'], entries.map((entry) => `${entry}\0`).join(''))
  let deep = tree([`100644 blob ${blob}\tcompose.yml`])
  for (const name of ['f', 'e', 'd', 'c', 'b']) deep = tree([`040000 tree ${deep}\t${name}`])
  const shop = tree([`100644 blob ${blob}\tdocker-compose.prod.yml`, `100755 blob ${blob}\tDockerfile`])
  const root = tree([
    `040000 tree ${deep}\ta`,
    `120000 blob ${blob}\tcompose.yml`,
    `100644 blob ${blob}\tcomposer.json`,
    `040000 tree ${shop}\tläden`,
  ])
  const sha = origin.git(['-c', 'user.name=Ada', 'commit-tree', root], 'A commit')
  origin.git(['update-ref', `refs/shipway/${sha}`, sha])
  expect(await listComposeFilesAt(origin.path, sha)).toEqual(['läden/docker-compose.prod.yml'])
})
