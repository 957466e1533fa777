// Name and password of whoever is signed in.
import { ApiError, type Me } from '@shipway/api'
import { useState } from 'react'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { tell } from '../../components/toast.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSending } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { NewPassword } from '../auth/new-password.tsx'

export function Account({ me }: { readonly me: Me }) {
  const sending = useSending(['/name'])
  const { fields, isChanged, set, reset } = useDraft({ name: me.name })
  const save = async (): Promise<void> => {
    cache.setQueryData(keys.me, await client.updateMe({ body: { name: fields.name } }))
    reset()
    tell('Saved')
  }
  return (
    <SavedSection
      title="Name"
      about="Others see it beside what you deploy and change."
      {...{ sending, isChanged }}
      onSave={() => void sending.send(save)}
    >
      <TextField
        label="Your name"
        pointer="/name"
        sending={sending}
        autoComplete="name"
        value={fields.name}
        onChange={({ target }) => set('name', target.value)}
      />
    </SavedSection>
  )
}

export function ChangePassword({ me }: { readonly me: Me }) {
  const sending = useSending(['/password/current', '/password/new'])
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState('')
  const save = async (): Promise<void> => {
    await client.updateMe({ body: { password: { current, new: chosen } } }).catch(sayWhichPassword)
    setCurrent('')
    setChosen('')
    await cache.invalidateQueries({ queryKey: keys.sessions })
    tell('The password is changed. Everywhere else you are signed out')
  }
  return (
    <SavedSection
      title="Password"
      about="A new one signs you out everywhere else: other browsers and the command line. Personal tokens stay."
      sending={sending}
      isChanged={current !== '' && chosen !== ''}
      onSave={() => void sending.send(save)}
    >
      {/* For whatever keeps passwords: whose it is. */}
      <input className="unseen" autoComplete="username" value={me.email} readOnly tabIndex={-1} aria-hidden="true" />
      <TextField
        label="Current password"
        pointer="/password/current"
        sending={sending}
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <NewPassword label="New password" pointer="/password/new" value={chosen} onValue={setChosen} sending={sending} />
    </SavedSection>
  )
}

/** The platform says that e-mail or password is wrong; here it can only be the one. */
function sayWhichPassword(error: unknown): never {
  if (error instanceof ApiError && error.code === 'invalid_credentials') {
    throw new Error('The current password is wrong', { cause: error })
  }
  throw error
}
