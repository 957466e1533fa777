// The platform's hint after a change of variables, with the command that applies them.
import type { Variables } from '@shipway/api'
import { targetWords } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'

export const changedHint = ({ hint }: Pick<Variables, 'hint'>, target: Target): string[] =>
  hint === null ? [] : [`${plainText(hint)}. Deploy them: shipway deploy ${targetWords(target)}`]
