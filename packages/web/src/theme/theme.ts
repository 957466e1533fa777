// Light, dark, or as the system has it: kept in this browser.
import { observable } from '../data/observable.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'shipway.theme'
const theme = observable<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system')

export const useTheme = theme.use

export function applyTheme(): void {
  if (theme.get() === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.get()
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(KEY, chosen)
  theme.set(chosen)
  applyTheme()
}
