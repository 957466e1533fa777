// Finds dollar signs that Compose would take for a variable, but that begin none.
import type { JsonObject } from '../model.ts'
import { partsOf } from '../policy/check-build-variables.ts'
import type { FormFault } from './check-kinds.ts'

export function checkDollars(document: JsonObject): readonly FormFault[] {
  const wholes = Object.entries(document).map(([key, value]) => ({ key, value }))
  return partsOf(wholes).flatMap(({ key, value }) =>
    typeof value === 'string' && hasStrayBrace(value)
      ? [{ key, sentence: `${key} holds \${ with no variable behind it. Write $\${ where that is meant as it stands` }]
      : [],
  )
}

/** `${` must be followed by a name, and by what may stand behind one. */
function hasStrayBrace(text: string): boolean {
  const braces = [...text.replaceAll('$$', '').matchAll(/\$\{([^}]*)(\}?)/g)]
  return braces.some(([, inner = '', end]) => end === '' || !/^[A-Za-z_][A-Za-z0-9_]*(?:$|:?[-?+])/.test(inner))
}
