// What of an account's form is sent, and what is wrong with it before it is sent.
import type { User } from '../../../contract/accounts.ts'
import { limits } from '../../../contract/limits.ts'
import { userForm } from '../../texts/admin-messages.ts'

export interface UserFields {
  email: string
  password: string
  name: string
  firstName: string
  lastName: string
  role: User['role']
  status: User['status']
}
export type Wrong = { [K in keyof UserFields]?: string }

/** @param user whose account is edited; undefined: a new one. @param isEmail what the browser says of the address */
export function wrongIn({ email, password, name }: UserFields, user: User | undefined, isEmail: boolean): Wrong {
  const isShort = password.length < limits.account.minPasswordLength && (user === undefined || password !== '')
  return {
    ...(email === '' || !isEmail ? { email: userForm.emailWrong } : {}),
    ...(isShort ? { password: userForm.passwordShort } : {}),
    ...(user !== undefined && name === '' ? { name: userForm.nameMissing } : {}),
  }
}

/** For a new account: what was left empty is the server's to fill. */
export function newUserOf({ name, firstName, lastName, ...rest }: UserFields) {
  const given = Object.fromEntries(Object.entries({ name, firstName, lastName }).filter(([, value]) => value !== ''))
  return { ...rest, ...given }
}

/** Only what differs: a role or status that is sent ends sessions, and one's own may not be sent at all. */
export function changesOf({ password, ...fields }: UserFields, user: User): Partial<UserFields> {
  const changed = Object.entries(fields).filter(([field, value]) => user[field as keyof typeof fields] !== value)
  return { ...Object.fromEntries(changed), ...(password === '' ? {} : { password }) }
}
