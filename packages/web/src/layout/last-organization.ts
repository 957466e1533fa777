// The organization that this browser looked at last: where the first page leads.
const KEY = 'shipway.organization'

export const lastOrganization = (): number => Number(localStorage.getItem(KEY))

export const keepOrganization = (id: number): void => localStorage.setItem(KEY, String(id))
