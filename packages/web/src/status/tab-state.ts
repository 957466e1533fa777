// State of a deployment or an environment in the browser tab: a sign before the title, and an icon.
import { type Appearance, environmentAppearance, taskAppearance } from './appearance.ts'

export type TabState = 'active' | 'good' | 'warn' | 'bad'

/** Signs of one character: a tab shows few. */
export const TAB_SIGNS: Readonly<Record<TabState, string>> = { active: '…', good: '✓', warn: '!', bad: '✗' }

export const TAB_ICONS: Readonly<Record<TabState, string>> = {
  active: new URL('./favicons/active.svg', import.meta.url).href,
  good: new URL('./favicons/good.svg', import.meta.url).href,
  warn: new URL('./favicons/warn.svg', import.meta.url).href,
  bad: new URL('./favicons/bad.svg', import.meta.url).href,
}

const OF_TONE: Readonly<Record<Appearance['tone'], TabState | undefined>> = {
  accent: 'active',
  good: 'good',
  warn: 'warn',
  bad: 'bad',
  quiet: undefined,
}

/** A queued task is active, and a succeeded one is good news in a tab, though both are grey on pages. */
export const tabStateOfTask = (task: Parameters<typeof taskAppearance>[0]): TabState | undefined =>
  task.status === 'queued' ? 'active' : task.status === 'succeeded' ? 'good' : OF_TONE[taskAppearance(task).tone]

export const tabStateOfEnvironment = (environment: Parameters<typeof environmentAppearance>[0]): TabState | undefined =>
  OF_TONE[environmentAppearance(environment).tone]
