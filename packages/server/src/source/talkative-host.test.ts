// A git host that keeps sending after git has failed: no other call receives it, and no process of the call is left.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fetching, faultOf, openFetching } from '../../test/fetching.ts'
import { type GitHost, startGitHost } from '../../test/git-host.ts'
import { listProcesses } from '../../test/process-list.ts'

let fetching: Fetching
let talkative: GitHost

beforeAll(async () => {
  fetching = await openFetching()
  talkative = await startGitHost({ authorizedKey: fetching.build().repository.publicKey })
  // Invalid bytes in place of git's protocol.
  const words = ['printf nonsense', 'for at in $(seq 200); do echo "fatal: heard from elsewhere" >&2; sleep 0.05; done']
  writeFileSync(join(talkative.folder, 'serve'), `${words.join('\n')}\n`)
})
afterAll(async () => {
  await talkative.stop()
  await fetching.close()
})

test('its output reaches no other call, and its ssh ends with the call', async () => {
  const { repository: hostile, source, data } = fetching.build({ host: talkative })
  const { origin, repository, source: honest } = fetching.build()
  const heard: Buffer[] = []
  const onOutput = (bytes: Buffer): void => void heard.push(bytes)
  for (const text of ['one', 'two', 'three']) {
    expect(await faultOf(source.resolveBranch(hostile, 'main'))).toMatchObject({ code: 'failed' })
    expect(listProcesses().filter((words) => words.includes(join(data, 'connections')))).toEqual([])
    const sha = origin.commit({ file: text })
    expect(await honest.fetchCommit(repository, { branch: 'main' }, { onOutput })).toMatchObject({ sha })
    expect((await faultOf(honest.fetchCommit(repository, { branch: 'absent' }, { onOutput }))).message).toContain(
      'Branch absent does not exist',
    )
  }
  expect(Buffer.concat(heard).toString()).toMatch(/Receiving objects|couldn't find remote ref/)
  expect(Buffer.concat(heard).toString()).not.toContain('heard from elsewhere')
})
