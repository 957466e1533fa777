// `shipway init`: writes a `.service.yml` out of what is in a repository. Shown first, and never over one that is there without a word.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findRepository } from '../repository/find-repository.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { type Suggested, suggestFor } from '../repository/suggest-for.ts'
import { writeAtomically } from '../repository/write-atomically.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'

const FILE = '.service.yml'

export const init = command({
  words: [{ name: '[folder]', description: 'the root of the repository; the current folder where it is left out' }],
  flags: {
    yes: { short: 'y', description: 'write it without asking' },
    force: { description: `with --yes: also in the place of a ${FILE} that is there` },
  },
  notes:
    `Looks at the compose file or the Dockerfile and makes a ${FILE} that says what answers where. It is shown, and written after a yes. ` +
    'Where there is nobody to ask it is printed and nothing is written. Needs no account and no network.',
  examples: [
    ['shipway init', `Shows a ${FILE}, asks, and writes it`],
    ['shipway init --yes', 'For a script'],
    ['shipway init ../bookshop | less', 'Only see it'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const { folder, tree } = await findRepository(ctx, word)
    const suggested = await suggestFor(tree)
    const { content, origin } = suggested
    const file = join(folder, FILE)
    const tell = (isWritten: boolean, lines: readonly string[] = []): void =>
      report(ctx, { file, content, origin, is_written: isWritten }, () => lines)
    if (!flags.yes && (ctx.flags.json || !canAsk(ctx))) {
      tell(false, content.trimEnd().split('\n'))
      say(ctx, `Nothing was written. To write ${FILE}: shipway init --yes`)
      return EXIT.done
    }
    const isThere = (await lstat(file).catch(ifAbsent)) !== undefined
    if (isThere && (await readText(file)) === content) {
      say(ctx, `${plainText(file)} is the one that would be written. Nothing is to do.`)
      tell(false)
      return EXIT.done
    }
    if (isThere && flags.yes && !flags.force) throw AlreadyThere()
    show(ctx, suggested)
    if (isThere) say(ctx, `A ${FILE} is there already, and this one takes its place.`)
    if (!flags.yes && !(await askYesNo(ctx, isThere ? `Replace ${FILE}?` : `Write ${FILE}?`))) {
      throw new CommandError('Nothing was written', { code: 'not_confirmed' })
    }
    await writeAtomically(file, content)
    say(ctx, `Wrote ${plainText(file)}. Commit it and push.`)
    tell(true)
    return EXIT.done
  },
})

function show(ctx: Context, { content, origin, faults }: Suggested): void {
  const from = origin === null ? NOTHING_FOUND : `Made from ${plainText(origin)}:`
  say(
    ctx,
    from,
    '',
    ...content
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '',
  )
  if (faults === 0) return
  const what = faults === 1 ? 'one fault is' : `${faults} faults are`
  say(ctx, ctx.err.paint.amber(`With it ${what} left that a deployment would fail for. See them: shipway check`), '')
}

const NOTHING_FOUND =
  'There is neither a compose file nor a Dockerfile here. This is how the manual recipe begins, by commands of your own:'

const AlreadyThere = (): CommandError =>
  new CommandError(`A ${FILE} is there already, and stays as it is`, {
    code: 'already_there',
    exitCode: EXIT.conflict,
    advice: ['See whether it is right: shipway check', 'Replace it: shipway init --yes --force'],
  })

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Undefined where what is there is not the file that would be written. */
async function readText(file: string): Promise<string | undefined> {
  const found = await readPlainFile(file, { mostBytes: 1024 * 1024 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return undefined
    throw error
  })
  return found?.kind === 'file' ? found.content.toString() : undefined
}
