// How Docker itself reads a stack document. Needs no engine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Through the standard input, where the real thing gets it too. */
export async function stackConfig(text: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn('docker', ['stack', 'config', '--compose-file', '-'], {
    env: { PATH: process.env.PATH, HOME: '/' },
  })
  const collect = async (stream: NodeJS.ReadableStream): Promise<string> => {
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    return text
  }
  child.stdin.end(text)
  const [out, err, [code]] = await Promise.all([collect(child.stdout), collect(child.stderr), once(child, 'close')])
  return { code, out, err }
}
