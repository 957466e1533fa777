// The tests that need no Docker, PostgreSQL, browser, sshd or HAProxy, and less than half a minute each: found by their imports.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { sourceFile } from './check/source-file.ts'
import { longFiles } from './longest-first.ts'

/** Modules that start a real part, or whose tests install one. */
const realParts = [
  /^packages\/server\/test\/docker\/(docker-engine|shared-engine)\.ts$/,
  /^packages\/server\/test\/(sshd|haproxy|postgres-only|private-machine|machine-to-set-up|caddy-authority)\.ts$/,
  /^tools\/real-parts\//,
]

export function listUnitTests(): readonly string[] {
  const tests = globSync(['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts'])
  const found = new Map<string, boolean>()
  const needsRealPart = (path: string): boolean => {
    const known = found.get(path)
    if (known !== undefined) return known
    found.set(path, false)
    const isReal = realParts.some((pattern) => pattern.test(path)) || importsOf(path).some(needsRealPart)
    found.set(path, isReal)
    return isReal
  }
  return tests.filter((path) => !longFiles.includes(path) && !needsRealPart(path)).sort()
}

/** Types are erased: what only they name is not loaded. */
function importsOf(path: string): readonly string[] {
  if (!existsSync(path)) return []
  const { imports } = sourceFile(path, readFileSync(path, 'utf8'))
  return imports.flatMap(({ target, isTypeOnly }) => (target === undefined || isTypeOnly ? [] : [target]))
}
