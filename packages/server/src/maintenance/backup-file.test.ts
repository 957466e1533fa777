// Backup files get their names once they are complete, and never replace one another.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/maintenance/command-runs.ts'
import { readBackupFile, writeBackupFile } from './backup-file.ts'

async function linesOf(file: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of readBackupFile(file)) lines.push(line)
  return lines
}

test('of two backups of one name at the same time, one is refused and the other stays whole', async () => {
  using folder = makeFolder()
  const file = join(folder.path, 'monday.backup')
  let refusal: Promise<unknown> | undefined
  const first = async function* () {
    yield 'the first\n'
    // The second one starts and ends while the first one is being written.
    refusal = writeBackupFile(file, linesFrom('the second\n'))
    await refusal
  }
  await expect(writeBackupFile(file, first())).rejects.toThrow(
    `${file} is there already. Choose a name that is free, or remove it first.`,
  )
  await expect(refusal).resolves.toBeGreaterThan(0)
  expect(await linesOf(file)).toEqual(['the second'])
  expect(readdirSync(folder.path)).toEqual(['monday.backup'])
})

test('a file of that name that another program makes meanwhile stays as well', async () => {
  using folder = makeFolder()
  const file = join(folder.path, 'monday.backup')
  const lines = async function* () {
    yield 'the backup\n'
    writeFileSync(file, 'of another program')
  }
  await expect(writeBackupFile(file, lines())).rejects.toThrow('is there already')
  expect(readdirSync(folder.path)).toEqual(['monday.backup'])
})

async function* linesFrom(line: string): AsyncGenerator<string> {
  yield line
}
