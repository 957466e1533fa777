// Another organization, with projects, servers and members of its own.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormActs, FormFault, TextField } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { useSending } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useHere } from '../../layout/current-page.ts'

export function NewOrganization() {
  const { me } = useHere()
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const sending = useSending(['/name'])
  const create = async (): Promise<void> => {
    const { id } = await client.createOrganization({ body: { name } })
    await cache.invalidateQueries({ queryKey: keys.me })
    await navigate({ to: '/organizations/$organizationId', params: { organizationId: id } })
  }
  return (
    <Section
      title="Another organization"
      about={
        me.is_platform_admin
          ? 'It has projects, servers and members of its own. You become its owner.'
          : 'For platform administrators, unless the platform lets everybody make one.'
      }
    >
      <Form label="Another organization" sending={sending} onSend={() => void sending.send(create)}>
        <TextField
          label="Name of the new organization"
          pointer="/name"
          sending={sending}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <FormFault sending={sending} />
        <FormActs>
          <Button type="submit" isSmall isBusy={sending.isBusy}>
            Create organization
          </Button>
        </FormActs>
      </Form>
    </Section>
  )
}
