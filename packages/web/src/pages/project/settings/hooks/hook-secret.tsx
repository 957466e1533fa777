// Shows the secret of a webhook once.
import { Button } from '../../../../components/button.tsx'
import { DialogButtons, ShownOnce } from '../../../../components/dialog.tsx'
import { Snippet } from '../../../../components/snippet.tsx'

export function HookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <>
      <Snippet label="the secret of the webhook" text={secret} />
      <ShownOnce>The secret is shown only once. The receiver uses it to verify messages.</ShownOnce>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  )
}
