import { useState } from 'react'
import { useSite } from '../../model/site.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { passwordHint } from './password-hint.ts'

interface Props {
  name: string
  label: string
  /** Returns that of the account, as far as it is known. */
  emailOf: () => string
  error: string | undefined
}

/** A field for a new password, with a hint that follows what is typed. */
export function NewPasswordField({ emailOf, ...field }: Props) {
  const { passwordMin: min, siteName } = useSite()
  const [hint, setHint] = useState(() => passwordHint('', { min, names: [] }))
  return (
    <PasswordField
      {...field}
      hint={hint}
      isNew
      onText={(text) => setHint(passwordHint(text, { min, names: [emailOf(), siteName] }))}
    />
  )
}
