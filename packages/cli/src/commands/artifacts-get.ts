// `shipway artifacts get`: downloads a file that an action left.
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
      description: 'save it there, over what is there; else under its own name, here',
    },
  },
  notes: 'A file is there whole or not at all. Where the connection breaks, the download goes on from there.',
  examples: [
    ['shipway artifacts get 31', 'Save it under its own name, in this folder'],
    ['shipway artifacts get 31 -o dump.sql', 'Save it as dump.sql'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const id = readId(text ?? '')
    if (id === undefined)
      throw UsageError('Say which artifact, by its number', 'See which there are: shipway artifacts list')
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

/** Whoever gives no name did not mean a file that is there already. */
async function findUnusedName(ctx: Context, name: string): Promise<string> {
  const file = resolve(ctx.folder, name)
  const isThere = await stat(file).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw UsageError(`${plainText(name)} is there already`, 'Give another name with -o, or the same to replace it')
  return file
}

/** One line that is drawn again, on a terminal alone. */
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
