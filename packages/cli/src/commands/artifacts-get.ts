// `shipway artifacts get`: downloads an artifact.
import { type DownloadTarget, downloadArtifact } from '../artifacts/download-artifact.ts'
import { fileSize } from '../artifacts/file-size.ts'
import { chooseFile, openFile } from '../artifacts/file-target.ts'
import { command } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { readId } from '../target/find-by-name.ts'
import { plainText } from '../terminal/sanitize.ts'

export const artifactsGet = command({
  words: [{ name: 'artifact', description: 'its number, as in shipway artifacts list' }],
  flags: {
    output: {
      short: 'o',
      value: 'file',
      description:
        'file to save to, replacing it; a folder; or - for standard output (default: its own name, in this folder)',
    },
  },
  notes:
    'The file is complete or not there at all. A download continues after a lost connection. With -o -, check the exit code: what was ' +
    'printed is complete only if it is 0.',
  examples: [
    ['shipway artifacts get 31', 'Save it under its own name, in this folder'],
    ['shipway artifacts get 31 -o dump.sql', 'Save it as dump.sql'],
    ['shipway artifacts get 31 -o backups', 'Save it under its own name, in the folder backups'],
    ['shipway artifacts get 31 -o - | psql', 'Pass it on'],
  ],
  run: async (ctx, { words: [text], flags }) => {
    const id = readId(text ?? '')
    if (id === undefined) throw UsageError('Give the number of an artifact', 'List them: shipway artifacts list')
    if (flags.output === '-') return passOn(ctx, id)
    let file = ''
    const { size } = await downloadArtifact(await ctx.client(), {
      id,
      signal: ctx.signal,
      onProgress: showProgress(ctx),
      openTarget: async (name) => {
        file = await chooseFile(ctx.folder, flags.output, name)
        return openFile(file)
      },
    })
    say(ctx, `${plainText(file)}: ${fileSize(size)}`)
    report(ctx, { id, file, size }, () => [file])
    return EXIT.done
  },
})

/** To standard output, byte for byte. */
async function passOn(ctx: Context, id: number): Promise<ExitCode> {
  if (ctx.flags.json) throw UsageError('-o - prints the file itself', 'Leave out --json')
  if (ctx.out.isTerminal) {
    throw UsageError('-o - needs a file or a pipe: a terminal would obey control characters of the file')
  }
  const target: DownloadTarget = {
    write: async (piece) => {
      ctx.out.writeRaw(piece)
      await ctx.out.drained(ctx.signal)
    },
    finish: async () => undefined,
    close: async () => undefined,
  }
  const openTarget = async (): Promise<DownloadTarget> => target
  const { name, size } = await downloadArtifact(await ctx.client(), {
    id,
    signal: ctx.signal,
    onProgress: () => undefined,
    openTarget,
  })
  say(ctx, `${plainText(name)}: ${fileSize(size)}`)
  return EXIT.done
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
