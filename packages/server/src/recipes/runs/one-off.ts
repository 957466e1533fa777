// What the program of a one-off command is given.
import type { Recipe } from '@shipway/api/values/recipe'
import type { Command } from '../../commands/command.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import type { Folders } from '../../deployment/folders.ts'

export type OneOffRun = {
  readonly deployment: Deployment
  /** The deployment that it runs in, and how that was deployed. */
  readonly servingTaskId: number
  readonly recipe: Recipe
  /** The service that the user named; and the one that is meant where that is null. */
  readonly service: string | null
  readonly mainService: string | null
  readonly words: Command
  /** The words as a line for people. */
  readonly title: string
}

export type OneOffInFolders = { readonly run: OneOffRun; readonly folders: Folders }
