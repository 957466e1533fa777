// One download, with all that came of it: rejects where the connection ended before the whole answer was there.
import { type IncomingHttpHeaders, request } from 'node:http'

export type Downloaded = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/** `onBytes` takes the bytes in place of collecting them. */
export function download(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  onBytes?: (bytes: Buffer) => void | Promise<void>,
): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, baseUrl), { headers, agent: false }, async (answer) => {
      const pieces: Buffer[] = []
      try {
        for await (const bytes of answer) {
          if (onBytes) await onBytes(bytes)
          else pieces.push(bytes)
        }
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) })
      } catch (error) {
        reject(error)
      }
    })
    asked.once('error', reject)
    asked.end()
  })
}
