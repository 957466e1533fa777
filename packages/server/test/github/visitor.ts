// A person who passes through GitHub's pages without a browser: registers an App, and installs it.
type Answer = { readonly [name: string]: string }

/** Posts the manifest as a page of the platform does, and creates the App. Returns what GitHub sends back. */
export async function registerApp(url: string, manifest: string, name?: string): Promise<Answer> {
  const shown = await fetch(url, { method: 'POST', body: new URLSearchParams({ manifest }) })
  const text = await shown.text()
  if (shown.status !== 200) throw new Error(text)
  const fields = new URLSearchParams(
    [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, field = '', value = '']) => [field, unescaped(value)]),
  )
  if (name !== undefined) fields.set('name', name)
  return redirected(
    await fetch(new URL('/settings/apps/manifest', url), { method: 'POST', body: fields, redirect: 'manual' }),
  )
}

/** Installs the App for all repositories of its owner. Returns what GitHub sends back. */
export async function installApp(url: string): Promise<Answer> {
  const body = new URLSearchParams({ selection: 'all' })
  return redirected(await fetch(url, { method: 'POST', body, redirect: 'manual' }))
}

async function redirected(answer: Response): Promise<Answer> {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`GitHub answered ${answer.status}: ${await answer.text()}`)
  await answer.body?.cancel()
  const { searchParams, pathname } = new URL(location)
  return { ...Object.fromEntries(searchParams), pathname }
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
