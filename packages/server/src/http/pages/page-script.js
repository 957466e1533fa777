// Sends the forms of the plain pages as JSON and puts what is wrong beside the fields. Links carry their token behind the
// #, which a browser keeps to itself; it is read here and leaves only in the body of a request.
const token = new URLSearchParams(location.hash.slice(1)).get('token')

for (const element of document.querySelectorAll('[data-token]')) {
  element.hidden = (element.dataset.token === 'present') !== (token !== null)
}
for (const link of document.querySelectorAll('a[data-keeps-fragment]')) link.hash = location.hash
for (const form of document.querySelectorAll('form[data-action]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    await send(form)
  })
}

async function send(form) {
  const button = form.querySelector('button')
  clearErrors(form)
  button.disabled = true
  try {
    const answer = await fetch(form.dataset.action, requestOf(form))
    if (answer.ok) succeed(form)
    else showProblem(form, await answer.json())
  } catch {
    showError(form, 'The platform did not answer. Check your connection, then try again.')
  } finally {
    button.disabled = false
  }
}

function requestOf(form) {
  const fields = Object.fromEntries(new FormData(form))
  const body = form.dataset.sendsToken === undefined ? fields : { ...fields, token: token ?? '' }
  const method = form.dataset.method
  if (Object.keys(body).length === 0) return { method }
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function succeed(form) {
  if (form.dataset.next !== undefined) {
    // A token that came here on the way to another page goes on with it; one that was used stays behind.
    location.assign(form.dataset.next + (form.dataset.sendsToken === undefined ? location.hash : ''))
    return
  }
  const notice = form.nextElementSibling
  form.hidden = true
  notice.hidden = false
  notice.focus()
}

function clearErrors(form) {
  for (const element of form.querySelectorAll('.error')) element.hidden = true
  for (const input of form.querySelectorAll('input')) input.removeAttribute('aria-invalid')
}

function showProblem(form, problem) {
  const elsewhere = (problem.errors ?? []).filter((fault) => !showFault(form, fault))
  if (problem.errors === undefined) showError(form, problem.detail)
  else if (elsewhere.length > 0) showError(form, elsewhere.map(({ detail }) => detail).join('. '))
  form.querySelector('[aria-invalid=true]')?.focus()
}

function showFault(form, { pointer, detail }) {
  const input = form.elements.namedItem(pointer.slice(1))
  if (!(input instanceof HTMLInputElement)) return false
  const place = document.getElementById(`${input.id}-error`)
  place.textContent = detail
  place.hidden = false
  input.setAttribute('aria-invalid', 'true')
  return true
}

function showError(form, text) {
  const alert = form.querySelector('[role=alert]')
  alert.textContent = text
  alert.hidden = false
}
