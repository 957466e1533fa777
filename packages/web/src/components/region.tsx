// Error boundary of one region: a fault inside replaces the region, and the rest of the page keeps working.
import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Fault } from './states.tsx'

type RegionProps = {
  /** What cannot be shown, as the start of a sentence. */
  readonly name: string
  /** Another value tries again: the address, for regions that outlive a page. */
  readonly resetKey?: string
  readonly onClose?: () => void
  readonly children: ReactNode
}
type RegionState = { readonly error: Error | undefined; readonly resetKey: string | undefined }

export class Region extends Component<RegionProps, RegionState> {
  override state: RegionState = { error: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(problem: unknown): Pick<RegionState, 'error'> {
    return { error: problem instanceof Error ? problem : new Error(String(problem)) }
  }

  static getDerivedStateFromProps({ resetKey }: RegionProps, state: RegionState): RegionState | null {
    return resetKey === state.resetKey ? null : { error: undefined, resetKey }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { name, onClose, children } = this.props
    if (error === undefined) return children
    return (
      <Fault title={`${name} cannot be shown`} error={error}>
        <Button isSmall onClick={() => this.setState({ error: undefined })}>
          Try again
        </Button>
        {onClose === undefined ? undefined : (
          <Button isSmall onClick={onClose}>
            Close
          </Button>
        )}
      </Fault>
    )
  }
}
