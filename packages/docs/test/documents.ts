// The documents as tests read them: fenced blocks, and lines that someone types or a program sends.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export type Block = { readonly file: string; readonly language: string; readonly text: string }

/** Records of the past are left out: they may name what is gone. */
export const documents = globSync(
  ['docs/**/*.md', 'README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'examples/*/README.md'],
  {
    cwd: root,
  },
).toSorted()

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const FENCE = /^( *)```([a-z]*)\n([\s\S]*?)^ *```$/gm

export const blocks: readonly Block[] = documents.flatMap((file) =>
  [...read(file).matchAll(FENCE)].map(([, indent = '', language = '', text = '']) => ({
    file,
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  })),
)

export const proseOf = (file: string): string => read(file).replaceAll(FENCE, '')

/** `isInline` stands in a sentence, where a bare command may leave out its arguments. */
export type Line = { readonly file: string; readonly text: string; readonly isInline: boolean }

const SHELL: readonly string[] = ['', 'sh', 'yaml', 'dockerfile']

export const lines: readonly Line[] = [
  ...blocks
    .filter(({ language }) => SHELL.includes(language))
    .flatMap(({ file, text }) =>
      text
        .replaceAll(/ *\\\n */g, ' ')
        .split('\n')
        .map((line) => ({ file, text: line, isInline: false })),
    ),
  ...documents.flatMap((file) =>
    [...proseOf(file).matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({
      file,
      text: text.replaceAll(/\s+/g, ' '),
      isInline: true,
    })),
  ),
]

/** Calls of a program in a line, each as its arguments: up to a pipe, a redirection or an explanation beside it. */
export function callsOf(program: string, line: string): readonly (readonly string[])[] {
  // What another program prints is one word.
  const code = line
    .replace(/(?<=\S) {2,}.*$/, '')
    .replace(/ +# .*$/, '')
    .replaceAll(/\$\((?!shipway)[^)]*\)/g, 'printed')
  const start = new RegExp(`(?:^|[(|&;] ?|-- |- (?:run: )?|[A-Z_]+=\\S+ )${program}(?= |$)`, 'g')
  return [...code.matchAll(start)].map((match) => {
    const rest = code.slice(match.index + match[0].length)
    // Placeholders are words; anything else in angle brackets is a redirection.
    const [call = ''] = rest.replaceAll(/<([a-z-]+)>/g, '$1').split(/ [|&>]| <(?! )|[)]/, 1)
    return (call.match(/(?:'[^']*'|"[^"]*"|\$\{\{[^}]*\}\}|[^\s'"])+/g) ?? []).map((word) =>
      word.replaceAll(/^['"]|['"]$/g, ''),
    )
  })
}
