// The fields of the contact form and their validation.
import { limits } from '../../../contract/plain/limits.ts'
import { contact } from '../../texts/contact-messages.ts'
import { form } from '../../texts/form-messages.ts'

export type FieldName = 'name' | 'email' | 'subject' | 'message'

export const fieldNames: readonly FieldName[] = ['name', 'email', 'subject', 'message']

export const maxLengths: Record<FieldName, number> = {
  name: limits.contact.maxNameLength,
  email: limits.contact.maxEmailLength,
  subject: limits.contact.maxSubjectLength,
  message: limits.contact.maxMessageLength,
}

/** @param isMistyped the browser's validity check of the email address */
export function contactFieldError(field: FieldName, value: string, isMistyped: boolean): string | undefined {
  const label = contact.form[field]
  if (value.trim() === '') return form.missing(label)
  if (isMistyped) return form.notEmail
  if (value.length > maxLengths[field]) return form.tooLong(label, maxLengths[field])
  return undefined
}
