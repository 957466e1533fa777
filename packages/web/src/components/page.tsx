// Page header, tabs, and other small parts that most pages share.
import type { ReactNode } from 'react'
import type { TabState } from '../status/tab-state.ts'
import { DocumentTitle } from './document-title.tsx'
import styles from './page.module.css'

type PageHead = {
  readonly title: ReactNode
  /** Title of the browser tab. */
  readonly name: string
  /** State of what the page is about, shown in the browser tab. */
  readonly state?: TabState | undefined
  readonly beside?: ReactNode
  readonly under?: ReactNode
  readonly buttons?: ReactNode
}

export function PageHead({ title, name, state, beside, under, buttons }: PageHead) {
  return (
    <div className={styles.head}>
      <DocumentTitle state={state}>{name}</DocumentTitle>
      <div className="grow">
        <div className="wrapped">
          <h1>{title}</h1>
          {beside}
        </div>
        {under === undefined ? undefined : <div className={styles.under}>{under}</div>}
      </div>
      {buttons === undefined ? undefined : <div className={styles.buttons}>{buttons}</div>}
    </div>
  )
}

/** Takes links as children; the router marks the active one. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

export const Count = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles.count}>{children}</span>
)

export const Tag = ({ children }: { readonly children: ReactNode }) => <span className={styles.tag}>{children}</span>

/** Description list in two columns. */
export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

type Fact = { readonly term: string; readonly from?: ReactNode; readonly children: ReactNode }

export function Fact({ term, from, children }: Fact) {
  return (
    <>
      <dt>{term}</dt>
      <dd>
        {children}
        {from === undefined ? undefined : <span className={styles.from}>{from}</span>}
      </dd>
    </>
  )
}
