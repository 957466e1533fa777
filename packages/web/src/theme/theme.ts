// The user's theme, stored in this browser: light, dark, or the system's.
import { observable } from '../data/observable.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'Match system', light: 'Light', dark: 'Dark' }

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
