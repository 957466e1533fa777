// One request to an environment by its name. Names below .localhost belong to this machine, but Node does not resolve them.
import { request } from 'node:http'

type Answer = { readonly status: number; readonly text: string }

export function ask(port: number, host: string, path = '/', address = '127.0.0.1'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path, headers: { host }, agent: false }, async (res) => {
      let text = ''
      for await (const bytes of res) text += bytes
      resolve({ status: res.statusCode ?? 0, text })
    })
    asked.once('error', reject)
    asked.end()
  })
}
