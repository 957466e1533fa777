// Shows the secret of a webhook once.
import { Button } from '../../../../components/button.tsx'
import { DialogButtons } from '../../../../components/dialog.tsx'
import { Snippet } from '../../../../components/snippet.tsx'
import { Notice } from '../../../../components/states.tsx'

export function HookSecret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <>
      <Snippet label="the secret of the webhook" text={secret} />
      <Notice>The secret is shown only once. The receiver uses it to verify messages.</Notice>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  )
}
