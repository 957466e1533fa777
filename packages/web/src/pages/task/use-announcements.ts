// Announces each phase and the result to screen readers, never lines of output.
import type { Task } from '@shipway/api'
import { useEffect, useRef } from 'react'
import { announce } from '../../layout/announcer.tsx'
import { taskAppearance } from '../../status/appearance.ts'
import { currentPhase } from '../../status/phases.ts'
import { isActive, taskName } from './task-name.ts'

export function useAnnouncements(task: Task): void {
  const said = useRef<string>(undefined)
  const phase = currentPhase(task)
  const sentence = isActive(task)
    ? `${taskName(task)}: ${phase === undefined ? 'queued' : `${phase} is running`}`
    : `${taskName(task)}: ${taskAppearance(task).label.toLowerCase()}${task.status === 'failed' && phase !== undefined ? ` in ${phase}` : ''}`
  useEffect(() => {
    // The initial state is read with the page.
    if (said.current !== undefined && said.current !== sentence) announce(sentence)
    said.current = sentence
  }, [sentence])
}
