// fetch for somebody who may only look: a request that would change something is not sent.
import { CommandError } from '../command-error.ts'

export const onlyReading =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET') return send(input, init)
    throw new CommandError('This was started for reading only', { code: 'reading_only' })
  }
