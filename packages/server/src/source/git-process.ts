// Starts git on the platform; nothing else of the source does. What it reads was written by strangers, so its memory is bounded.
import type { Command } from '../commands/command.ts'
import { withinMemory } from '../commands/git.ts'
import type { Finished } from '../remote/host.ts'
import { type ProcessOptions, runProcess } from '../remote/process.ts'

export type GitProcessOptions = ProcessOptions

export const runGitProcess = (command: Command, options: GitProcessOptions): Promise<Finished> =>
  runProcess(withinMemory(command), options)
