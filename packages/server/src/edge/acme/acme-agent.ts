// Connects to the ACME authority with the configured roots, and remembers why a connection failed.
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { getCACertificates } from 'node:tls'
import { CannotStart } from '../../domain/cannot-start.ts'

export function createAcmeAgent(caFile: string | undefined): AcmeAgent {
  return new AcmeAgent(caFile === undefined ? {} : { ca: [...getCACertificates('default'), readRoots(caFile)] })
}

class AcmeAgent extends Agent {
  #lastError: string | undefined

  forget(): void {
    this.#lastError = undefined
  }

  lastError(): string | undefined {
    return this.#lastError
  }

  override createConnection(...words: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...words)
    socket?.once('error', (error) => {
      this.#lastError = error.message
    })
    return socket
  }
}

function readRoots(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CannotStart(`The file of SHIPWAY_ACME_CA_FILE cannot be read: ${file}`, { cause })
  }
}
