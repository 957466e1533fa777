// Checks the compose files before anything of the release runs, and keeps the model that was judged on the server.
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { writeFile } from '../../remote/write-file.ts'
import type { Deployment } from '../deployment.ts'
import type { Folders } from '../folders.ts'
import type { NamedService } from '../prepare.ts'
import type { StepIo } from '../run.ts'
import { judgeModel } from './check-model.ts'
import type { ComposeFiles } from './find-compose-files.ts'
import type { JudgedModel } from './judged-model.ts'

type What = {
  readonly services: readonly NamedService[]
  readonly files: ComposeFiles
  readonly folders: Folders
  readonly judged: JudgedModel
}

/** `built` are services whose images are built; `digest` is of the model that was kept. */
export type Checked = { readonly built: readonly string[]; readonly isPulled: boolean; readonly digest: string }

export async function checkComposeFiles(
  { host, say }: StepIo,
  deployment: Deployment,
  { services, files, folders, judged }: What,
): Promise<Checked> {
  const withoutPort = services.filter(({ service }) => service.port === null)
  if (withoutPort.length > 0) {
    throw CheckFailed(`These services need a port in .service.yml: ${namesOf(withoutPort).join(', ')}`)
  }
  if (files.type === 'generated') await writeFile(host, folders.generated, { content: JSON.stringify(files.document) })
  const { model, notes } = await judgeModel(host, deployment, { files, folders, routed: namesOf(services) })
  for (const note of notes) say(note)
  const all = [...model.services.values()]
  return {
    built: all.filter(({ build }) => build !== null).map(({ name }) => name),
    isPulled: all.some(({ build }) => build === null),
    digest: await judged.keep(host, model),
  }
}

const namesOf = (services: readonly NamedService[]): string[] => services.map(({ service }) => service.name)
