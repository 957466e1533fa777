// Reads every text file of the checkout, for the rules.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type SourceFile, sourceFile } from './source-file.ts'

export const checkout = resolve(import.meta.dirname, '../..')

export function readCheckout(folder = checkout): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isOurs(entry.name) ? readCheckout(path) : []
    return isText(entry.name) ? [sourceFile(relative(checkout, path), readFileSync(path, 'utf8'))] : []
  })
}

/** Folders that the repository ignores hold nothing of ours. */
function isOurs(folder: string): boolean {
  return !/^(node_modules|\.git|data|dist(-.+)?|\.real-parts)$/.test(folder)
}

function isText(name: string): boolean {
  return /\.(ts|tsx|mjs|json|md|sql|css|html|ya?ml|sh|svg|txt)$/.test(name) || !name.slice(1).includes('.')
}
