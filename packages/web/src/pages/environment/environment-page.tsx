import { PageHead } from '../../components/page.tsx'

export function EnvironmentPage() {
  return <PageHead title="Environment" name="Environment" />
}
