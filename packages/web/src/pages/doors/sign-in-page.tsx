import { PageHead } from '../../components/page.tsx'

export function SignInPage() {
  return <PageHead title="sign-in" name="sign-in" />
}
