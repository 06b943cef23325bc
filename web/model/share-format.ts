// The format of the share sheet that was used last: the next sheet has it on top.
import { readStored, writeStored } from './storage.ts'

const key = 'share_format'

/** Undefined: only the link was copied so far. */
export const lastShareFormat = (): string | undefined => readStored(key) ?? undefined

export const rememberShareFormat = (id: string): void => writeStored(key, id)
