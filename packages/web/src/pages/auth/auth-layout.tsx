// Layout of the public pages: brand on one side, the form on the other.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Brand } from '../../components/brand.tsx'
import { Button } from '../../components/button.tsx'
import { DocumentTitle } from '../../components/document-title.tsx'
import type { Submission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import styles from './auth.module.css'

type AuthLayoutProps = {
  readonly title: string
  readonly under?: ReactNode
  readonly tagline: string
  readonly children: ReactNode
}

export function AuthLayout({ title, under, tagline, children }: AuthLayoutProps) {
  return (
    <div className={styles.auth}>
      <DocumentTitle>{title}</DocumentTitle>
      <Side tagline={tagline} />
      <main className={styles.main}>
        <div className={styles.content}>
          <div className={styles.mobileBrand}>
            <Brand size={26} />
            <b>Shipway</b>
          </div>
          <div>
            <h1>{title}</h1>
            {under === undefined ? undefined : <p className={styles.under}>{under}</p>}
          </div>
          {children}
        </div>
      </main>
    </div>
  )
}

function Side({ tagline }: { readonly tagline: string }) {
  const { data: health } = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => client.getHealth({ signal }) })
  return (
    <aside className={styles.side} aria-label="Shipway">
      <div className={styles.stripes} aria-hidden="true">
        {['1', '2', '3', '4', '5', '6'].map((way) => (
          <i key={way} />
        ))}
      </div>
      <div className={styles.brand}>
        <Brand size={26} />
        <b>Shipway</b>
      </div>
      <p className={styles.tagline}>{tagline}</p>
      <span className={styles.version}>{health?.version}</span>
    </aside>
  )
}

/** Makes a button as wide as the fields. */
export const AuthButton = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.button}>{children}</div>
)

export const AuthSubmit = ({
  submission,
  children,
}: {
  readonly submission: Submission
  readonly children: string
}) => (
  <AuthButton>
    <Button variant="primary" type="submit" isBusy={submission.isBusy}>
      {children}
    </Button>
  </AuthButton>
)

/** Focuses the first field, except on touch screens, where the keyboard would cover the page. */
export function Fields({ children }: { readonly children: ReactNode }) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) fields.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={fields} className={styles.fields}>
      {children}
    </div>
  )
}

/** For links without their token. */
export function IncompleteLink({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <p>This link is incomplete. {children}</p>
      <Link className="link small" to="/sign-in">
        Sign in
      </Link>
    </>
  )
}
