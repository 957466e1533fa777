// The button that leads to the provider.
import { Button } from '../../components/button.tsx'
import { FormFault } from '../../components/form.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { DoorAct } from './auth-layout.tsx'

type ProviderSignInProps = { readonly name: string; readonly next: string | undefined }

export function ProviderSignIn({ name, next }: ProviderSignInProps) {
  const sending = useSending()
  const begin = async (): Promise<void> => {
    const { url } = await client.startProviderSignIn({ body: next === undefined ? {} : { next } })
    location.assign(url)
  }
  return (
    <div className="stack">
      <DoorAct>
        <Button isBusy={sending.isBusy} onClick={() => void sending.send(begin)}>
          Sign in with {name}
        </Button>
      </DoorAct>
      <FormFault sending={sending} />
    </div>
  )
}
