// Reports while a server is out of reach, and the end of retries.
import { expect, test } from 'vitest'
import { ConnectionLost, ServerUnreachable } from './host.ts'
import { untilReached } from './retry-policy.ts'

const refused = new ServerUnreachable('connect', 'web (ada@10.0.0.1, port 22): Connection refused. Check the port.')
const broken = new ConnectionLost('The connection broke')
const again = 'web (ada@10.0.0.1, port 22): Connection refused. Check the port. Retrying for 15 minutes'

test.each([
  ['a server that cannot be reached', [refused, refused], [again]],
  ['a connection that breaks once', [broken], []],
  ['a connection that breaks and cannot be made again', [broken, refused, refused], [again]],
  ['a connection that breaks again and again', [broken, broken], ['The connection broke. Retrying for 15 minutes']],
])('of %s is reported', async (_, problems, expected) => {
  const left = [...problems]
  const sentences: string[] = []
  const attempt = async () => {
    const problem = left.shift()
    if (problem) throw problem
  }
  await untilReached('web', { onOutage: (sentence) => void sentences.push(sentence) }, attempt)
  expect(sentences).toEqual(expected)
})

test('does not retry if the outage cannot be reported', async () => {
  const onOutage = () => Promise.reject(new Error('another worker has the task'))
  const attempt = () => Promise.reject(refused)
  await expect(untilReached('web', { onOutage }, attempt)).rejects.toThrow('another worker has the task')
})

const atLast = 'The last attempt: web (ada@10.0.0.1, port 22): Connection refused. Check the port'
test.each([
  [1_000, `The server web was out of reach for 1 second. ${atLast}`],
  [0, `The server web is out of reach. ${atLast}`],
])(
  'a caller that gives up after %s ms says what was wrong at last, also through a second caller',
  async (giveUpAfterMs, sentence) => {
    const attempt = () => Promise.reject(refused)
    const inside = () => untilReached('web', { giveUpAfterMs }, attempt)
    const fault = await untilReached('web', { giveUpAfterMs }, inside).catch((error: unknown) => error)
    expect(fault).toMatchObject({ name: 'ServerUnreachable', stage: 'connect', message: sentence })
  },
)
