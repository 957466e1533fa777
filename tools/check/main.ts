// Checks the structure of the project: the rules of this folder, over every file of the checkout.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { confinedCode } from './confined-code.ts'
import { fileLength } from './file-length.ts'
import { folderSize } from './folder-size.ts'
import { forbiddenCode } from './forbidden-code.ts'
import { importCycles } from './import-cycles.ts'
import { importRules } from './import-rules.ts'
import { localTraces } from './local-traces.ts'
import { names } from './names.ts'
import { notifiedWrites } from './notified-writes.ts'
import { formatProblem, type Rule } from './problem.ts'
import { pureDomain } from './pure-domain.ts'
import { type SourceFile, sourceFile } from './source-file.ts'

const checkout = resolve(import.meta.dirname, '../..')
const rules: readonly Rule[] = [
  importRules,
  importCycles,
  pureDomain,
  confinedCode,
  notifiedWrites,
  forbiddenCode,
  fileLength,
  folderSize,
  names,
  localTraces(checkout),
]

const files = readFiles(checkout)
const problems = rules.flatMap((rule) => rule(files))
for (const problem of problems) console.log(formatProblem(problem))
process.exitCode = problems.length > 0 ? 1 : 0

function readFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isOurs(entry.name) ? readFiles(path) : []
    return isText(entry.name) ? [sourceFile(relative(checkout, path), readFileSync(path, 'utf8'))] : []
  })
}

/** Folders that the repository ignores hold nothing of ours. */
function isOurs(folder: string): boolean {
  return !['node_modules', '.git', 'data', 'dist', '.real-parts'].includes(folder)
}

function isText(name: string): boolean {
  return /\.(ts|tsx|mjs|json|md|sql|css|html|ya?ml|sh|svg|txt)$/.test(name) || !name.slice(1).includes('.')
}
