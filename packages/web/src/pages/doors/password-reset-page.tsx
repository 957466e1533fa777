import { PageHead } from '../../components/page.tsx'

export function PasswordResetPage() {
  return <PageHead title="password-reset" name="password-reset" />
}
