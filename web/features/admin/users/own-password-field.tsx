import type { ComponentProps } from 'react'
import { userForm } from '../../../texts/admin/admin-messages.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'

/** The password of the admin, which confirms a change. */
export const OwnPasswordField = (props: Pick<ComponentProps<typeof PasswordField>, 'error' | 'onText'>) => (
  <PasswordField
    {...props}
    name="currentPassword"
    label={userForm.currentPassword}
    hint={userForm.currentPasswordHint}
  />
)
