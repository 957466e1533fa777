// Asks before a page with unsaved changes is left, also when the browser tab is closed.
import { useBlocker } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { abandonUnsaved, hasUnsaved } from '../components/unsaved.ts'

export function LeaveUnsaved() {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  const stay = (): void => leaving.reset?.()
  const leave = (): void => {
    abandonUnsaved()
    leaving.proceed?.()
  }
  return (
    <Dialog title="Leave without saving?" isOpen={leaving.status === 'blocked'} onClose={stay}>
      <p className="quiet">Changes on this page are not saved and will be lost.</p>
      <DialogButtons>
        <Button onClick={stay}>Stay here</Button>
        <Button variant="danger" onClick={leave}>
          Leave without saving
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
