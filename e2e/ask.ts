// One request to an environment by its name. Host names of *.localhost are the machine's own, but Node does not look them up.
import { request } from 'node:http'

export function ask(port: number, host: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, headers: { host }, agent: false }, async (res) => {
      let text = ''
      for await (const bytes of res) text += bytes
      resolve({ status: res.statusCode ?? 0, text })
    })
    asked.once('error', reject)
    asked.end()
  })
}
