// Button that repeats a check. Busy only for checks that the user waits for: failed ones are repeated in the background, too.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'

type CheckAgainProps = {
  readonly disabledReason: string | undefined
  readonly onCheck: () => Promise<unknown>
  readonly children: ReactNode
}

export function CheckAgain({ disabledReason, onCheck, children }: CheckAgainProps) {
  const [isBusy, setBusy] = useState(false)
  const check = async (): Promise<void> => {
    setBusy(true)
    await onCheck()
    setBusy(false)
  }
  return (
    <Button isSmall isBusy={isBusy} disabledReason={disabledReason} onClick={() => void check()}>
      {children}
    </Button>
  )
}
