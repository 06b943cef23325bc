// The format of the share sheet that was used last: the next sheet has it on top. Apart from copy-choice.ts, since what a
// program or a site needs is seldom what "Copy" in the gallery should copy from then on.
import { readStored, writeStored } from './storage.ts'

const key = 'share_format'

/** Undefined: only the link was copied so far. */
export const lastShareFormat = (): string | undefined => readStored(key) ?? undefined

export const rememberShareFormat = (id: string): void => writeStored(key, id)
