// Draft of settings, and saving what changed.
import type { Environment, EnvironmentChanges } from '@shipway/api'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../../components/toast.tsx'
import { type Submission, useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { changesOf, type Draft, isChanged } from './changes.ts'

/** Saves changes and updates the cache. */
export function useSave(environmentId: number): (changes: EnvironmentChanges) => Promise<void> {
  const cache = useQueryClient()
  return async (changes) => {
    const environment = await client.updateEnvironment({ params: { id: environmentId }, body: changes })
    cache.setQueryData<Environment>(keys.environment(environmentId), environment)
    showToast('Saved')
  }
}

export type Settings = {
  readonly draft: Draft
  readonly touch: (touched: Draft) => void
  readonly submission: Submission
  /** Props of `SavedForm`. */
  readonly form: {
    readonly submission: Submission
    readonly isChanged: boolean
    readonly onSave: () => void
    readonly onUndo: () => void
  }
}

export function useSettings(environment: Environment, pointers: readonly string[]): Settings {
  const [draft, setDraft] = useState<Draft>({})
  const submission = useSubmission(pointers)
  const save = useSave(environment.id)
  const changes = changesOf(environment, draft)
  const onSave = async (): Promise<void> => {
    await save(changes)
    setDraft({})
  }
  const onUndo = (): void => {
    setDraft({})
    submission.clear()
  }
  return {
    draft,
    touch: (touched) => setDraft({ ...draft, ...touched }),
    submission,
    form: { submission, isChanged: isChanged(changes), onSave: () => void submission.submit(onSave), onUndo },
  }
}
