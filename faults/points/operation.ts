// An operation: executed with a fault, repeated as a client would repeat it, and then checked.
import type { CallResponse } from '../client.ts'
import type { TestServer } from './test-server.ts'
import type { SeedImage } from './seed-images.ts'

/** Prepares the data. @returns the operation, which runs twice: with the fault, and again as a client's retry */
export type Prepare = (server: TestServer, seedImage: SeedImage) => Promise<PreparedOperation>

export interface Operation {
  name: string
  set: Prepare
}

export interface PreparedOperation {
  act(): Promise<OperationResult>
  /** The allowed statuses of the second attempt. Default: 200. */
  allowedRetryStatuses?: readonly number[]
  /** What is wrong after both attempts, beyond the general invariants. */
  check?(first: OperationResult, second: OperationResult): Promise<string[]>
}

export type OperationResult = Pick<CallResponse, 'status' | 'body'>

export const isGood = ({ status }: Pick<OperationResult, 'status'>) => status >= 200 && status < 300

/** Wraps work that no request triggers: a thrown error becomes its response. */
export async function asResponse(work: () => Promise<unknown>): Promise<OperationResult> {
  const reply = (status: number, body: object) => ({ status, body: Buffer.from(JSON.stringify(body)) })
  return work().then(
    () => reply(200, {}),
    (error: unknown) => reply(500, { error: `thrown: ${String(error)}`, code: 'internal' }),
  )
}
