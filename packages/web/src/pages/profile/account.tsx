// Name and password of the user.
import { ApiError, type Me } from '@shipway/api'
import { useState } from 'react'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { NewPassword } from '../auth/account-fields.tsx'

export function Account({ me }: { readonly me: Me }) {
  const submission = useSubmission(['/name'])
  const { fields, isChanged, set, reset } = useDraft({ name: me.name })
  const save = async (): Promise<void> => {
    cache.setQueryData(keys.me, await client.updateMe({ body: { name: fields.name } }))
    reset()
    showToast('Saved')
  }
  return (
    <SavedSection
      title="Name"
      about="Shown to others with your deployments and changes."
      submission={submission}
      isChanged={isChanged}
      onSave={() => void submission.submit(save)}
    >
      <TextField
        label="Your name"
        pointer="/name"
        submission={submission}
        autoComplete="name"
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
    </SavedSection>
  )
}

export function ChangePassword({ me }: { readonly me: Me }) {
  const submission = useSubmission(['/password/current', '/password/new'])
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState('')
  const save = async (): Promise<void> => {
    await client.updateMe({ body: { password: { current, new: chosen } } }).catch(explainWrongPassword)
    setCurrent('')
    setChosen('')
    await cache.invalidateQueries({ queryKey: keys.sessions })
    showToast('Password changed. All other sessions have ended')
  }
  return (
    <SavedSection
      title="Password"
      about="Changing it ends all other sessions, also of the command line. Personal tokens stay valid."
      submission={submission}
      isChanged={current !== '' && chosen !== ''}
      onSave={() => void submission.submit(save)}
    >
      {/* Tells password managers whose password it is. */}
      <input
        className="visually-hidden"
        autoComplete="username"
        value={me.email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <TextField
        label="Current password"
        pointer="/password/current"
        submission={submission}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <NewPassword
        label="New password"
        pointer="/password/new"
        value={chosen}
        onValue={setChosen}
        submission={submission}
      />
    </SavedSection>
  )
}

/** The API answers “e-mail or password is wrong”; here only the password can be. */
function explainWrongPassword(error: unknown): never {
  if (error instanceof ApiError && error.code === 'invalid_credentials') {
    throw new Error('The current password is wrong', { cause: error })
  }
  throw error
}
