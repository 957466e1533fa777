// Kills the platform with SIGKILL while a server floods it: no ssh of the platform may survive.
import { once } from 'node:events'
import { createClient } from '@shipway/api'
import { describe, expect, test } from 'vitest'
import { findProcesses, isAlive } from '../packages/server/test/process-list.ts'
import { hasSshd, startSshd } from '../packages/server/test/sshd.ts'
import { startPlatform } from '../tools/platform.ts'
import { buildOwner } from './journey.ts'

/** Ignores the end of the connection: a shell does not notice that its standard error is no longer read. */
const FLOOD = 'ForceCommand trap "" HUP PIPE TERM; while :; do yes an unwanted line >&2; done'

describe.skipIf(!hasSshd)('a killed platform', () => {
  test('leaves no ssh to a server that floods', async () => {
    const platform = await startPlatform('embedded', buildOwner)
    const client = createClient({ baseUrl: platform.url, token: () => platform.filled.token })
    const body = { name: 'Server', hostname: '127.0.0.1', connection: 'ssh' as const }
    const { id, authority_key: authorityKey, principal } = await client.createServer({ body })
    const sshd = await startSshd({ authorityKey, principals: [principal], settings: [FLOOD] })
    try {
      const { port, unixUser } = sshd.address()
      await client.updateServer({ params: { id }, body: { port, user: unixUser } })
      const sshOfPlatform = () => findProcesses(`-p ${port} -l ${unixUser} -- 127.0.0.1`).filter(isAlive)
      const asked = client.checkServer({ params: { id } }).catch((error: unknown) => error)
      await expect.poll(() => sshOfPlatform().length).toBeGreaterThan(0)
      await expect.poll(() => sshd.log().some((line) => line.includes('Starting session'))).toBe(true)
      const died = once(platform.process, 'exit')
      platform.process.kill('SIGKILL')
      await Promise.all([died, asked])
      await expect.poll(sshOfPlatform).toEqual([])
    } finally {
      for (const pid of findProcesses('an unwanted line')) killIfRunning(pid)
      await sshd.stop()
      await platform.stop()
    }
  })
})

/** The process may end on its own between the search and the signal. */
function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
