// Many deployments write the same program on a server at once.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createLocalHost } from '../../test/processes/local-host.ts'
import { openWorkshop } from '../../test/steps.ts'
import { writeFile } from './write-file.ts'

const workshop = openWorkshop()
afterAll(() => workshop.cleanUp())

describe.each(workshop.hosts)('on a server whose sh is $shell', ({ host }) => {
  test('a program that thirty processes write at once is complete and executable', async () => {
    const path = join(workshop.folder(), 'read.sh')
    const content = `#!/bin/sh\n${'echo a line\n'.repeat(500)}`
    await Promise.all(Array.from({ length: 30 }, () => writeFile(host, path, { content, isProgram: true })))
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(path, '..'))).toEqual(['read.sh'])
  })

  test('removes old temporary files, and keeps one that may be in use', async () => {
    const folder = workshop.folder()
    mkdirSync(folder, { recursive: true })
    for (const name of ['read.sh.new.old', 'read.sh.new.fresh', 'other.sh.new.old'])
      writeFileSync(join(folder, name), '')
    for (const name of ['read.sh.new.old', 'other.sh.new.old']) utimesSync(join(folder, name), 1, 1)
    await writeFile(host, join(folder, 'read.sh'), { content: 'true\n', isProgram: true })
    expect(readdirSync(folder).toSorted()).toEqual(['other.sh.new.old', 'read.sh', 'read.sh.new.fresh'])
  })
})

test('a temporary file that disappears while find runs does not fail the write', async () => {
  const programs = workshop.folder()
  mkdirSync(programs, { recursive: true })
  const find = '#!/bin/sh\necho "find: read.sh.new.other: No such file or directory" >&2\nexit 1\n'
  writeFileSync(join(programs, 'find'), find, { mode: 0o755 })
  const host = createLocalHost('here', { PATH: `${programs}:${process.env.PATH}` })
  const path = join(workshop.folder(), 'read.sh')
  await writeFile(host, path, { content: 'true\n', isProgram: true })
  expect(readFileSync(path, 'utf8')).toBe('true\n')
})
