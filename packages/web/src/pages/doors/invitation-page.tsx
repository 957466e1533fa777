import { PageHead } from '../../components/page.tsx'

export function InvitationPage() {
  return <PageHead title="invitation" name="invitation" />
}
