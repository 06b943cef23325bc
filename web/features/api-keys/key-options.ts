// What the form chooses for a new key: validation, and the body of the request.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { grantedBy, type Scope, scopes } from '../../../contract/plain/scopes.ts'
import { endOfLocalDay } from '../../format/dates.ts'
import type { NewKeyRequest } from '../../model/api-keys.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'

/** `date`: the day in {@link KeyOptions.date}; numbers are days from now. */
export const expiries = ['never', '7', '30', '90', '365', 'date'] as const
type Expiry = (typeof expiries)[number]

export interface KeyOptions {
  scopes: readonly Scope[]
  expiry: Expiry
  /** The last day in the reader's time zone, such as `2027-01-31`. */
  date: string
  /** As typed; empty: no limit. */
  uploadsPerHour: string
  /** As typed; empty: no limit. */
  totalMegabytes: string
}

/** The least that a new key needs for its usual purpose. */
export const initialOptions: KeyOptions = {
  scopes: ['upload'],
  expiry: 'never',
  date: '',
  uploadsPerHour: '',
  totalMegabytes: '',
}

export type KeyField = 'name' | 'scopes' | 'date' | 'uploadsPerHour' | 'totalMegabytes'

/** In the order of the form. */
export function optionErrors(name: string, options: KeyOptions, now: number): Partial<Record<KeyField, string>> {
  const { maxUploadsPerHour, maxTotalBytes } = accountLimits.apiKeys
  const isPast = options.expiry === 'date' && !(endOfLocalDay(options.date) > now)
  return {
    ...(name === '' && { name: apiKeys.nameRequired }),
    ...(isPast && { date: apiKeys.datePast }),
    ...(options.scopes.length === 0 && { scopes: apiKeys.scopeRequired }),
    ...(!isLimit(options.uploadsPerHour, maxUploadsPerHour) && {
      uploadsPerHour: apiKeys.numberWrong(maxUploadsPerHour),
    }),
    ...(!isLimit(options.totalMegabytes, maxTotalBytes / MiB) && {
      totalMegabytes: apiKeys.numberWrong(maxTotalBytes / MiB),
    }),
  }
}

/** @param options without {@link optionErrors} */
export function newKeyRequest(name: string, options: KeyOptions, now: number): NewKeyRequest {
  const { expiry, uploadsPerHour, totalMegabytes } = options
  const expiresAt = expiry === 'date' ? endOfLocalDay(options.date) : now + Number(expiry) * dayMs
  return {
    name,
    scopes: scopes.filter((scope) => options.scopes.includes(scope)),
    ...(expiry !== 'never' && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(uploadsPerHour.trim() !== '' && { uploadsPerHour: Number(uploadsPerHour) }),
    ...(totalMegabytes.trim() !== '' && { maxBytes: Number(totalMegabytes) * MiB }),
  }
}

/** `manage` includes the other scopes: they cannot be switched off beside it. */
export const isImplied = (scope: Scope, chosen: readonly Scope[]): boolean =>
  !chosen.includes(scope) && grantedBy(chosen).includes(scope)

const MiB = 1024 ** 2

const isLimit = (typed: string, max: number) =>
  typed.trim() === '' || (/^\d{1,10}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= max)
