import type { ComponentProps } from 'react'
import { userForm } from '../../../texts/admin/admin-messages.ts'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'

/** The password of the admin, which confirms a change. */
export function OwnPasswordField(
  props: Pick<ComponentProps<typeof CurrentPasswordField>, 'id' | 'field' | 'error' | 'onLength'>,
) {
  const { currentPassword: label, currentPasswordHint: hint } = userForm
  return <CurrentPasswordField {...props} name="currentPassword" label={label} hint={hint} />
}
