// Which fields of the account form are sent, and their validation errors.
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { userForm } from '../../../texts/admin/admin-messages.ts'

export interface UserFields {
  email: string
  password: string
  name: string
  firstName: string
  lastName: string
  role: User['role']
  status: User['status']
  /** The admin's own. */
  currentPassword?: string
  /** With a new password of an existing account. */
  keepApiKeys?: boolean
  /** In the form of an existing account only; NaN: not a number. null: the default of the server. */
  quotaBytes?: number | null
  quotaImages?: number | null
}
export type FieldErrors = { [K in keyof UserFields]?: string }

/** @param user undefined: a new account @param isEmail whether the browser accepts the address */
export function fieldErrorsOf(fields: UserFields, user: User | undefined, isEmail: boolean): FieldErrors {
  const { email, password, currentPassword = '', name, quotaBytes, quotaImages } = fields
  const isShort = password.length < limits.account.minPasswordLength && (user === undefined || password !== '')
  return {
    ...(email === '' || !isEmail ? { email: userForm.emailWrong } : {}),
    ...(isShort ? { password: userForm.passwordShort } : {}),
    ...(needsOwnPassword(fields, user) && currentPassword === ''
      ? { currentPassword: userForm.currentPasswordMissing }
      : {}),
    ...(user !== undefined && name === '' ? { name: userForm.nameMissing } : {}),
    ...(Number.isNaN(quotaBytes) ? { quotaBytes: userForm.quotaWrong } : {}),
    ...(Number.isNaN(quotaImages) ? { quotaImages: userForm.quotaWrong } : {}),
  }
}

/** Whether the changes require the admin's own password. */
export const needsOwnPassword = (fields: UserFields, user: User | undefined) =>
  user !== undefined && (fields.email !== user.email || fields.password !== '')

/** For a new account: the server fills in the empty fields. */
export function newUserOf({ email, password, role, status, name, firstName, lastName }: UserFields) {
  const given = Object.fromEntries(Object.entries({ name, firstName, lastName }).filter(([, value]) => value !== ''))
  return { email, password, role, status, ...given }
}

const GiB = 1024 ** 3
/** `10`, `4.66`: as a number field shows it. */
export const toGigabytes = (bytes: number | null) =>
  bytes === null ? '' : String(Math.round((100 * bytes) / GiB) / 100)
export const fromGigabytes = (text: string) => (text === '' ? null : Math.round(Number(text) * GiB))

/** Only changed fields: a sent role or status ends sessions, and admins may not send their own at all. */
export function changesOf(given: UserFields, user: User): Partial<UserFields> {
  const { password, keepApiKeys, currentPassword = '', ...fields } = given
  const changed = Object.entries(fields).filter(([field, value]) => user[field as keyof typeof fields] !== value)
  return {
    ...Object.fromEntries(changed),
    ...(password === '' ? {} : { password, keepApiKeys }),
    ...(needsOwnPassword(given, user) ? { currentPassword } : {}),
  }
}
