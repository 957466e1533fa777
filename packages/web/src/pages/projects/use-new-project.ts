// Creates a project and its first environment, each once: a second try goes on with what the first one created.
import { environmentNameOf, type NewProjectBody } from '@shipway/api'
import { useState } from 'react'
import { client, clientOf } from '../../data/client.ts'

type NewProject = {
  readonly organizationId: number
  readonly branch: string
  readonly body: NewProjectBody
}

export function useNewProject({ organizationId, branch, body }: NewProject) {
  const [created, setCreated] = useState<{ readonly id: number }>()
  const [environment, setEnvironment] = useState<{ readonly id: number; readonly branch: string }>()
  const createProject = async (): Promise<number> => {
    const project = created ?? (await clientOf(organizationId).createProject({ body }))
    setCreated(project)
    return project.id
  }
  const createEnvironment = async (): Promise<number> => {
    const params = { id: await createProject() }
    if (environment?.branch === branch) return environment.id
    const { id } = await client.createEnvironment({ params, body: { name: environmentNameOf(branch), branch } })
    setEnvironment({ id, branch })
    return id
  }
  return { createProject, createEnvironment }
}
