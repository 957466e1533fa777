// The one module that starts processes: a browser.
import { spawn } from 'node:child_process'

/** Whether a browser was asked to open it; whether one appeared is not known. */
export function openBrowser(address: URL): Promise<boolean> {
  // Nothing but web addresses: whoever names the address is on the other side of the network.
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return Promise.resolve(false)
  const [program, ...words] = BROWSERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address.href], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

const BROWSERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
