// Colors of services. A service keeps its color whichever services are chosen.
export type ServicePalette = ReadonlyMap<string, string>

const COLORS = 6

/** In the order of the names, so that the colors are the same on every visit. */
export function servicePalette(names: readonly string[]): ServicePalette {
  const known = [...new Set(names)].toSorted()
  return new Map(known.map((name, index) => [name, `var(--service-${(index % COLORS) + 1})`]))
}
