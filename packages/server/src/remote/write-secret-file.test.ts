import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listProcesses } from '../../test/process-list.ts'
import { hasSshd, loopbackServers, startSshd } from '../../test/sshd.ts'
import { openWorkshop } from '../../test/steps.ts'
import { Secret } from '../secrets/secret.ts'
import type { Host } from './host.ts'
import { createHosts } from './hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from './ssh/ssh-authority.ts'
import { writeSecretFile } from './write-secret-file.ts'

const workshop = openWorkshop()
afterAll(() => workshop.cleanUp())

const canary = 'canary-5f2c9e1b77'
const content = new Secret(`K='${canary}'\nTWO='line\r\nbreak'\n`)

describe.each(workshop.hosts)('on a server whose sh is $shell', ({ host }) => {
  test('the file has the content, is readable only by its owner, and no temporary file stays', async () => {
    const path = join(workshop.folder(), "it's here", 'variables.env')
    await writeSecretFile(host, path, { content })
    expect(readFileSync(path, 'utf8')).toBe(content.reveal())
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(join(path, '..'))).toBe(0o700)
    expect(readdirSync(join(path, '..'))).toEqual(['variables.env'])
  })

  test('an earlier file, open to everybody, is replaced and not written into', async () => {
    const folder = workshop.folder()
    const path = join(folder, 'variables.env')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, 'old', { mode: 0o644 })
    writeFileSync(`${path}.new.abcdef`, 'a draft that was left')
    const earlier = statSync(path).ino
    await writeSecretFile(host, path, { content })
    expect(statSync(path).ino).not.toBe(earlier)
    expect(modeOf(path)).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['variables.env'])
  })

  test('while the content arrives, other users cannot read it and no process shows it', async () => {
    const folder = workshop.folder()
    const seen = await whileItArrives(host, folder)
    expect(seen.modes.length).toBeGreaterThan(0)
    expect(new Set(seen.modes)).toEqual(new Set([0o600]))
    expect(seen.processes.some((words) => words.includes('shipway-write'))).toBe(true)
    expect(seen.processes.filter((words) => words.includes(canary))).toEqual([])
  })

  test('truncated content leaves the earlier file unchanged', async () => {
    const path = join(workshop.folder(), 'variables.env')
    await writeSecretFile(host, path, { content })
    const cut: Host = { ...host, run: (command) => host.run(command, { input: '1000\nhalf' }) }
    const refused = writeSecretFile(cut, path, { content: new Secret('other') })
    await expect(refused).rejects.toThrow(/could not be written on .*: the content did not arrive whole/)
    expect(readFileSync(path, 'utf8')).toBe(content.reveal())
    expect(readdirSync(join(path, '..'))).toEqual(['variables.env'])
  })

  test('a folder in its place is an error and stays empty', async () => {
    const path = workshop.folder()
    mkdirSync(path, { recursive: true })
    await expect(writeSecretFile(host, path, { content })).rejects.toThrow(`${basename(path)} could not be written on`)
    expect(readdirSync(path)).toEqual([])
  })
})

describe.skipIf(!hasSshd)('over ssh', () => {
  test('the file has the content, readable only by its owner', async () => {
    const authority = createSshAuthority(generateSshAuthorityKey())
    const sshd = await startSshd({ authorityKey: authority.publicKey })
    const hosts = createHosts({ folder: workshop.folder(), authority, ...loopbackServers })
    try {
      const path = join(workshop.folder(), 'variables.env')
      await writeSecretFile(hosts.of(sshd.address()), path, { content })
      expect(readFileSync(path, 'utf8')).toBe(content.reveal())
      expect(modeOf(path)).toBe(0o600)
    } finally {
      await hosts.close()
      await sshd.stop()
    }
  })
})

/** Checks the temporary file and the processes of this machine until the file exists. */
async function whileItArrives(host: Host, folder: string): Promise<{ modes: number[]; processes: string[] }> {
  const path = join(folder, 'variables.env')
  const large = new Secret(`${content.reveal()}BIG='${canary.repeat(200_000)}'\n`)
  const modes: number[] = []
  const processes: string[] = []
  let isWritten = false
  const written = writeSecretFile(host, path, { content: large }).finally(() => {
    isWritten = true
  })
  while (!isWritten) {
    if (existsSync(folder)) modes.push(...readdirSync(folder).flatMap((name) => modeIfThere(join(folder, name))))
    processes.push(...listProcesses())
    await new Promise((resolve) => setImmediate(resolve))
  }
  await written
  return { modes, processes }
}

function modeIfThere(path: string): number[] {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? [found.mode & 0o777] : []
}

const modeOf = (path: string): number => statSync(path).mode & 0o777
