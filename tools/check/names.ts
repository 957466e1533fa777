// Names of files and folders: kebab-case, after what they hold, and no catch-all folders.
import { posix } from 'node:path'
import type { Rule } from './problem.ts'
import { isScript } from './source-file.ts'

const oddsAndEnds = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'shared', 'lib']
const publicIndex = 'packages/api/src/index.ts'

export const names: Rule = (files) =>
  files.flatMap(({ path }) => {
    const message = complaint(path)
    return message === undefined ? [] : [{ path, line: 1, message }]
  })

function complaint(path: string): string | undefined {
  const folders = posix.dirname(path).split('/')
  const room = folders.find((folder) => oddsAndEnds.includes(folder))
  if (room) return `a folder named ${room} says nothing; name it after what its files are about`
  if (!isScript(path)) return undefined
  const name = posix.basename(path).replace(/(\.test|\.config|\.d)?\.(ts|tsx|mjs)$/, '')
  if (oddsAndEnds.includes(name)) return `a file named ${name} says nothing; name it after what it is about`
  if (name === 'index' && path !== publicIndex)
    return `no barrels: import from the file that defines the thing, and remove this one`
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return `file names are kebab-case: rename it to ${kebab(name)}`
  return undefined
}

function kebab(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
