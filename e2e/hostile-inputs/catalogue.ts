// Every hostile input that is known, by its id: tried against real platforms, proven by another test, or not tried for a reason.
import { branchTables } from './branches.ts'
import { deliveryTables } from './deliveries.ts'
import { liveTables } from './live.ts'
import { outputTables } from './output.ts'
import { guessTables, peopleTables } from './people.ts'
import { projectTables } from './projects.ts'
import { repositoryTables } from './repository.ts'
import { requestTables } from './requests.ts'
import { sshTables } from './ssh.ts'
import type { Trial } from './table.ts'
import { variableTables } from './variables.ts'

export const trials: readonly Trial[] = [
  ...branchTables,
  ...projectTables,
  ...repositoryTables,
  ...variableTables,
  ...deliveryTables,
  ...requestTables,
  ...peopleTables,
  ...liveTables,
  ...sshTables,
  ...outputTables,
  ...guessTables,
]
