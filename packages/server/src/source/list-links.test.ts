import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { longestStopMs } from '../../test/longest-stop.ts'
import { createOrigin } from '../../test/origin.ts'
import { listLinksAt } from './list-links.ts'

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
