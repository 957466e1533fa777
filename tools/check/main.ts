// Checks the structure of the project: the rules of this folder, over every file of the checkout.
import { addingMigrations } from './adding-migrations.ts'
import { confinedCode } from './confined-code.ts'
import { forbiddenCode } from './forbidden-code.ts'
import { importCycles } from './import-cycles.ts'
import { importRules } from './import-rules.ts'
import { localTraces } from './local-traces.ts'
import { missingStyles } from './missing-styles.ts'
import { names } from './names.ts'
import { notifiedWrites } from './notified-writes.ts'
import { formatProblem, type Rule } from './problem.ts'
import { pureDomain } from './pure-domain.ts'
import { checkout, readCheckout } from './read-checkout.ts'
import { slowExpressions } from './slow-expressions.ts'

const rules: readonly Rule[] = [
  importRules,
  importCycles,
  missingStyles,
  pureDomain,
  confinedCode,
  notifiedWrites,
  addingMigrations,
  forbiddenCode,
  slowExpressions,
  names,
  localTraces(checkout),
]

const files = readCheckout()
const problems = rules.flatMap((rule) => rule(files))
for (const problem of problems) console.log(formatProblem(problem))
process.exitCode = problems.length > 0 ? 1 : 0
