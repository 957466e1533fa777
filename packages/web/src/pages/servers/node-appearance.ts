// How the state of a node is shown.
import type { SwarmNode } from '@shipway/api'
import type { Appearance } from '../../status/appearance.ts'

export function nodeAppearance({ state, availability }: Pick<SwarmNode, 'state' | 'availability'>): Appearance {
  if (state !== 'ready') return { shape: 'octagon', label: state === 'down' ? 'Down' : 'Unreachable', tone: 'bad' }
  if (availability === 'active') return { shape: 'ticked', label: 'Ready', tone: 'good' }
  return { shape: 'ring', label: availability === 'drain' ? 'Drained' : 'Paused', tone: 'quiet' }
}
