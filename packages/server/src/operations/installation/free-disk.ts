// Free space on the disk of the platform's data folder.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Context } from '../../context.ts'

/** Undefined without a data folder: with PostgreSQL it is created when the first repository is fetched. */
export async function findFreeBytes({ config }: Pick<Context, 'config'>): Promise<number | undefined> {
  if (!existsSync(config.dataFolder)) return undefined
  const { bavail, bsize } = await statfs(config.dataFolder)
  return bavail * bsize
}
