// The paths of one environment on its server.
import type { Deployment } from './deployment.ts'

export type Folders = ReturnType<typeof foldersOf>

type Owner = Pick<Deployment, 'taskId' | 'environment' | 'project' | 'serverFolder'>

/** `home` is the home folder of the platform's user there. */
export function foldersOf(deployment: Owner, home: string) {
  const base = deployment.serverFolder.startsWith('/') ? deployment.serverFolder : `${home}/${deployment.serverFolder}`
  const environment = `${base}/environments/${deployment.environment.id}`
  return {
    server: base,
    repository: `${base}/repositories/${deployment.project.id}.git`,
    environment,
    /** Its modification time is that of the last proof that Docker on the server obeys source policies. */
    policyProof: `${base}/source-policy.proof`,
    releases: `${environment}/releases`,
    release: `${environment}/releases/${deployment.taskId}`,
    steps: `${environment}/tasks`,
    /** Every service of a compose project gets this file; a manual one has the same values in its environment. */
    variables: `${environment}/variables.env`,
    task: `${environment}/tasks/${deployment.taskId}`,
    /** The compose file that the platform writes for a lone Dockerfile. */
    generated: `${environment}/tasks/${deployment.taskId}/generated.json`,
    /** Overrides for Compose: values of variables out of the commit, and the env files that exist. */
    defaults: `${environment}/tasks/${deployment.taskId}/defaults.env`,
    envFiles: `${environment}/tasks/${deployment.taskId}/env-files.yml`,
    /** The variables that builds may get. */
    buildVariables: `${environment}/tasks/${deployment.taskId}/build-variables.env`,
    /** The checked model of the compose files. */
    checked: `${environment}/tasks/${deployment.taskId}/judged.json`,
    /** The compose file that runs, made of the checked model; `mounted` lists the paths of the release that it mounts. */
    compose: `${environment}/tasks/${deployment.taskId}/compose.json`,
    /** The same with other ports, by how often a port had to be replaced. */
    composeAfter: (times: number) =>
      `${environment}/tasks/${deployment.taskId}/${times === 0 ? 'compose.json' : `republished/${times}.json`}`,
    republished: `${environment}/tasks/${deployment.taskId}/republished`,
    mounted: `${environment}/tasks/${deployment.taskId}/mounted.paths`,
    /** Kept output of its services. */
    output: outputFolder(environment),
    /** Definitions of containers that Compose replaces. */
    replaced: replacedFolder(environment),
    /** A Dockerfile that is written inline in a compose file. */
    inlineFile: (service: string) => `${environment}/tasks/${deployment.taskId}/${service}.Dockerfile`,
    /** Artifacts of an action. They outlive the other files of the task. */
    artifacts: `${environment}/artifacts/${deployment.taskId}`,
    /** The folder of one durable step, by its number within the task. */
    step: (number: number) => `${environment}/tasks/${deployment.taskId}/${number}`,
  }
}

/** Both are below the folder of an environment. */
export const outputFolder = (environment: string): string => `${environment}/output`
export const replacedFolder = (environment: string): string => `${environment}/replaced`
