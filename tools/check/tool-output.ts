// Turns what the compiler, Biome and knip print into the one form `path:line: sentence`.

export function linesOfTsc(output: string): string[] {
  return output.split('\n').map((line) => line.replace(/^(\S+?)\((\d+),\d+\): error (TS\d+): /, '$1:$2: $3 '))
}

/** Keeps errors and warnings, which Biome marks with a sign; what it would format differently has no line of its own. */
export function linesOfBiome(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const match = line.match(/^\s*[×!] (\S+?)(?::(\d+):\d+)?: (\S+): (.+)$/)
    if (!match) return []
    const [, path, number = '1', rule, message] = match
    const sentence = rule === 'format' ? 'not formatted; run npm run format' : `${message} (${rule})`
    return [`${path}:${number}: ${sentence}`]
  })
}

type KnipItem = { name: string; line?: number }
type KnipReport = { issues: (Record<string, KnipItem[] | string> & { file: string })[] }

const advice: Readonly<Record<string, (name: string) => string>> = {
  files: () => 'nothing uses this file; remove it, or name it as an entry in knip.json',
  exports: (name) => `nothing imports ${name}; remove it or its export`,
  types: (name) => `nothing imports the type ${name}; remove it or its export`,
  duplicates: (name) => `${name} is exported twice; keep one`,
  dependencies: (name) => `the dependency ${name} is not used; remove it`,
  devDependencies: (name) => `the dependency ${name} is not used; remove it`,
  unlisted: (name) => `${name} is not among the dependencies of this package; add it to its package.json`,
  unresolved: (name) => `${name} cannot be found; correct the import`,
}

export function linesOfKnip(output: string): string[] {
  // The one line where knip's report enters; a change of its form fails in the test of this file.
  const report: KnipReport = JSON.parse(output)
  return report.issues.flatMap((issue) =>
    Object.entries(issue).flatMap(([kind, items]) =>
      typeof items === 'string'
        ? []
        : items.map(({ name, line }) => `${issue.file}:${line ?? 1}: ${advice[kind]?.(name) ?? `${kind}: ${name}`}`),
    ),
  )
}
