// Sets the title of the browser tab.
import { useEffect } from 'react'

export function DocumentTitle({ children }: { readonly children: string }) {
  useEffect(() => {
    document.title = `${children} · Shipway`
  }, [children])
  return null
}
