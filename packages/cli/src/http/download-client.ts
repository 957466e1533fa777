// Downloads the client in one file from a platform, and verifies it by the platform's checksum.
import { createHash } from 'node:crypto'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { DEFAULT_LIMITS, limitTime } from './time-limits.ts'
import { USER_AGENT } from './user-agent.ts'

const FILE = 'shipway.mjs'

export async function downloadClient(ctx: Pick<Context, 'signal'>, instance: string): Promise<Buffer> {
  const [sums, bytes] = await Promise.all([
    download(ctx, `${instance}/client/SHA256SUMS`),
    download(ctx, `${instance}/client/${FILE}`),
  ])
  const wanted = sums.toString().match(/^([0-9a-f]{64}) {2}shipway\.mjs$/m)?.[1]
  const found = createHash('sha256').update(bytes).digest('hex')
  if (wanted === found) return bytes
  throw new CommandError('The client that was downloaded does not have the checksum that the platform names', {
    code: 'checksum_mismatch',
    advice: ['Nothing was changed. Try again, and check what stands between the platform and you'],
    fields: { expected: wanted ?? null, found },
  })
}

async function download({ signal }: Pick<Context, 'signal'>, address: string): Promise<Buffer> {
  const send = limitTime(fetch, DEFAULT_LIMITS, signal)
  const headers = { 'user-agent': USER_AGENT }
  const response = await send(address, { headers, redirect: 'error' }).catch((cause: unknown) => {
    throw NotServed(address, 'it did not answer', cause)
  })
  if (response.status === 200) return Buffer.from(await response.arrayBuffer())
  await response.body?.cancel()
  throw NotServed(address, `it answered ${response.status}`)
}

const NotServed = (address: string, why: string, cause?: unknown): Error =>
  Object.assign(
    new CommandError(`${address} could not be downloaded: ${why}`, {
      code: 'client_not_served',
      advice: ['A platform before v1.15.0 names no checksum. Install its client as its docs say'],
    }),
    { cause },
  )
