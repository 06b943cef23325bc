// The invitation that was opened before a login, which leads back to it. In this tab alone, never in an address.
import { paths } from '../../paths.ts'
import { readStored, writeStored } from '../browser-storage.ts'

const key = 'album-invite'

/** Its token; empty without one. */
export const pendingInvite = (): string => readStored(key, 'sessionStorage') ?? ''

export const keepInvite = (token: string): void => writeStored(key, token, 'sessionStorage')
export const forgetInvite = (): void => writeStored(key, null, 'sessionStorage')

/** Where a login leads that does not say. */
export const afterLogin = (): string => (pendingInvite() === '' ? paths.dashboard : paths.albumInvite)
