// Keeps the rules in domain/ and in packages/rules pure: no waiting, no clock, no chance, no input or output; and context.ts free of code.
import type { Problem, Rule } from './problem.ts'
import { isProductCode, lineAt, type SourceFile } from './source-file.ts'

const impure: readonly Readonly<{ pattern: RegExp; advice: string }>[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\s*\)|\bDate\(\s*\)/g,
    advice: 'domain/ reads no clock; take the time as an argument',
  },
  {
    pattern: /\bMath\.random\(|\bcrypto\./g,
    advice: 'domain/ leaves nothing to chance; take the value as an argument',
  },
  {
    pattern: /\b(fetch|setTimeout|setInterval)\(/g,
    advice: 'domain/ does no input or output; move this to the folder that does',
  },
]

/** Rules for repositories wait for the files that they are handed a reader of, and for nothing else. */
const waiting = { pattern: /\b(await|async)\b/g, advice: 'domain/ never waits; take the value as an argument' }

/** Built-in modules that only compute. */
const pureModules = ['node:buffer', 'node:path', 'node:url', 'node:util']

export const pureDomain: Rule = (files) =>
  files
    .filter((file) => isProductCode(file.path))
    .flatMap((file) => {
      if (file.path === 'packages/server/src/context.ts') return codeInContext(file)
      return isRule(file.path) ? [...impureCode(file), ...impureImports(file)] : []
    })

const isRule = (path: string): boolean => /^packages\/(server\/src\/domain|rules\/src)\//.test(path)

function impureCode({ path, text, code }: SourceFile): Problem[] {
  const forbidden = path.startsWith('packages/rules/') ? impure : [waiting, ...impure]
  return forbidden.flatMap(({ pattern, advice }) =>
    [...code.matchAll(pattern)].map((match) => ({ path, line: lineAt(text, match.index), message: advice })),
  )
}

function impureImports({ path, text, imports }: SourceFile): Problem[] {
  return imports
    .filter(
      ({ specifier, isTypeOnly }) => !isTypeOnly && specifier.startsWith('node:') && !pureModules.includes(specifier),
    )
    .map(({ specifier, offset }) => ({
      path,
      line: lineAt(text, offset),
      message: `domain/ may not import ${specifier}, which reaches outside; take the value as an argument`,
    }))
}

function codeInContext({ path, text, code }: SourceFile): Problem[] {
  const values = /^\s*(export\s+)?(const|let|var|function|async function|class)\b|^import\s+(?!type\b)/gm
  return [...code.matchAll(values)].map((match) => ({
    path,
    line: lineAt(text, match.index + match[0].search(/\S/)),
    message: 'context.ts holds types only; move the code to the folder that it belongs to, and use import type',
  }))
}
