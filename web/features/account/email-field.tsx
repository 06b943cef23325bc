import { limits } from '../../../contract/plain/limits.ts'
import { TextField } from '../../ui/forms/text-field.tsx'
import type { ComponentProps } from 'react'

/** The address of an account. */
export const EmailField = (props: ComponentProps<typeof TextField>) => (
  <TextField name="email" type="email" required maxLength={limits.account.maxEmailLength} {...props} />
)
