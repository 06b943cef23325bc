import { useId, useRef, useState, type SubmitEvent } from 'react'
import { confirmTotp } from './security.ts'
import { common } from '../../../texts/messages.ts'
import { security } from '../../../texts/security-messages.ts'
import { CopyField } from '../../../ui/copy/copy-field.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { notify } from '../../../ui/toast/toast.ts'
import { attempt } from './attempt.ts'

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
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const code = field.current?.value.trim() ?? ''
    if (code === '') return refuse(texts.codeMissing)
    setBusy(true)
    let codes: string[] | undefined
    const reason = await attempt(async () => {
      codes = await confirmTotp(code)
    })
    setBusy(false)
    if (reason !== undefined) return refuse(reason)
    notify.success(security.app.added, 'account')
    onCodes(codes)
    onClose()
  }
  function refuse(text: string): void {
    setProblem(text)
    field.current?.select()
  }

  return (
    <Dialog title={texts.title} closeLabel={common.close} onClose={onClose}>
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <p>{texts.scan}</p>
        <div className="justify-self-center">
          <QrCode text={uri} label={texts.qr} />
        </div>
        <CopyField texts={texts} value={secret} />
        <LabelledField id={`${id}code`} label={texts.code} error={problem}>
          <input
            ref={field}
            id={`${id}code`}
            className="field font-mono"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}codehint`}
            onChange={() => setProblem(undefined)}
          />
        </LabelledField>
        <button type="submit" className="btn btn-primary justify-self-end max-xs:w-full" disabled={isBusy}>
          {isBusy ? security.working : texts.submit}
        </button>
      </form>
    </Dialog>
  )
}
