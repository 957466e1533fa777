// What a recipe can do, one table for each fact, without the schemas of the contract, as in `runtime-facts.ts`.

export const RECIPES = ['docker', 'manual'] as const

type Fact = Readonly<Record<(typeof RECIPES)[number], boolean>>

/** Environments run in containers: they have a compose file, images and volumes. The others run on the server itself. */
export const runsContainers: Fact = { docker: true, manual: false }

/** Commands of the repository run as a user of the server, so an owner of the organization allows it in each project. */
export const needsConsent: Fact = { docker: false, manual: true }

/** A suggested `.service.yml` can be deployed as it is. The others only show what to fill in. */
export const canDeploySuggestion: Fact = { docker: true, manual: false }

/** The one recipe of forks and of uploads, which anyone may send, or which no branch contains. */
export const ISOLATED_RECIPE = 'docker'

/** It reserves the most keys of variables. A project's variables follow its rules, since environments of any recipe inherit them. */
export const STRICTEST_RECIPE = 'manual'
