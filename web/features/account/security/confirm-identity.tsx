import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../../format/error-text.ts'
import type { ConfirmationRequest } from '../../../model/confirmation.ts'
import { canUsePasskeys } from './passkeys.ts'
import { queryClient } from '../../../model/query-client.ts'
import { confirmByPasskey, confirmIdentity, securityQuery } from './security.ts'
import { useSession } from '../../../model/session.ts'
import { confirmation as texts } from '../../../texts/confirmation-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { FormFailure } from '../../../ui/forms/form-outcome.tsx'

/**
 * Asks for the password, or for a code where there is none, or for a passkey. The request that needs it continues when the
 * dialog closes.
 */
export function ConfirmIdentity({ request }: { request: ConfirmationRequest }) {
  const session = useSession()
  const { data: security } = useQuery(securityQuery, queryClient)
  const [hasText, setHasText] = useState(false)
  const [failure, setFailure] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const isConfirmed = useRef(false)
  const asks = security?.hasPassword === false ? (security.totp === null ? undefined : 'code') : 'password'
  const hasPasskey = security !== undefined && security.passkeys.length > 0 && canUsePasskeys()

  // Which field it is comes after the dialog has opened.
  useEffect(() => field.current?.focus(), [asks])

  async function confirm(): Promise<string | undefined> {
    const text = field.current?.value ?? ''
    setFailure(undefined)
    try {
      await confirmIdentity(asks === 'code' ? { code: text } : { currentPassword: text })
      isConfirmed.current = true
      return undefined
    } catch (error) {
      console.info('The identity was not confirmed', error)
      field.current?.focus()
      field.current?.select()
      return errorText(error, texts.failed)
    }
  }

  async function confirmWithPasskey(): Promise<void> {
    setFailure(undefined)
    try {
      await confirmByPasskey()
      request.settle(true)
    } catch (error) {
      console.info('The identity was not confirmed', error)
      setFailure(errorText(error, texts.failed))
    }
  }

  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      busy={texts.busy}
      isLocked={!hasText}
      onConfirm={confirm}
      onClose={() => request.settle(isConfirmed.current)}
    >
      <p className="mb-4">{asks === undefined && !hasPasskey ? texts.logInAgain : texts.explain}</p>
      <div className="grid gap-3 text-text">
        {/* So that a password manager knows which account's password is entered. */}
        {session.status === 'in' && (
          <input type="text" name="username" autoComplete="username" value={session.user.email} readOnly hidden />
        )}
        {asks === 'password' && (
          <PasswordField
            ref={field}
            name="currentPassword"
            label={texts.password}
            onText={(text) => setHasText(text !== '')}
          />
        )}
        {asks === 'code' && (
          <TextField
            ref={field}
            className="font-mono"
            label={texts.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            onChange={({ target }) => setHasText(target.value !== '')}
          />
        )}
        {hasPasskey && (
          <button type="button" className="btn btn-quiet" onClick={() => void confirmWithPasskey()}>
            <KeyRound className="size-4" aria-hidden />
            {texts.passkey}
          </button>
        )}
        {failure !== undefined && <FormFailure text={failure} />}
      </div>
    </ConfirmDialog>
  )
}
