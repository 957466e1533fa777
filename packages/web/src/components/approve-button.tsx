// Button and dialog that approve one commit of a fork's pull request.
import type { Environment } from '@shipway/api'
import { useState } from 'react'
import { client } from '../data/client.ts'
import { missingPermission } from '../data/disabled-reasons.ts'
import { useCurrentPage } from '../layout/current-page.ts'
import { shortSha } from '../text/sha.ts'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import { FormError } from './form.tsx'
import { PullRequestLink } from './git-links.tsx'
import { showToast } from './toast.tsx'
import { useSubmission } from './use-submission.ts'

export function ApproveButton({ environment }: { readonly environment: Environment }) {
  const [isOpen, setOpen] = useState(false)
  const { me, organization } = useCurrentPage()
  const submission = useSubmission()
  const sha = environment.pull_request?.head_sha ?? ''
  const short = shortSha(sha)
  const approve = async (): Promise<void> => {
    await client.approveEnvironment({ params: { id: environment.id }, body: { commit_sha: sha } })
    setOpen(false)
    showToast(`${short} is approved and queued`)
  }
  return (
    <>
      <Button
        isSmall
        disabledReason={missingPermission('administer', { me, organizationId: organization?.id })}
        onClick={() => setOpen(true)}
      >
        Approve {short}…
      </Button>
      <Dialog title={`Deploy ${short}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="quiet">
          This runs the commit on {environment.server.name}. It comes from a fork, so read the code of{' '}
          {environment.pull_request ? (
            <PullRequestLink request={environment.pull_request}>
              pull request #{environment.pull_request.number}
            </PullRequestLink>
          ) : undefined}{' '}
          first. It gets none of your variables. Each later commit needs its own approval.
        </p>
        <FormError submission={submission} />
        <DialogButtons>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="primary" isBusy={submission.isBusy} onClick={() => void submission.submit(approve)}>
            Approve and deploy
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}
