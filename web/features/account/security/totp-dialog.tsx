import { useEffect, useRef } from 'react'
import { errorText } from '../../../format/error-text.ts'
import { security } from '../../../texts/security-messages.ts'
import { CopyField } from '../../../ui/copy/copy-field.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { QrCode } from '../../../ui/qr/qr-code.tsx'
import { notify } from '../../../ui/toast/toast.ts'
import { confirmTotp } from './security.ts'

const texts = security.setup

export interface TotpSetup {
  secret: string
  uri: string
}

interface Props {
  setup: TotpSetup
  /** Shows recovery codes. */
  onCodes: (codes: string[] | undefined) => void
  onClose: () => void
}

/** Shows the secret as a QR code and as text, and takes the first code of the app. */
export function TotpDialog({ setup: { secret, uri }, onCodes, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  // After the dialog has opened, which focuses its first button.
  useEffect(() => field.current?.focus(), [])
  const { problems, ...form } = useSubmit<'code'>({
    async send(element) {
      const code = textIn(element, 'code').trim()
      if (code === '') return { code: texts.codeMissing }
      const codes = await confirmTotp(code)
      notify.success(security.app.added, 'account')
      onCodes(codes)
      return undefined
    },
    explain: (error) => ({ code: errorText(error, security.failed) }),
  })

  return (
    <FormDialog
      title={texts.title}
      submit={texts.submit}
      busy={security.working}
      form={form}
      buttons="single"
      onClose={onClose}
    >
      <p>{texts.scan}</p>
      <div className="justify-self-center">
        <QrCode text={uri} label={texts.qr} />
      </div>
      <CopyField texts={texts} value={secret} />
      <TextField
        ref={field}
        className="font-mono"
        name="code"
        label={texts.code}
        error={problems.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
      />
    </FormDialog>
  )
}
