// Prints long files and large folders for a reviewer, the largest first. Never fails.
import { formatProblem } from './problem.ts'
import { readCheckout } from './read-checkout.ts'
import { largeFolders, longFiles } from './sizes.ts'

const files = readCheckout()
for (const list of [largeFolders, longFiles])
  for (const entry of list(files).sort((one, other) => Number.parseInt(other.message) - Number.parseInt(one.message)))
    console.log(formatProblem(entry))
