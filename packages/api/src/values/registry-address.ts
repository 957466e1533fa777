// The address of a registry of images, as Docker writes it before the name of an image: a host name, a port if it is not 443, and a folder
// there.
import { z } from 'zod'
import { rule } from './rule.ts'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Without a dot or a port, Docker would take it for a folder of its own hub. */
const HOST = `(?=[^/]*[.:])${LABEL}(?:\\.${LABEL})*(?::[1-9][0-9]{0,4})?`
const FOLDER = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const FORM = new RegExp(`^${HOST}(?:/${FOLDER})*$`)

export const RegistryAddress = z
  .string()
  .max(260)
  .check(
    rule(
      'invalid_registry',
      'Enter the host name of the registry in lower case, with a port and a folder if needed: registry.example.com:5000/previews',
      (address) => FORM.test(address),
    ),
  )
