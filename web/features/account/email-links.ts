// Addresses and passwords that links in mails confirm or set.
import { useSyncExternalStore } from 'react'
import type { Client } from '../../../contract/derive/client.ts'

const loadClient = async () => (await import('../../model/http.ts')).client

const subscribe = (onChange: () => void) => {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The token of the link that opened this page, in its fragment; empty without one. */
export const useLinkToken = (): string => useSyncExternalStore(subscribe, () => location.hash.slice(1))

/** @returns the address that is confirmed now */
export const confirmEmail = async (token: string, password: string): Promise<string> =>
  (await (await loadClient()).confirmEmail({ body: { token, password } })).email

export async function requestPasswordReset(email: string): Promise<void> {
  await (await loadClient()).requestPasswordReset({ body: { email } })
}

/** @returns the address of the account */
export const completePasswordReset = async (token: string, newPassword: string): Promise<string> =>
  (await (await loadClient()).completePasswordReset({ body: { token, newPassword } })).email

export async function requestEmailConfirmation(
  body: NonNullable<Parameters<Client['requestEmailConfirmation']>[0]>['body'],
): Promise<void> {
  await (await loadClient()).requestEmailConfirmation({ body })
}
