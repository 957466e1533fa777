// All of them.
import type { CorpusCase } from './case.ts'
import { fileLocations } from './file-locations.ts'
import { forms } from './forms.ts'
import { infrastructure } from './infrastructure.ts'
import { ports } from './ports.ts'
import { repositories } from './repositories.ts'
import { webApplications } from './web-applications.ts'

export const corpus: readonly CorpusCase[] = [
  ...webApplications,
  ...infrastructure,
  ...forms,
  ...fileLocations,
  ...ports,
  ...repositories,
]
