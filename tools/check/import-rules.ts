// Holds the import table: a file imports only what its folder may.
import { namedImports, packageImports, serverImports, serverPart, typesOnly } from './import-table.ts'
import type { Import } from './imports.ts'
import type { Problem, Rule } from './problem.ts'
import { isProductCode, lineAt, type SourceFile } from './source-file.ts'

export const importRules: Rule = (files) => {
  const product = files.filter((file) => isProductCode(file.path))
  return [...unknownParts(product), ...product.flatMap(forbiddenImports)]
}

function forbiddenImports(file: SourceFile): Problem[] {
  return file.imports.flatMap((imported) => {
    const message = complaint(file.path, imported)
    return message === undefined ? [] : [{ path: file.path, line: lineAt(file.text, imported.offset), message }]
  })
}

function complaint(path: string, { target, names, isTypeOnly }: Import): string | undefined {
  if (target === undefined) return undefined
  const fromPackage = packageOf(path)
  const toPackage = packageOf(target)
  if (toPackage === undefined) return `product code may not import ${target}; move what it needs into a package`
  if (fromPackage !== toPackage) {
    const allowed = packageImports[fromPackage ?? ''] ?? []
    return allowed.includes(toPackage) ? undefined : `${fromPackage} may not import ${toPackage}; ${mayImport(allowed)}`
  }
  if (/\.test\.tsx?$/.test(target) || !target.includes('/src/'))
    return `product code may not import the test file ${target}`
  return fromPackage === 'server' ? serverComplaint(path, target, { names, isTypeOnly }) : undefined
}

function serverComplaint(path: string, target: string, what: Pick<Import, 'names' | 'isTypeOnly'>): string | undefined {
  const from = serverPart(path) ?? ''
  const to = serverPart(target) ?? ''
  if (from === to || from === 'main') return undefined
  const allowed = serverImports[from]
  if (allowed === undefined) return undefined
  if (!allowed.includes(to)) return `${from} may not import ${to}; ${mayImport(allowed)}`
  if (what.isTypeOnly) return undefined
  if (typesOnly.includes(to)) return `take only types from ${to}, with import type; its values are handed in by main`
  const limit = namedImports.find((entry) => entry.from === from && entry.to === to)
  const wrong = limit ? what.names.filter((name) => !limit.names.test(name) && !/^[A-Z]/.test(name)) : []
  if (!limit || wrong.length === 0) return undefined
  return `${from} may take only names like ${limit.names.source} from ${to}, not ${wrong.join(', ')}: ${limit.reason}`
}

function unknownParts(files: readonly SourceFile[]): Problem[] {
  const unknown = new Map<string, Problem>()
  for (const { path } of files) {
    const part = packageOf(path) === 'server' ? serverPart(path) : undefined
    if (part !== undefined && part !== 'main' && serverImports[part] === undefined && !unknown.has(part)) {
      unknown.set(part, { path, line: 1, message: `${part} is not in the import table; ${whereToAdd}` })
    }
    const name = packageOf(path) ?? ''
    if (packageImports[name] === undefined && !unknown.has(name)) {
      unknown.set(name, { path, line: 1, message: `packages/${name} is not in the import table; ${whereToAdd}` })
    }
  }
  return [...unknown.values()]
}

const whereToAdd = 'add it to tools/check/import-table.ts and to ARCHITECTURE.md'

function mayImport(allowed: readonly string[]): string {
  return `it may import ${allowed.length === 0 ? 'nothing else of ours' : allowed.join(', ')}`
}

function packageOf(path: string): string | undefined {
  return path.match(/^packages\/([^/]+)\//)?.[1]
}
