// Texts that forms share.
const number = (n: number) => n.toLocaleString('en-US')

export const form = {
  showPassword: 'Show password',
  /** Of the field that people do not see. */
  honeypot: 'Leave this field empty',
  missing: (label: string) => `${label} is required`,
  notEmail: 'This is not an email address. It should look like name@example.com',
  tooLong: (label: string, max: number) => `${label} is longer than ${number(max)} characters`,
  length: (length: number, max: number) => `${number(length)} of ${number(max)} characters`,
} as const
