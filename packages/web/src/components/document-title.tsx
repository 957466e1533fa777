// The words in the tab of the browser.
import { useEffect } from 'react'

export function DocumentTitle({ children }: { readonly children: string }) {
  useEffect(() => {
    document.title = `${children} · Shipway`
  }, [children])
  return null
}
