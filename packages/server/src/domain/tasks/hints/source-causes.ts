// Causes in the repository, its branch, its files, or the domains that it asks for.
import { type Cause, whereSaid } from './failure.ts'

const keyNotAdded = whereSaid(
  /refuses the key of this project|cannot be read without signing in|There is no repository at .{1,300} that this project may read/,
  'Add the key as a read-only deploy key at the git host (the settings of the project show it, with a check), then deploy again',
  ['Prepare'],
)

const branchGone = whereSaid(
  /^Branch .{1,300} does not exist in|is in no branch of/,
  'The branch may have been merged and deleted. Choose another one in the settings of the environment, or remove the environment',
  ['Prepare'],
)

const domainTaken = whereSaid(
  /belongs to another environment\. |has taken one of these domains/,
  'One name leads to one environment. With `{env}` in a `domain:` of .service.yml every environment gets a name of its own',
)

const submodule = whereSaid(
  /\bsubmodules? (?:path|update|mapping)|git submodule|missing submodules?/i,
  'The submodules that .gitmodules names stand in their folders, without git: nothing has to be fetched here. A folder is empty if .gitmodules does not name it, or says update = none. Check that .gitmodules is committed',
)

const largeFiles = whereSaid(
  /git-lfs\.github\.com\/spec|\bgit-lfs\b|git lfs (?:pull|install|fetch)/i,
  'Files of Git LFS are not fetched: a pointer of three lines stands in their place. Put them into the repository itself, or download them while the image is built',
)

export const sourceCauses: readonly Cause[] = [keyNotAdded, branchGone, domainTaken, submodule, largeFiles]
