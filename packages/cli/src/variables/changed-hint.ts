// The platform's hint after a change of variables, with the command that applies them.
import type { Variables } from '@shipway/api'
import type { Target, TargetFlags } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'

export function changedHint({ hint }: Pick<Variables, 'hint'>, target: Target, flags: TargetFlags): string[] {
  if (hint === null) return []
  const isNamed = flags.project !== undefined || flags.environment !== undefined
  const words = isNamed ? ` -p ${word(target.project.name)} -e ${word(target.environment.name)}` : ''
  return [`${plainText(hint)}. Deploy them: shipway deploy${words}`]
}

/** Quoted for a shell. */
function word(name: string): string {
  const text = plainText(name)
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
