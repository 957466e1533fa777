// `shipway init`: suggests a `.service.yml` for a repository and writes it. Never replaces an existing one without confirmation.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { findRepository } from '../repository/find-repository.ts'
import type { WorkingTree } from '../repository/open-tree.ts'
import { readPlainFile } from '../repository/read-plain-file.ts'
import { writeAtomically } from '../repository/write-atomically.ts'
import { askYesNo, canAsk } from '../terminal/ask.ts'
import { plainText } from '../terminal/sanitize.ts'

const FILE = '.service.yml'

export const init = command({
  words: [{ name: '[folder]', description: 'the root of the repository (default: the current folder)' }],
  flags: {
    yes: { short: 'y', description: 'write it without asking' },
    force: { description: `with --yes: also replace an existing ${FILE}` },
  },
  notes:
    `Reads the compose file or the Dockerfile and shows a ${FILE} for it, which is written after you confirm. ` +
    'Without a terminal it is printed and not written. Needs no account and no network.',
  examples: [
    ['shipway init', `Show a ${FILE}, ask, and write it`],
    ['shipway init --yes', 'For a script'],
    ['shipway init ../bookshop | less', 'Only see it'],
  ],
  run: async (ctx, { words: [word], flags }) => {
    const { folder, tree } = await findRepository(ctx, word)
    const suggested = await suggestFor(tree)
    const { content, origin } = suggested
    const file = join(folder, FILE)
    const printResult = (isWritten: boolean, lines: readonly string[] = []): void =>
      report(ctx, { file, content, origin, is_written: isWritten }, () => lines)
    if (!flags.yes && (ctx.flags.json || !canAsk(ctx))) {
      printResult(false, content.trimEnd().split('\n'))
      say(ctx, `Nothing was written. To write ${FILE}: shipway init --yes`)
      return EXIT.done
    }
    const exists = (await lstat(file).catch(ifAbsent)) !== undefined
    if (exists && (await readText(file)) === content) {
      say(ctx, `${plainText(file)} is up to date.`)
      printResult(false)
      return EXIT.done
    }
    if (exists && flags.yes && !flags.force) throw AlreadyExists()
    show(ctx, suggested)
    if (exists) say(ctx, `This replaces the existing ${FILE}.`)
    if (!flags.yes && !(await askYesNo(ctx, exists ? `Replace ${FILE}?` : `Write ${FILE}?`))) {
      throw new CommandError('Nothing was written', { code: 'not_confirmed' })
    }
    await writeAtomically(file, content)
    say(ctx, `Wrote ${plainText(file)}. Commit it and push.`)
    printResult(true)
    return EXIT.done
  },
})

type Suggested = {
  readonly content: string
  /** The file that it was made from; null if there is none. */
  readonly origin: string | null
  /** How many problems would still fail a deployment. */
  readonly faults: number
}

async function suggestFor(tree: WorkingTree): Promise<Suggested> {
  const { rules } = await import('../repository/rules.ts')
  const contents = await rules.readContents(tree)
  const content = rules.suggestServiceFile(contents)
  const bytes = new TextEncoder().encode(content)
  const suggested = {
    links: tree.links,
    kindOf: tree.kindOf,
    listComposeFiles: tree.listComposeFiles,
    read: async (path: string) => (path === FILE ? bytes : tree.read(path)),
  }
  const recipe = await rules.likelyRecipe(suggested)
  const { faults } = await rules.checkRepositoryFiles(suggested, { recipe })
  const origin = contents.compose?.files.join(', ') ?? (contents.dockerfile ? 'Dockerfile' : null)
  return { content, origin, faults: faults.length }
}

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
  const what = faults === 1 ? '1 problem remains' : `${faults} problems remain`
  say(ctx, ctx.err.paint.amber(`${what} that would fail a deployment. See: shipway check`), '')
}

const NOTHING_FOUND =
  'There is neither a compose file nor a Dockerfile here. This is a start for the manual recipe, which runs your own commands:'

const AlreadyExists = (): CommandError =>
  new CommandError(`${FILE} already exists and was not changed`, {
    code: 'already_there',
    exitCode: EXIT.conflict,
    advice: ['Check it: shipway check', 'Replace it: shipway init --yes --force'],
  })

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Undefined if it is not a readable plain file. */
async function readText(file: string): Promise<string | undefined> {
  const found = await readPlainFile(file, { mostBytes: 1024 * 1024 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return undefined
    throw error
  })
  return found?.kind === 'file' ? found.content.toString() : undefined
}
