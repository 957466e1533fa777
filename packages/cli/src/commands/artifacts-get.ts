// `shipway artifacts get`: downloads an artifact.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { downloadArtifact } from '../artifacts/download-artifact.ts'
import { fileSize } from '../artifacts/file-size.ts'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { readId } from '../target/find-by-name.ts'
import { plainText } from '../terminal/sanitize.ts'

export const artifactsGet = command({
  words: [{ name: 'artifact', description: 'its number, as in shipway artifacts list' }],
  flags: {
    output: {
      short: 'o',
      value: 'file',
      description: 'file to save to, replacing it (default: its own name, in this folder)',
    },
  },
  notes: 'The file is complete or not there at all. A download continues after a lost connection.',
  examples: [
    ['shipway artifacts get 31', 'Save it under its own name, in this folder'],
    ['shipway artifacts get 31 -o dump.sql', 'Save it as dump.sql'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const id = readId(text ?? '')
    if (id === undefined) throw UsageError('Give the number of an artifact', 'List them: shipway artifacts list')
    const progress = showProgress(ctx)
    const { file, size } = await downloadArtifact(await ctx.client(), {
      id,
      signal: ctx.signal,
      onProgress: progress,
      chooseFile: (name) =>
        flags.output === undefined ? findUnusedName(ctx, name) : Promise.resolve(resolve(ctx.folder, flags.output)),
    })
    say(ctx, `${plainText(file)}: ${fileSize(size)}`)
    report(ctx, { id, file, size }, () => [file])
    return EXIT.done
  },
})

/** Without -o, an existing file is never replaced. */
async function findUnusedName(ctx: Context, name: string): Promise<string> {
  const file = resolve(ctx.folder, name)
  const exists = await stat(file).then(
    () => true,
    () => false,
  )
  if (exists)
    throw UsageError(`${plainText(name)} already exists`, 'Give another name with -o, or the same one to replace it')
  return file
}

/** One line that is redrawn, on a terminal only. */
function showProgress({ err, flags, config }: Context): (received: number, size: number) => void {
  if (!err.isTerminal || config.isDumbTerminal || flags.json) return () => undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  return (received, size) => {
    const now = performance.now()
    if (received < size && now - drawnAt < REDRAW_MS) return
    const before = drawnAt === Number.NEGATIVE_INFINITY ? '' : LINE_UP
    drawnAt = now
    const share = size === 0 ? 100 : Math.floor((received / size) * 100)
    err.draw({ before, lines: [`${fileSize(received)} of ${fileSize(size)} · ${share} %`], after: '' })
  }
}

const REDRAW_MS = 200
const LINE_UP = '\u001b[1A'
