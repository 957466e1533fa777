import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHosts } from '../src/remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../src/remote/ssh/ssh-authority.ts'
import { hasSshd, loopbackServers, type OwnServer, startSshd } from './sshd.ts'

describe.skipIf(!hasSshd)('sshd for tests', () => {
  test('several are several servers, each with its home, variables and surroundings', async () => {
    const [first, second] = [newFolder(), newFolder()]
    const words = ['sh', '-c', 'pwd; printf "%s\\n" "$HOME" "$DOCKER_HOST" "$MARK" "$1"', 'sh', `it's "$HOME"`] as const
    expect(await run({ home: first, environment: { DOCKER_HOST: 'unix:///a b' } }, words)).toEqual([
      ...[first, first, 'unix:///a b', '', `it's "$HOME"`],
    ])
    expect(await run({ home: second, through: ['env', 'MARK=second'] }, words)).toEqual([
      ...[second, second, '', 'second', `it's "$HOME"`],
    ])
  })
})

async function run(server: OwnServer, words: readonly [string, ...string[]]): Promise<string[]> {
  const authority = createSshAuthority(generateSshAuthorityKey())
  const sshd = await startSshd({ authorityKey: authority.publicKey, server })
  onTestFinished(sshd.stop)
  const hosts = createHosts({ folder: newFolder(), authority, ...loopbackServers })
  onTestFinished(() => hosts.close())
  const { stdout } = await hosts.of(sshd.address({ hostKey: sshd.hostKey })).run(words)
  return stdout.toString().trimEnd().split('\n')
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
