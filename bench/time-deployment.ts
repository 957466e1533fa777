// Measures how long a deployment takes from the user's point of view.
import type { Client } from '@shipway/api'

/** From the request to the end of the output, which comes when the task has ended. */
export async function timeDeployment(
  { url, token }: { readonly url: string; readonly token: string },
  client: Client,
  environmentId: number,
) {
  const from = performance.now()
  const { id } = await client.startDeployment({ params: { id: environmentId } })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/tasks/${id}/log?follow=1`, { headers })
  await answer.text()
  const seconds = (performance.now() - from) / 1000
  const task = await client.getTask({ params: { id } })
  if (task.status !== 'succeeded')
    throw new Error(`The deployment ended as ${task.status}: ${JSON.stringify(task.failed_step)}`)
  return { seconds, task }
}
