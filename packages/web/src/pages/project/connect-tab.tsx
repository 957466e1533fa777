import { PageHead } from '../../components/page.tsx'

export function ConnectTab() {
  return <PageHead title="connect" name="connect" />
}
