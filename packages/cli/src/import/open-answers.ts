// Where an import reads: the API of the other platform, or a folder with its saved answers.
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import type { ReadAnswer } from './other-platform.ts'
import { openApi, openFolder, readAddress, readImportToken } from './read-answers.ts'

type AnswersSource = {
  readonly title: string
  readonly folder: string | undefined
  readonly address: string | undefined
  /** Of the API, below the address. */
  readonly path: string
  readonly headers: (token: string) => Readonly<Record<string, string>>
}

export async function openAnswers(
  ctx: Context,
  { title, folder, address, path, headers }: AnswersSource,
): Promise<ReadAnswer> {
  if (folder !== undefined) return openFolder(ctx, folder)
  if (address === undefined) throw UsageError(`Where is ${title}? Give --address, or a folder with saved answers`)
  const url = readAddress(address)
  const base = new URL(
    url.pathname.replace(/(?<!\/)\/+$/, '').endsWith(path) ? url.href : `${url.href.replace(/(?<!\/)\/+$/, '')}${path}`,
  )
  return openApi(ctx, { title, base, headers }, await readImportToken(ctx))
}
