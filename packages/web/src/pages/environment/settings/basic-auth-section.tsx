// Basic auth of an environment: the project's, or its own. Passwords are never shown.
import { useState } from 'react'
import { TextField } from '../../../components/form.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { describeBasicAuth } from '../describe-settings.ts'
import { Locked, SavedForm, Section } from './section.tsx'
import styles from './settings.module.css'
import type { SettingsContext } from './settings-context.ts'
import { useSave } from './use-settings.ts'

const ABOUT = 'Visitors must enter a user name and a password. Takes effect immediately.'

export function BasicAuthSection({ context }: { readonly context: SettingsContext }) {
  const { environment, lock } = context
  const { words, from } = describeBasicAuth(environment)
  return (
    <Section title="Basic auth" about={ABOUT}>
      {lock === undefined ? (
        <BasicAuthForm context={context} />
      ) : (
        <Locked label="Visitors sign in as" {...(from !== undefined && { hint: from })}>
          {words}
        </Locked>
      )}
    </Section>
  )
}

function BasicAuthForm({ context: { environment, project } }: { readonly context: SettingsContext }) {
  const { basic_auth: present } = environment
  const isOwn = present !== null && !present.inherited
  const ownName = isOwn ? present.username : ''
  const [wantsOwn, setWantsOwn] = useState<boolean>()
  const [username, setUsername] = useState<string>()
  const [password, setPassword] = useState('')
  const submission = useSubmission(['/basic_auth/username', '/basic_auth/password'])
  const save = useSave(environment.id)
  const isToBeOwn = wantsOwn ?? isOwn
  const name = username ?? ownName
  const onUndo = (): void => {
    setWantsOwn(undefined)
    setUsername(undefined)
    setPassword('')
    submission.clear()
  }
  const onSave = async (): Promise<void> => {
    await save({ basic_auth: isToBeOwn ? { username: name, password } : null })
    onUndo()
  }
  const isChanged = isToBeOwn ? !isOwn || name !== ownName || password !== '' : isOwn
  return (
    <SavedForm
      label="Basic auth"
      submission={submission}
      isChanged={isChanged}
      waitsFor={isToBeOwn && (name === '' || password === '') ? 'Enter a user name and a password' : undefined}
      onSave={() => void submission.submit(onSave)}
      onUndo={onUndo}
    >
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">User name and password</legend>
        <label className={styles.choice}>
          <input type="radio" name="basic-auth" checked={!isToBeOwn} onChange={() => setWantsOwn(false)} />
          <span>Use the project's setting</span>
          <span className="tiny faint">
            {project?.basic_auth ? `Visitors sign in as ${project.basic_auth.username}` : 'Off: everyone can open it'}
          </span>
        </label>
        <label className={styles.choice}>
          <input type="radio" name="basic-auth" checked={isToBeOwn} onChange={() => setWantsOwn(true)} />
          <span>Custom</span>
          <span className="tiny faint">Overrides the project's setting</span>
        </label>
      </fieldset>
      {isToBeOwn ? (
        <>
          <TextField
            label="User name"
            pointer="/basic_auth/username"
            submission={submission}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setUsername(target.value)}
          />
          <TextField
            label="Password"
            hint={isOwn ? 'Set and never shown. Enter it again, or a new one, to change anything' : 'Never shown again'}
            pointer="/basic_auth/password"
            submission={submission}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </>
      ) : undefined}
    </SavedForm>
  )
}
