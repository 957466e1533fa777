// Layout of all signed-in pages: sidebar, top bar, content.
import { useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Modal } from '../components/dialog.tsx'
import { Region } from '../components/region.tsx'
import { Announcer } from './announcer.tsx'
import { EndNotifications } from './end-notifications.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import styles from './layout.module.css'
import { LeaveUnsaved } from './leave-unsaved.tsx'
import { OutdatedPage } from './outdated-page.tsx'
import { Palette } from './palette/palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { UnlockedOutlet } from './two-factor-required.tsx'

export function Layout() {
  const [isSearching, setSearching] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Region name="The menu" resetKey={path}>
        <Sidebar onSearch={() => setSearching(true)} />
      </Region>
      <div className={styles.page}>
        <Region name="The top bar" resetKey={path}>
          <TopBar opener={<MobileSidebar onSearch={() => setSearching(true)} />} />
        </Region>
        <main id="main" className={styles.main} tabIndex={-1}>
          <UnlockedOutlet />
        </main>
      </div>
      <Palette isOpen={isSearching} onOpen={() => setSearching(true)} onClose={() => setSearching(false)} />
      <KeysDialog />
      <LeaveUnsaved />
      <EndNotifications />
      <OutdatedPage />
      <Announcer />
    </div>
  )
}

/** The sidebar on phones. */
function MobileSidebar({ onSearch }: { readonly onSearch: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => setOpen(false), [path])
  return (
    <>
      <span className={styles.menuButton}>
        <Button variant="quiet" isIcon aria-label="Menu" onClick={() => setOpen(true)}>
          <MenuIcon size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      </span>
      <Modal
        className={styles.mobileSidebar}
        aria-label="Menu"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        closesOnOutsideClick
      >
        <Region name="The menu" onClose={() => setOpen(false)}>
          <Sidebar
            onSearch={() => {
              setOpen(false)
              onSearch()
            }}
          />
        </Region>
      </Modal>
    </>
  )
}
