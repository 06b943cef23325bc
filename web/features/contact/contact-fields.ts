// The fields of the contact form and their validation.
import { limits } from '../../../contract/limits.ts'
import { contact } from '../../texts/contact-messages.ts'

const words = contact.form

export type FieldName = 'name' | 'email' | 'subject' | 'message'

export const fieldNames: readonly FieldName[] = ['name', 'email', 'subject', 'message']

export const maxLengths: Record<FieldName, number> = {
  name: limits.contact.maxNameLength,
  email: limits.contact.maxEmailLength,
  subject: limits.contact.maxSubjectLength,
  message: limits.contact.maxMessageLength,
}

/** @param isMistyped the browser's validity check of the email address */
export function problemOf(field: FieldName, value: string, isMistyped: boolean): string | undefined {
  const label = words[field]
  if (value.trim() === '') return words.missing(label)
  if (isMistyped) return words.notEmail
  if (value.length > maxLengths[field]) return words.tooLong(label, maxLengths[field])
  return undefined
}
