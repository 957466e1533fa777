// All tools, and which of them a server offers.
import { cancelTask } from './cancel-task.ts'
import { setVariables, unsetVariables } from './change-variables.ts'
import { checkRepository } from './check-repository.ts'
import { deployEnvironment } from './deploy-environment.ts'
import { deployWorkingTree } from './deploy-working-tree.ts'
import { getDeployDiagnostics } from './get-deploy-diagnostics.ts'
import { getServiceLogs } from './get-service-logs.ts'
import { getStatus } from './get-status.ts'
import { getTaskLog } from './get-task-log.ts'
import { listEnvironments } from './list-environments.ts'
import { listVariables } from './list-variables.ts'
import { removeWorkingTree } from './remove-working-tree.ts'
import { rollbackEnvironment } from './rollback-environment.ts'
import { runAction } from './run-action.ts'
import type { AnyTool } from './tool.ts'

/** Few, since each costs an assistant context. */
const DEFAULT_TOOLS: readonly AnyTool[] = [
  ...[getDeployDiagnostics, listVariables],
  ...[deployEnvironment, setVariables, unsetVariables],
]

const MORE_TOOLS: readonly AnyTool[] = [
  ...[listEnvironments, getStatus, getTaskLog, getServiceLogs, checkRepository],
  ...[rollbackEnvironment, cancelTask, runAction, deployWorkingTree, removeWorkingTree],
]

export type ToolChoice = { readonly mayWrite: boolean; readonly isAll: boolean }

/** A tool that does not declare that it only reads is never offered without `mayWrite`. */
export const chooseTools = ({ mayWrite, isAll }: ToolChoice): readonly AnyTool[] =>
  [...DEFAULT_TOOLS, ...(isAll ? MORE_TOOLS : [])].filter(
    ({ annotations }) => mayWrite || annotations.readOnlyHint === true,
  )
