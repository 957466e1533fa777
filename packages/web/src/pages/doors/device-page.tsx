import { PageHead } from '../../components/page.tsx'

export function DevicePage() {
  return <PageHead title="device" name="device" />
}
