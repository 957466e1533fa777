// How an environment is named in sentences.
import { plainText } from '../terminal/sanitize.ts'
import type { Target } from './find-environment.ts'

export const targetTitle = ({ project, environment }: Target): string =>
  `${plainText(project.name)} / ${plainText(environment.name)}`
