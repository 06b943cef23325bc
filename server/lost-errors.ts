import type { FastifyBaseLogger } from 'fastify'

/**
 * Owns the errors that reach nobody else, each of which is a bug. One of the system, such as a full disk or a broken pipe, comes
 * from a single file or connection, and a rejected promise from a single piece of work: the server goes on. After another one
 * nobody knows its state: it ends, and the service manager starts it again.
 */
export function ownLostErrors(log: FastifyBaseLogger): void {
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'Work that nobody waited for failed: this is a bug, please report it')
  })
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.syscall !== undefined)
      return log.error({ err: error }, 'An error of the system reached nobody: this is a bug, please report it')
    log.fatal({ err: error }, 'The server ends because of a bug, please report it')
    process.exit(1)
  })
}
