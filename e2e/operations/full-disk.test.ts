// The disk of the data folder is full: the platform says so where it is asked, and in the step of a deployment.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJourney, ended, type Journey } from '../journey.ts'

let disk: string
let journey: Journey | undefined
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'shipway-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'none', disk])
})
afterEach(async () => {
  await journey?.stop()
  journey = undefined
  execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

const fill = (): void => {
  expect(() => writeFileSync(join(disk, 'large'), Buffer.alloc(64 * 1024 ** 2))).toThrow('ENOSPC')
}

test('/readyz and the failed step say so, and after some room is made both are well', {
  timeout: 180_000,
}, async () => {
  // The records are elsewhere, so that the task can be stored.
  journey = await beginJourney('postgres', 'ssh', { settings: { SHIPWAY_DATA: disk } })
  const { client, platform } = journey
  const ready = async () => {
    const answer = await fetch(new URL('/readyz', platform.url))
    return { status: answer.status, body: await answer.json() }
  }
  journey.commit({ '.service.yml': 'services:\n  web: {}\nmanual:\n  deploy:\n    - run: echo hello\n' })
  const environment = { params: { id: await journey.createEnvironment('main') } }
  expect(await ready()).toMatchObject({ status: 200 })
  fill()
  expect(await ready()).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringContaining('disk of the platform is full') },
  })
  const failed = await ended(client, (await client.startDeployment(environment)).id)
  expect(failed).toMatchObject({ status: 'failed' })
  expect(failed.failed_step?.message).toContain('A disk of the platform itself is full')
  rmSync(join(disk, 'large'))
  expect(await ready()).toMatchObject({ status: 200 })
  expect(await ended(client, (await client.startDeployment(environment)).id)).toMatchObject({ status: 'succeeded' })
})
