import { PageHead } from '../../components/page.tsx'

export function EnvironmentVariablesTab() {
  return <PageHead title="variables" name="variables" />
}
