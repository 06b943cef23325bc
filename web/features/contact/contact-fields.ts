// The fields of the contact form and their validation.
import { limits } from '../../../contract/limits.ts'
import { contact } from '../../texts/contact-messages.ts'

const texts = contact.form

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
  const label = texts[field]
  if (value.trim() === '') return texts.missing(label)
  if (isMistyped) return texts.notEmail
  if (value.length > maxLengths[field]) return texts.tooLong(label, maxLengths[field])
  return undefined
}
