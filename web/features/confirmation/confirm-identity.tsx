import { useId, useRef, useState } from 'react'
import { errorText } from '../../data/api-error.ts'
import type { ConfirmationRequest } from '../../data/confirmation.ts'
import { useSession } from '../../data/session.ts'
import { confirmation as texts } from '../../texts/confirmation-messages.ts'
import { common } from '../../texts/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

/** Asks for the password. The request that needs it continues when the dialog closes. */
export function ConfirmIdentity({ request }: { request: ConfirmationRequest }) {
  const session = useSession()
  const [hasPassword, setHasPassword] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isConfirmed = useRef(false)
  const id = useId()

  async function confirm(): Promise<string | undefined> {
    try {
      const { client } = await import('../../data/http.ts')
      await client.confirmIdentity({ body: { currentPassword: field.current?.value ?? '' } })
      isConfirmed.current = true
      return undefined
    } catch (error) {
      console.info('The identity was not confirmed', error)
      field.current?.select()
      return errorText(error, texts.failed)
    }
  }

  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      busy={texts.busy}
      cancel={common.cancel}
      isLocked={!hasPassword}
      onConfirm={confirm}
      onClose={() => request.settle(isConfirmed.current)}
    >
      <p className="mb-4">{texts.explain}</p>
      <div className="text-text">
        {/* So that a password manager knows which account's password is entered. */}
        {session.status === 'in' && (
          <input type="text" name="username" autoComplete="username" value={session.user.email} readOnly hidden />
        )}
        <LabelledField id={id} label={texts.password} error={undefined}>
          <PasswordField
            id={id}
            name="currentPassword"
            showLabel={texts.showPassword}
            field={field}
            isNew={false}
            isInvalid={false}
            describedBy={undefined}
            onLength={(length) => setHasPassword(length > 0)}
          />
        </LabelledField>
      </div>
    </ConfirmDialog>
  )
}
