// A service that listens on the loopback of a server alone, and remembers who asked it for what.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type LoopbackService = {
  readonly port: number
  /** `GET /path` of each request so far, in order. */
  requests(): Promise<readonly string[]>
  stop(): Promise<void>
}

const program = `
  const requests = []
  const server = require('node:http').createServer((request, response) => {
    if (request.url === '/requests-of-this-service') return response.end(JSON.stringify(requests))
    requests.push(request.method + ' ' + request.url)
    response.end('secret')
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** `inItsNetwork`: words that run a command in the network of the server. */
export async function startLoopbackService(inItsNetwork: readonly string[]): Promise<LoopbackService> {
  const [command = '', ...words] = [...inItsNetwork, process.execPath, '-e', program]
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const port = Number(line)
  const ended = once(child, 'exit')
  return {
    port,
    requests: async () => {
      const asking = [...inItsNetwork, 'curl', '--silent', `http://127.0.0.1:${port}/requests-of-this-service`]
      const curl = spawn(asking[0] ?? '', asking.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
      const printed: Buffer[] = []
      curl.stdout.on('data', (bytes) => printed.push(bytes))
      await once(curl, 'close')
      return JSON.parse(Buffer.concat(printed).toString())
    },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
