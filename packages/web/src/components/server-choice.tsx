// Servers as check boxes.
import type { Server } from '@shipway/api'
import { Checkbox } from './form.tsx'

type Props = {
  readonly servers: readonly Pick<Server, 'id' | 'name' | 'hostname'>[]
  readonly chosen: readonly number[]
  readonly onChoose: (ids: readonly number[]) => void
}

export function ServerChoice({ servers, chosen, onChoose }: Props) {
  return (
    <fieldset className="stack">
      <legend className="small strong">Servers</legend>
      {servers.map(({ id, name, hostname }) => (
        <Checkbox
          key={id}
          label={name}
          hint={hostname}
          checked={chosen.includes(id)}
          onChange={({ target }) => onChoose(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  )
}
