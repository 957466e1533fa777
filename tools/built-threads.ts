// Lets tests start the threads of the platform from its build, as users do: to load the sources of one took ten times as long as its work.
import { basename } from 'node:path'
import type { Plugin } from 'vitest/config'

const folder = new URL('../packages/server/dist/', import.meta.url)

/** `built-programs.ts` makes the build before the tests. While files are watched it would grow old, so then the sources are used. */
export function builtThreads(): Plugin {
  let isWatching = false
  return {
    name: 'built-threads',
    // Before the quotes are rewritten.
    enforce: 'pre',
    configResolved: (config) => {
      isWatching = config.test?.watch === true
    },
    transform: {
      filter: { id: /packages\/server\/src\/.*\.ts$/, code: /new URL\('[^']*\.ts', import\.meta\.url\)/ },
      handler: (code, id) => (isWatching || id.includes('.test.ts') ? undefined : withBuilt(code)),
    },
  }
}

export const withBuilt = (code: string): string =>
  code.replaceAll(/new URL\('([^']*)\.ts', import\.meta\.url\)/g, (_, source: string) => {
    const built = new URL(`${basename(source)}.mjs`, folder)
    return `new URL(${JSON.stringify(built.href)})`
  })
