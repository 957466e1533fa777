// After an update of the platform: offers to load the page again, and does so by itself when another page is opened.
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { isOutdated } from '../data/new-version.ts'
import styles from './layout.module.css'

export function OutdatedPage() {
  const isShown = isOutdated.use()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // A page that was just opened has nothing to lose: unsaved changes of the one before were asked about.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page is the moment for it
  useEffect(() => {
    if (isOutdated.get()) location.reload()
  }, [path])
  if (!isShown) return null
  return (
    <div className={styles.outdated} role="status">
      <span className="grow">Shipway was updated. Reload to use the new version.</span>
      <Button isSmall onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
