// The contact form, compatible with the EmailJS client that the page uses (docs/behaviour.md, "Contact form and mail").
import { z } from 'zod'
import { ownEmailJs } from '../plain/emailjs.ts'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { hiddenFields, multiline, tooLong } from './public-form.ts'
import { example, omitted } from './schema-parts.ts'

const bounds = limits.contact

/** A value for a mail header: without line breaks, which would start another header (header injection). */
const line = (max: number) =>
  z
    .string('is required')
    .max(max, tooLong(max))
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters')
const requiredLine = (max: number) => line(max).trim().min(1, 'is required')

const message = {
  name: requiredLine(bounds.maxNameLength).meta(example('Ada Lovelace')),
  email: z
    .email('must be an email address')
    .max(bounds.maxEmailLength, tooLong(bounds.maxEmailLength))
    .describe('Reply-To address of the mail'),
  subject: requiredLine(bounds.maxSubjectLength).meta(example('A question')),
  message: multiline(bounds.maxMessageLength)
    .regex(/\S/, 'is required')
    .meta(example('Hello, how long are pictures kept?')),
  recipient: line(bounds.maxEmailLength).optional().describe('Ignored').meta(omitted),
  ...hiddenFields,
}
export type ContactMessage = z.output<z.ZodObject<typeof message>>

const id = (problem: string, own: string) =>
  z
    .string(problem)
    .min(1, problem)
    .max(100)
    .meta(example(own, `Any value; the page sends ${own}`))
const envelope = {
  lib_version: z
    .string('The lib version is required')
    .min(1, 'The lib version is required')
    .max(100)
    .meta(example('4.4.1')),
  user_id: id('The public key is required', ownEmailJs.publicKey),
  service_id: id('The service ID is required', ownEmailJs.serviceId),
  template_id: id('The template ID is required', ownEmailJs.templateId),
}

const sending = {
  description: `At most ${bounds.perAddress.limit} messages per hour and client address. The message is stored, and mailed if a mail server is configured.`,
  category: 'contact',
  access: 'public',
  response: 'text',
} as const

export const contact = {
  sendEmail: endpoint({
    ...sending,
    summary: 'Send a message through the contact form',
    body: z.object({ ...envelope, template_params: z.object(message, 'The template params have to be the object') }),
    failures: ['malformed_json', 'untimely_form', 'body_too_large', 'unsupported_body', 'too_many_requests', 'busy'],
  }),
  sendEmailForm: endpoint({
    ...sending,
    summary: 'Send a message as multipart/form-data',
    description: 'Like POST /api/v1.0/email/send.',
    form: true,
    body: z.object({ ...envelope, ...message }),
    failures: [
      'malformed_upload',
      'too_many_files',
      'untimely_form',
      'foreign_form',
      'body_too_large',
      'unsupported_body',
      'too_many_requests',
      'busy',
    ],
  }),
}
