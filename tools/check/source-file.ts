// A source file as the rules see it: its text, its code without comments and strings, and what it imports.
import { type Import, scanImports } from './imports.ts'
import { maskSource } from './mask.ts'

/** `path` is relative to the checkout; `code` has the same offsets as `text`; files other than TypeScript have no `code`. */
export type SourceFile = Readonly<{ path: string; text: string; code: string; imports: readonly Import[] }>

export function sourceFile(path: string, text: string): SourceFile {
  if (!isScript(path)) return { path, text, code: '', imports: [] }
  const code = maskSource(text)
  return { path, text, code, imports: scanImports(path, text, code) }
}

export function isScript(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path)
}

/** Tests, their material, benchmarks and tools may do what the product may not. */
export function isProductCode(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$/.test(path)
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
