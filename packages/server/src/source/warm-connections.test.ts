// Connections to a git host that stay open, on a real sshd.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fetching, openFetching } from '../../test/fetching.ts'
import { findProcesses } from '../../test/process-list.ts'
import { hasSshd } from '../../test/sshd.ts'
import { generateSshKey } from '../secrets/ssh-key.ts'
import { createSource } from './source.ts'
import { createWarmConnections } from './warm-connections.ts'

describe.skipIf(!hasSshd)('connections to a git host', () => {
  let fetching: Fetching
  beforeAll(async () => {
    fetching = await openFetching()
  })
  afterAll(() => fetching.close())

  /** A project, a function that queries its branch, and the number of its sign-ins since. */
  const open = () => {
    const { origin, repository, data } = fetching.build()
    const warm = createWarmConnections(data)
    const source = createSource({ folder: data, allowedNetworks: ['127.0.0.0/8'], warm })
    const sha = origin.commit({ file: 'x' })
    const before = fetching.gitHost.signIns()
    return {
      sha,
      warm,
      ask: (changed: Partial<typeof repository> = {}) => source.resolveBranch({ ...repository, ...changed }, 'main'),
      signIns: () => fetching.gitHost.signIns() - before,
      /** The processes that keep connections open. */
      masters: () => findProcesses(`ssh: ${data}/shipway-ssh-`),
    }
  }

  test('are reused by the next call of the same project', async () => {
    const { ask, sha, signIns, warm } = open()
    expect([await ask(), await ask(), await ask()]).toEqual([sha, sha, sha])
    expect(signIns()).toBe(1)
    await warm.close()
  })

  test('are not shared with another project, key or host key', async () => {
    const [one, other] = [open(), open()]
    await one.ask()
    await other.ask()
    expect(other.signIns()).toBe(2)
    const foreign = generateSshKey('another')
    await expect(one.ask(foreign)).rejects.toMatchObject({ code: 'key_refused' })
    await expect(one.ask({ hostKey: foreign.publicKey })).rejects.toMatchObject({ code: 'host_key_changed' })
    await one.warm.close()
    await other.warm.close()
  })

  test('that died are opened again', async () => {
    const { ask, sha, signIns, warm, masters } = open()
    await ask()
    expect(masters()).toHaveLength(1)
    process.kill(masters()[0] ?? Number.NaN, 'SIGKILL')
    expect(await ask()).toBe(sha)
    expect(signIns()).toBe(2)
    await warm.close()
  })

  test('that fell silent do not fail a call', async () => {
    const { ask, sha, warm, masters } = open()
    await ask()
    const [own] = masters()
    process.kill(own ?? Number.NaN, 'SIGSTOP')
    const asking = ask()
    await delay(500)
    process.kill(own ?? Number.NaN, 'SIGKILL')
    expect(await asking).toBe(sha)
    await warm.close()
  })

  test('end with the platform', async () => {
    const { ask, warm, masters } = open()
    await ask()
    expect(masters()).toHaveLength(1)
    await warm.close()
    await expect.poll(masters).toEqual([])
  })
})
