// Buttons of the logs: wrap, copy, download.
import { Download } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import output from '../../../components/output/output.module.css'
import { WrapToggle } from '../../../components/output/output-toggles.tsx'
import type { ServiceLog } from '../../../data/log/service-log.ts'

type LogToolsProps = {
  readonly log: ServiceLog
  readonly marked: { readonly first: number; readonly last: number } | undefined
  readonly isWrapped: boolean
  readonly onWrap: (isWrapped: boolean) => void
  /** Name of the downloaded file. */
  readonly name: string
}

export function LogTools({ log, marked, isWrapped, onWrap, name }: LogToolsProps) {
  return (
    <span className={output.tools}>
      <WrapToggle isWrapped={isWrapped} onWrap={onWrap} />
      <CopyButton
        label="Copy the lines or the marked ones"
        text={() => plainLines(log, marked).join('')}
        words={null}
      />
      <Button
        variant="quiet"
        isSmall
        isIcon
        aria-label="Download the lines"
        title="Download the lines"
        onClick={() => download(plainLines(log), name)}
      >
        <Download size={15} strokeWidth={1.5} aria-hidden="true" />
      </Button>
    </span>
  )
}

/** As `shipway logs` prints them to a file. Numbers start at 1; without them, every line that is kept. Each ends with a line break. */
function plainLines(
  log: ServiceLog,
  { first, last }: { readonly first: number; readonly last: number } = { first: 1, last: log.store.count },
): readonly string[] {
  const from = Math.max(log.store.dropped, first - 1)
  return Array.from({ length: Math.max(0, last - from) }, (_, index) => {
    const { time, service } = log.originOf(from + index)
    return `${time.slice(0, 23)}Z ${service} ${log.store.textAt(from + index)}\n`
  })
}

function download(lines: readonly string[], name: string): void {
  const url = URL.createObjectURL(new Blob([...lines], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
