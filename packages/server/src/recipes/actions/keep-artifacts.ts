// Keeps the files that an action was to leave: looked for where it ran, copied into a folder of the task, and listed there.
import { matcherOf, searchesOf } from '@shipway/rules/service-file/artifact-glob'
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'
import type { Folders } from '../../deployment/folders.ts'
import type { Run, StepIo } from '../../deployment/run.ts'
import {
  type FoundEntry,
  faultOfList,
  isPlainPath,
  MOST_ARTIFACTS,
  sortFound,
} from '../../domain/tasks/found-artifacts.ts'
import { CheckFailed, StepFault } from '../../domain/tasks/step-fault.ts'
import { runAs } from '../../remote/accounts/account.ts'
import { ask } from '../../remote/ask.ts'
import type { Host } from '../../remote/host.ts'
import { accountText } from '../../remote/steps/step-launch.ts'
import type { RecipeContext } from '../recipe-context.ts'
import type { ActionRun, ActionTarget } from './action-run.ts'
import { matchInChunks } from './match-in-chunks.ts'

export type KeptArtifact = {
  readonly number: number
  readonly path: string
  readonly size: number
  readonly stamp: string
}

type ArtifactSource = { readonly what: ActionRun; readonly target: ActionTarget; readonly folders: Folders }
type Context = Pick<RecipeContext, 'runtime'>

export async function keepArtifacts(
  run: Run,
  context: Context,
  where: ArtifactSource,
): Promise<readonly KeptArtifact[]> {
  const { what } = where
  if (what.action.artifactPaths.length === 0) return []
  const step = run.phase('Artifacts')
  const paths = await step('Find files', (io) => findFiles(io, context, where))
  if (paths.length === 0) return []
  await step('Keep files', (io) => keepFiles(io, context, { ...where, paths }))
  return step('List kept files', ({ host, say }) => listKept({ host, say }, { folder: where.folders.artifacts, paths }))
}

async function findFiles(
  { host, say }: StepIo,
  context: Context,
  { what: { action }, target }: ArtifactSource,
): Promise<readonly string[]> {
  const searches = searchesOf(action.artifactPaths).flatMap(({ folder, depth }) => [folder, String(depth)])
  const listed = await list(
    host,
    inTarget(context, target, shell(listScript, 'shipway-list', String(MOST_ENTRIES), ...searches)),
  )
  const entries = readEntries(listed)
  const unusable = faultOfList(entries)
  if (unusable !== undefined) throw CheckFailed(unusable)
  const meant = await matchInChunks(entries.filter(isPlainPath), matcherOf(action.artifactPaths))
  const { paths, notes, fault } = sortFound(meant)
  for (const note of notes) say(note)
  if (fault !== undefined) throw CheckFailed(fault)
  if (paths.length === 0) say(`No file matches ${action.artifactPaths.join(', ')}`)
  return paths
}

/** Entries that are looked at, and bytes that their names take: for more files, the action should name their folder more closely. */
const MOST_ENTRIES = 20_000
const MOST_LISTED_BYTES = 8 * 1024 * 1024
const LIST_MS = 2 * 60_000

async function list(host: Host, command: Command): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  const onOutput = (piece: Buffer): void => {
    bytes += piece.length
    if (bytes > MOST_LISTED_BYTES) throw CheckFailed('The names of the files take too much room')
    pieces.push(piece)
  }
  await ask(host, { command, onOutput, timeoutMs: LIST_MS }, 'The files cannot be listed')
  return Buffer.concat(pieces)
}

/** What is not UTF-8 shows a character in its place that no such name can have. */
function readEntries(listed: Buffer): readonly FoundEntry[] {
  const texts = listed.toString('utf8').split('\0').slice(0, -1)
  return texts.map((text) => {
    const blank = text.indexOf(' ')
    return { kind: text.slice(0, blank), path: text.slice(blank + 1) }
  })
}

async function keepFiles(
  io: StepIo,
  context: Context,
  { what: { mostArtifactBytes: most }, target, folders, paths }: ArtifactSource & { readonly paths: readonly string[] },
): Promise<void> {
  const sender = inTarget(context, target, shell(sendScript, 'shipway-send', ...paths))
  const words = [folders.artifacts, String(most), String(paths.length), ...sender]
  const work = { folder: folders.step(2), run: shell(keepScript, 'shipway-keep', ...words), environment: new Map() }
  try {
    await io.durably(work)
  } catch (error) {
    if (error instanceof StepFault && error.exitCode === 3) throw CheckFailed(tooLarge(most))
    if (error instanceof StepFault && error.exitCode === 4) throw CheckFailed(NOT_WHOLE)
    throw error
  }
}

const tooLarge = (bytes: number): string =>
  `The files take more than ${Math.floor(bytes / 1024 ** 2)} MiB together, which is all that is kept of a run. ` +
  'Let the action leave less, or raise SHIPWAY_ARTIFACT_MIB'

const NOT_WHOLE =
  'A file could not be read to its end: it was changed meanwhile, or the container went away. Run the action again'

async function listKept(
  { host, say }: Pick<StepIo, 'host' | 'say'>,
  { folder, paths }: { readonly folder: string; readonly paths: readonly string[] },
): Promise<readonly KeptArtifact[]> {
  const text = await ask(host, shell(keptScript, 'shipway-kept', folder), 'The kept files cannot be listed')
  const kept = [...text.matchAll(/^(\d{1,4}) 1 (\d{1,15}) (\d{1,20}:\d{1,15})$/gm)].flatMap(
    ([, number, size, stamp]) => {
      const path = paths[Number(number) - 1]
      return path === undefined || stamp === undefined
        ? []
        : [{ number: Number(number), path, size: Number(size), stamp }]
    },
  )
  const byNumber = kept.toSorted((a, b) => a.number - b.number)
  for (const { path, size } of byNumber) say(`${path} (${size} bytes)`)
  return byNumber.slice(0, MOST_ARTIFACTS)
}

function inTarget({ runtime }: Context, target: ActionTarget, command: Command): Command {
  if (target.type === 'container') return runtime.commandIn(target, command)
  if (target.account) {
    const text = accountText({ run: command, cwd: target.folder })
    return shell(accountScript, 'shipway-as-account', text, ...runAs(target.account, text))
  }
  return shell(folderScript, 'shipway-in-folder', target.folder, ...command)
}

const listScript = loadScript(import.meta.url, 'list-files')
const sendScript = loadScript(import.meta.url, 'send-files')
const keepScript = loadScript(import.meta.url, 'keep-files')
const keptScript = loadScript(import.meta.url, 'list-kept')
const accountScript = loadScript(import.meta.url, 'as-account')
const folderScript = loadScript(import.meta.url, 'in-folder')
