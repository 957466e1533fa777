// Sets the title and the icon of the browser tab.
import { useEffect } from 'react'
import { TAB_ICONS, TAB_SIGNS, type TabState } from '../status/tab-state.ts'

type TitleProps = { readonly children: string; readonly state?: TabState | undefined }

export function DocumentTitle({ children, state }: TitleProps) {
  useEffect(() => {
    document.title = `${state === undefined ? '' : `${TAB_SIGNS[state]} `}${children} · Shipway`
  }, [children, state])
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon === null || state === undefined) return
    const plain = icon.href
    icon.href = TAB_ICONS[state]
    return () => {
      icon.href = plain
    }
  }, [state])
  return null
}
