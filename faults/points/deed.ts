// What a deed is: something done while a call fails, done again as a client would, and looked at then.
import type { Reply } from '../client.ts'
import type { House } from './house.ts'
import type { Plant } from './plant.ts'

export interface Deed {
  name: string
  /** Makes what it is done to. @returns the deed itself, which is done twice: under the fault, and again as a client would */
  set(house: House, plant: Plant): Promise<Act>
}

export interface Act {
  act(): Promise<Done>
  /** What the second time may answer. */
  again: readonly number[]
  /** What is wrong after both, beyond what must always hold. */
  check?(first: Done, second: Done): Promise<string[]>
}

export type Done = Pick<Reply, 'status' | 'body'>

export const isGood = ({ status }: Pick<Done, 'status'>) => status >= 200 && status < 300

/** Of what no request asks for: that it fails is its answer. */
export async function answering(work: () => Promise<unknown>): Promise<Done> {
  const reply = (status: number, body: object) => ({ status, body: Buffer.from(JSON.stringify(body)) })
  return work().then(
    () => reply(200, {}),
    (error: unknown) => reply(500, { error: `thrown: ${String(error)}`, code: 'internal' }),
  )
}
