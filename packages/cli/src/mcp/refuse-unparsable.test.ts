import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { refuseUnparsable } from './refuse-unparsable.ts'

const request = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

async function pass(...chunks: readonly (string | Buffer)[]) {
  const answers: object[] = []
  const lines = refuseUnparsable((answer) => answers.push(JSON.parse(answer)))
  for (const chunk of chunks) lines.write(chunk)
  lines.end()
  return { passed: await text(lines), answers }
}

test('a line that is not JSON is answered with -32700, and the next one is passed on', async () => {
  const { passed, answers } = await pass(`{"jsonrpc": oh\n${request}`)
  expect(passed).toBe(request)
  expect(answers).toEqual([{ jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } }])
})

test('JSON that is no message is answered with -32600, with its id', async () => {
  const { passed, answers } = await pass('{"id":7,"method":"ping"}\n[]\n"x"\nnull\n')
  expect(passed).toBe('')
  expect(answers).toMatchObject([
    { id: 7, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
  ])
})

test('a message that comes in pieces is passed on whole, and blank lines are skipped', async () => {
  const euro = Buffer.from('{"jsonrpc":"2.0","method":"€"}\n')
  const { passed, answers } = await pass('\n \r\n', euro.subarray(0, 28), euro.subarray(28), request)
  expect(passed).toBe(`${euro}${request}`)
  expect(answers).toEqual([])
})
