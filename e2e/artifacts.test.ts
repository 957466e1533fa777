// Large artifacts from a real server over ssh: limited memory on the platform, and never a truncated file that looks complete.
import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { download } from './actions/download.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

/** More than fits into 31 bits. */
const BYTES = 2 * 1024 ** 3
/** More than the platform may hold in memory, and small enough to be sent completely. */
const WHOLE_BYTES = 256 * 1024 ** 2
const files = {
  '.service.yml': `
manual: { deploy: [{ run: "true" }] }
actions:
  large:
    run: |
      truncate -s ${BYTES} large.bin
      truncate -s ${WHOLE_BYTES} whole.bin
      printf begin | dd of=whole.bin conv=notrunc status=none
    artifacts: { paths: [large.bin, whole.bin] }
`,
}

type Artifact = { readonly id: number; readonly task_id: number; readonly size: number }

describe('a large artifact', () => {
  let journey: Journey
  let artifact: Artifact
  let whole: Artifact

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'ssh')
    journey.commit(files)
    const id = await journey.createEnvironment('main')
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    const run = await journey.client.runAction({ params: { id, name: 'large' } })
    const task = await ended(journey.client, run.id)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    const [first, second] = await journey.client.listArtifacts({ params: { id: run.id } })
    if (!first || !second) throw new Error('There is no artifact')
    artifact = first
    whole = second
  })
  afterAll(() => journey?.stop())

  const get = (onBytes: (bytes: Buffer) => void | Promise<void>, { id, range }: { id?: number; range?: string } = {}) =>
    download(
      journey.platform.url,
      `/api/artifacts/${id ?? artifact.id}`,
      { authorization: `Bearer ${journey.platform.filled.token}`, ...(range && { range }) },
      onBytes,
    )
  const platformMebibytes = (): number => {
    const status = readFileSync(`/proc/${journey.platform.process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  }

  test('of a quarter of a gibibyte arrives complete, with little memory on the platform', async () => {
    expect(whole.size).toBe(WHOLE_BYTES)
    const before = platformMebibytes()
    let [received, most] = [0, 0]
    const { status, headers } = await get(
      (bytes) => {
        if (received === 0) expect(bytes.subarray(0, 5).toString()).toBe('begin')
        const sampled = Math.floor(received / 2 ** 23)
        received += bytes.length
        if (Math.floor(received / 2 ** 23) > sampled) most = Math.max(most, platformMebibytes())
      },
      { id: whole.id },
    )
    expect({ status, received, length: headers['content-length'] }).toEqual({
      status: 200,
      received: WHOLE_BYTES,
      length: String(WHOLE_BYTES),
    })
    // Includes what the garbage collector has not freed yet.
    expect(most - before).toBeLessThan(200)
  })

  test('of two gibibytes can be resumed near its end', async () => {
    expect(artifact.size).toBe(BYTES)
    let received = 0
    const { status, headers } = await get(
      (bytes) => {
        received += bytes.length
      },
      { range: `bytes=${BYTES - 3_000_000}-` },
    )
    expect({ status, received }).toEqual({ status: 206, received: 3_000_000 })
    expect(headers['content-range']).toBe(`bytes ${BYTES - 3_000_000}-${BYTES - 1}/${BYTES}`)
  })

  test('ends the connection when the platform is killed', async () => {
    let received = 0
    const part = get((bytes) => {
      received += bytes.length
      if (received > 32 * 1024 ** 2) journey.platform.process.kill('SIGKILL')
    })
    await expect(part).rejects.toThrow()
    expect(received).toBeLessThan(BYTES)
    await journey.platform.restart()
  })

  test('ends the connection when a link replaces it half-way', async () => {
    const folder = findFolder(journey.home ?? '', artifact.task_id)
    let received = 0
    let isReplaced = false
    const part = get((bytes) => {
      received += bytes.length
      if (isReplaced || received < 32 * 1024 ** 2) return
      isReplaced = true
      renameSync(join(folder, '1'), join(folder, 'kept'))
      symlinkSync('/etc/passwd', join(folder, '1'))
    })
    await expect(part).rejects.toThrow()
    expect(received).toBeLessThan(BYTES)
    await expect(get(() => undefined)).resolves.toMatchObject({ status: 404 })
  })

  test('on an unreachable server is an error', async () => {
    await journey.sshd?.stop()
    let text = ''
    const { status } = await get((bytes) => {
      text += bytes
    })
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({ code: 'server_unreachable' })
  })
})

function findFolder(home: string, taskId: number): string {
  const [installation = ''] = readdirSync(join(home, '.shipway'))
  return join(home, '.shipway', installation, 'environments/1/artifacts', String(taskId))
}
