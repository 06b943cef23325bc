// Which fields of the account form are sent, and their validation errors.
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
export type FieldErrors = { [K in keyof UserFields]?: string }

/** @param user undefined: a new account @param isEmail whether the browser accepts the address */
export function fieldErrorsOf(
  { email, password, name }: UserFields,
  user: User | undefined,
  isEmail: boolean,
): FieldErrors {
  const isShort = password.length < limits.account.minPasswordLength && (user === undefined || password !== '')
  return {
    ...(email === '' || !isEmail ? { email: userForm.emailWrong } : {}),
    ...(isShort ? { password: userForm.passwordShort } : {}),
    ...(user !== undefined && name === '' ? { name: userForm.nameMissing } : {}),
  }
}

/** For a new account: the server fills in the empty fields. */
export function newUserOf({ name, firstName, lastName, ...rest }: UserFields) {
  const given = Object.fromEntries(Object.entries({ name, firstName, lastName }).filter(([, value]) => value !== ''))
  return { ...rest, ...given }
}

/** Only changed fields: a sent role or status ends sessions, and admins may not send their own at all. */
export function changesOf({ password, ...fields }: UserFields, user: User): Partial<UserFields> {
  const changed = Object.entries(fields).filter(([field, value]) => user[field as keyof typeof fields] !== value)
  return { ...Object.fromEntries(changed), ...(password === '' ? {} : { password }) }
}
