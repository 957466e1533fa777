// Form for a new organization.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormButtons, FormError, TextField } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useCurrentPage } from '../../layout/current-page.ts'

export function NewOrganization() {
  const { me } = useCurrentPage()
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const submission = useSubmission(['/name'])
  const create = async (): Promise<void> => {
    const { id } = await client.createOrganization({ body: { name } })
    await cache.invalidateQueries({ queryKey: keys.me })
    await navigate({ to: '/organizations/$organizationId', params: { organizationId: id } })
  }
  return (
    <Section
      title="New organization"
      about={
        me.is_platform_admin
          ? 'With its own projects, servers and members. You become its owner.'
          : 'Only platform administrators can create one, unless the platform allows everyone to.'
      }
    >
      <Form label="New organization" submission={submission} onSubmit={() => void submission.submit(create)}>
        <TextField
          label="Name"
          pointer="/name"
          submission={submission}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <FormError submission={submission} />
        <FormButtons>
          <Button type="submit" isSmall isBusy={submission.isBusy}>
            Create organization
          </Button>
        </FormButtons>
      </Form>
    </Section>
  )
}
