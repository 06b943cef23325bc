import { RequestFailed } from '../client/index.ts'
import { NotLoggedIn } from './login-file.ts'

/** Documented in docs/command.md. */
export const exitCodes = {
  done: 0,
  /** The command, or a part of what it was given. */
  failed: 1,
  invalidUsage: 2,
  notAuthorized: 3,
  noResponse: 4,
  /** 128 + SIGINT, as shells count. */
  interrupted: 130,
} as const

export function exitCodeOf(error: unknown): number {
  if (error instanceof NotLoggedIn) return exitCodes.notAuthorized
  if (!(error instanceof RequestFailed)) return exitCodes.failed
  if (error.status === 0) return exitCodes.noResponse
  return [401, 403].includes(error.status) ? exitCodes.notAuthorized : exitCodes.failed
}
