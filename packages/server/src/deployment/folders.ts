// Where the things of one environment are on its server.
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
    /** As old as the last proof that Docker on the server obeys source policies. */
    policyProof: `${base}/source-policy.proof`,
    releases: `${environment}/releases`,
    release: `${environment}/releases/${deployment.taskId}`,
    steps: `${environment}/tasks`,
    /** Every service of a compose project gets it; a manual one finds the same values in its environment. */
    variables: `${environment}/variables.env`,
    task: `${environment}/tasks/${deployment.taskId}`,
    /** The compose file that the platform writes for a lone Dockerfile. */
    generated: `${environment}/tasks/${deployment.taskId}/generated.json`,
    /** What Compose is told of the compose files beside them: values for variables out of the commit, and which files of variables there are. */
    defaults: `${environment}/tasks/${deployment.taskId}/defaults.env`,
    envFiles: `${environment}/tasks/${deployment.taskId}/env-files.yml`,
    /** The variables without those that no build may get. */
    buildVariables: `${environment}/tasks/${deployment.taskId}/build-variables.env`,
    /** The model of the compose files as it was judged. */
    judged: `${environment}/tasks/${deployment.taskId}/judged.json`,
    /** The one compose file that runs, made of that; and the paths of the release that it mounts. */
    compose: `${environment}/tasks/${deployment.taskId}/compose.json`,
    /** The same with other ports, by how often a port was taken; and their folder. */
    composeAfter: (times: number) =>
      `${environment}/tasks/${deployment.taskId}/${times === 0 ? 'compose.json' : `republished/${times}.json`}`,
    republished: `${environment}/tasks/${deployment.taskId}/republished`,
    mounted: `${environment}/tasks/${deployment.taskId}/mounted.paths`,
    /** What its services have printed. */
    output: outputFolder(environment),
    /** How containers were made that Compose replaces. */
    replaced: replacedFolder(environment),
    /** A Dockerfile that stands in a compose file. */
    inlineFile: (service: string) => `${environment}/tasks/${deployment.taskId}/${service}.Dockerfile`,
    /** What an action leaves to be downloaded; it stays when the traces of the task have gone. */
    artifacts: `${environment}/artifacts/${deployment.taskId}`,
    /** Of one durable step: the number is its place among those of the task. */
    step: (number: number) => `${environment}/tasks/${deployment.taskId}/${number}`,
  }
}

/** Both are below the folder of an environment. */
export const outputFolder = (environment: string): string => `${environment}/output`
export const replacedFolder = (environment: string): string => `${environment}/replaced`
