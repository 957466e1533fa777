// The organization opened last in this browser, where the home page redirects to.
const KEY = 'shipway.organization'

export const lastOrganization = (): number => Number(localStorage.getItem(KEY))

export const keepOrganization = (id: number): void => localStorage.setItem(KEY, String(id))
