import { PageHead } from '../../components/page.tsx'

export function SetUpPage() {
  return <PageHead title="set-up" name="set-up" />
}
