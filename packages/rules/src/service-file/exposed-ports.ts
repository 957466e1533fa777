// The ports that a Dockerfile says its last stage listens on.
export function exposedPorts(dockerfile: string): readonly number[] {
  const ports = new Set<number>()
  for (const line of dockerfile.split(/\r?\n/)) {
    if (/^\s*FROM\s/i.test(line)) ports.clear()
    const words = /^\s*EXPOSE\s+(.*)$/i.exec(line)?.[1]?.split(/\s+/) ?? []
    for (const word of words.slice(0, MOST_PORTS)) {
      const port = Number(/^([0-9]{1,5})(?:-[0-9]{1,5})?(?:\/tcp)?$/i.exec(word)?.[1])
      if (port >= 1 && port <= 65_535) ports.add(port)
    }
  }
  return [...ports].slice(0, MOST_PORTS)
}

const MOST_PORTS = 50
