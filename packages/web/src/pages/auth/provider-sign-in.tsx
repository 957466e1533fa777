// Button that starts the sign-in with the provider.
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { AuthButton } from './auth-layout.tsx'

type ProviderSignInProps = { readonly name: string; readonly next: string | undefined }

export function ProviderSignIn({ name, next }: ProviderSignInProps) {
  const submission = useSubmission()
  const begin = async (): Promise<void> => {
    const { url } = await client.startProviderSignIn({ body: next === undefined ? {} : { next } })
    location.assign(url)
  }
  return (
    <div className="stack">
      <AuthButton>
        <Button isBusy={submission.isBusy} onClick={() => void submission.submit(begin)}>
          Sign in with {name}
        </Button>
      </AuthButton>
      <FormError submission={submission} />
    </div>
  )
}
