// A log that never ends is read for some seconds, by a docker that stands in for one with much to decompress.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { readLastOutput } from './inspect-containers.ts'

test('what a container printed is what was read of it in time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-last-lines-'))
  try {
    await writeFile(join(folder, 'docker'), '#!/bin/sh\necho no database\nexec sleep 600\n')
    await chmod(join(folder, 'docker'), 0o755)
    const host = createLocalHost('this machine', { PATH: `${folder}:${process.env.PATH}` })
    const { printed, unsureBytes } = await readLastOutput(host, 'a'.repeat(64))
    expect([printed.toString(), unsureBytes]).toEqual(['no database\n', 0])
  } finally {
    await rm(folder, { recursive: true })
  }
})
