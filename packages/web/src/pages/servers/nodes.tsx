// Nodes of a server that is a Docker Swarm: their state, drain and activate, and the line that joins a machine.
import type { Server, SwarmNode } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Appearance } from '../../status/appearance.ts'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import styles from './servers.module.css'

type Props = { readonly server: Server; readonly disabledReason: string | undefined }

export function Nodes({ server, disabledReason }: Props) {
  const [isJoining, setJoining] = useState(false)
  return (
    <section className={styles.metrics} aria-label="Nodes">
      <h3>Nodes</h3>
      {server.nodes.length === 0 ? (
        <p className="small quiet">No manager has listed its nodes yet.</p>
      ) : (
        <ul className={styles.nodes}>
          {server.nodes.map((node) => (
            <Node key={node.id} server={server} node={node} disabledReason={disabledReason} />
          ))}
        </ul>
      )}
      {server.nodes.length === 0 ? undefined : <Counted nodes={server.nodes} />}
      <div className="wrapped">
        <Button isSmall disabledReason={disabledReason} onClick={() => setJoining(true)}>
          Add a node…
        </Button>
        {server.nodes_seen_at === null ? undefined : (
          <span className="tiny faint">
            seen <RelativeTime at={server.nodes_seen_at} />
          </span>
        )}
      </div>
      <Dialog title={`Add a node to ${server.name}`} isOpen={isJoining} onClose={() => setJoining(false)} isWide>
        <Join server={server} onClose={() => setJoining(false)} />
      </Dialog>
    </section>
  )
}

/** Which nodes are in the metrics. */
function Counted({ nodes }: { readonly nodes: readonly SwarmNode[] }) {
  const silent = nodes.filter(isSilent).map(({ name }) => name)
  return (
    <p className="small quiet">
      The charts above are of the manager in use.{' '}
      {silent.length === 0
        ? 'Metrics of services count the containers of all nodes.'
        : `Metrics of services leave out the containers of ${silent.join(', ')}: run the setup or join line of the node again, and let the managers reach its port 5444.`}
    </p>
  )
}

function Node({ server, node, disabledReason }: Props & { readonly node: SwarmNode }) {
  const submission = useSubmission()
  const isActive = node.availability === 'active'
  const change = async (): Promise<void> => {
    await submission.submit(async () => {
      const availability = isActive ? 'drain' : 'active'
      await client.updateNode({ params: { id: server.id, node: node.id }, body: { availability } })
      await cache.invalidateQueries({ queryKey: keys.servers(server.organization_id) })
    })
  }
  return (
    <li>
      <NamedStatusIcon appearance={nodeAppearance(node)} size={12} />
      <span className={styles.node}>
        <span className="cut" title={node.name}>
          {node.name}
        </span>
        <span className="tiny faint">{describe(node)}</span>
        <FormError submission={submission} />
      </span>
      <Button
        isSmall
        isBusy={submission.isBusy}
        disabledReason={disabledReason}
        aria-label={`${isActive ? 'Drain' : 'Activate'} ${node.name}`}
        onClick={() => void change()}
      >
        {isActive ? 'Drain' : 'Activate'}
      </Button>
    </li>
  )
}

function nodeAppearance({ state, availability }: Pick<SwarmNode, 'state' | 'availability'>): Appearance {
  if (state !== 'ready') return { shape: 'octagon', label: state === 'down' ? 'Down' : 'Unreachable', tone: 'bad' }
  if (availability === 'active') return { shape: 'ticked', label: 'Ready', tone: 'good' }
  return { shape: 'ring', label: availability === 'drain' ? 'Drained' : 'Paused', tone: 'quiet' }
}

/** A node that answers should report what it uses. */
const isSilent = (node: SwarmNode): boolean => node.state === 'ready' && node.free_memory_bytes === null

function describe(node: SwarmNode): string {
  const { label } = nodeAppearance(node)
  const memory = `${inGibibytes(node.memory_bytes)} memory`
  const free = node.free_memory_bytes
  const disk = node.free_disk_bytes === null ? [] : [`${inGibibytes(node.free_disk_bytes)} disk free`]
  return [
    ...(label === 'Ready' ? [] : [label]),
    ...[node.is_leader ? 'leader' : node.role, node.address, `${node.cpus} CPUs`],
    free === null ? memory : `${inGibibytes(free)} of ${memory} free`,
    ...disk,
    ...Object.entries(node.labels).map(([name, value]) => (value === '' ? name : `${name}=${value}`)),
  ].join(' · ')
}

const inGibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

function Join({ server, onClose }: { readonly server: Server; readonly onClose: () => void }) {
  const submission = useSubmission()
  const [line, setLine] = useState<string>()
  const show = async (role: SwarmNode['role']): Promise<void> => {
    await submission.submit(async () => {
      setLine((await client.joinServer({ params: { id: server.id }, body: { role } })).command)
    })
  }
  return (
    <>
      <p className="small">
        A worker runs containers. A manager also keeps the state of the Swarm: name it in the record afterwards, and it
        takes over when another is lost.
      </p>
      {line === undefined ? (
        <div className="wrapped">
          <Button isBusy={submission.isBusy} onClick={() => void show('worker')}>
            Show line for a worker
          </Button>
          <Button isBusy={submission.isBusy} onClick={() => void show('manager')}>
            Show line for a manager
          </Button>
        </div>
      ) : (
        <>
          <Snippet text={line} label="the join line" prompt="#" />
          <p className="small quiet">
            Run it on the new machine as root. It holds a secret: who has it can join the Swarm.
          </p>
        </>
      )}
      <FormError submission={submission} />
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  )
}
