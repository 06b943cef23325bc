// The signed-in user's second factors, passkeys and connected login providers.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../model/http.ts'
import { goToProvider } from '../login/login.ts'
import { makePasskey, requestPasskey } from './passkeys.ts'
import { refresh } from '../../../model/query-client.ts'
import { refreshUser } from '../../../model/session.ts'

export const securityQuery = queryOptions({ queryKey: ['security'], queryFn: () => client.getSecurity() })

export const startTotp = () => client.startTotp()

/** @returns recovery codes, if the account had none */
export async function confirmTotp(code: string): Promise<string[] | undefined> {
  const { recoveryCodes } = await client.confirmTotp({ body: { code } })
  await refreshSecurity()
  return recoveryCodes
}

export async function deleteTotp(): Promise<void> {
  await client.deleteTotp()
  await refreshSecurity()
}

/** @returns recovery codes, if the account had none */
export async function addPasskey(name: string): Promise<string[] | undefined> {
  const { recoveryCodes } = await client.addPasskey({ body: { ...(await makePasskey()), name } })
  await refreshSecurity()
  return recoveryCodes
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await client.renamePasskey({ params: { id }, body: { name } })
  await refreshSecurity()
}

export async function deletePasskey(id: string): Promise<void> {
  await client.deletePasskey({ params: { id } })
  await refreshSecurity()
}

export async function createRecoveryCodes(): Promise<string[]> {
  const { recoveryCodes } = await client.createRecoveryCodes()
  await refreshSecurity()
  return recoveryCodes
}

/** Goes to the provider, and from there back to the page `next`. */
export const connectProvider = async (provider: string, next: string): Promise<void> =>
  goToProvider(await client.startIdentity({ params: { provider } }), next)

export async function deleteIdentity(id: string): Promise<void> {
  await client.deleteIdentity({ params: { id } })
  await refreshSecurity()
}

/** Confirms who the user is: actions that need it work for 10 minutes. */
export async function confirmIdentity(proof: { currentPassword: string } | { code: string }): Promise<void> {
  await client.confirmIdentity({ body: proof })
}

export async function confirmByPasskey(): Promise<void> {
  await client.confirmIdentity({ body: { passkey: await requestPasskey() } })
}

/** Also whether the session still needs a second factor. */
async function refreshSecurity(): Promise<void> {
  await Promise.all([refresh(securityQuery), refreshUser()])
}
