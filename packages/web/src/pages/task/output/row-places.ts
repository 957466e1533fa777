// Where rows are, in pixels from the first, and how to go to one.
export type Align = 'start' | 'center' | 'end'

export type RowPlaces = { readonly topOf: (row: number) => number; readonly goTo: (row: number, align: Align) => void }
