// Writes a file atomically. A link at this path is replaced, not followed.
import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

export async function writeAtomically(file: string, content: string): Promise<void> {
  const beside = `${file}.${randomUUID()}`
  try {
    await writeFile(beside, content, { flag: 'wx' })
    await rename(beside, file)
  } finally {
    await rm(beside, { force: true })
  }
}
