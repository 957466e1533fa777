// Keeps traces of one machine out of the project: folders of the checkout, and addresses that packages were fetched from.
import type { Problem, Rule } from './problem.ts'
import { lineAt, type SourceFile } from './source-file.ts'

const systemFolders =
  /^\/(bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|Users|private)\b/

/** `checkout` is the absolute folder of the checkout on this machine. */
export const localTraces =
  (checkout: string): Rule =>
  (files) => [...files.flatMap((file) => machineFolders(file, checkout)), ...files.flatMap(downloadAddresses)]

function machineFolders({ path, text }: SourceFile, checkout: string): Problem[] {
  const folder = tellingFolder(checkout)
  if (folder === undefined) return []
  const escaped = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return [...text.matchAll(new RegExp(`(?<![\\w./-])${escaped}(?![\\w-])`, 'g'))].map((match) => ({
    path,
    line: lineAt(text, match.index),
    message: `${folder} is a folder of this machine only; write a path relative to the checkout, or leave it out`,
  }))
}

/** The parent of the checkout, unless its name is an ordinary one that the product may have reason to mention. */
function tellingFolder(checkout: string): string | undefined {
  const parts = checkout.split('/').filter((part) => part !== '')
  if (systemFolders.test(checkout)) return parts.length >= 3 ? `/${parts.join('/')}` : undefined
  return parts.length >= 2 ? `/${parts.slice(0, -1).join('/')}` : undefined
}

function downloadAddresses({ path, text }: SourceFile): Problem[] {
  if (!path.endsWith('package-lock.json')) return []
  const match = /"resolved": "https?:/.exec(text)
  if (!match) return []
  const message =
    'the lock file records a download address; keep omit-lockfile-registry-resolved in .npmrc and run npm install'
  return [{ path, line: lineAt(text, match.index), message }]
}
