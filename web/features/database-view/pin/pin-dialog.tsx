import { LoaderCircle } from 'lucide-react'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { limits } from '../../../../contract/plain/limits.ts'
import { ApiError, serverText } from '../../../model/api-error.ts'
import { checkPin } from '../database-lock.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { database, pin } from '../../../texts/database-view/database-messages.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { focusBox, PinBoxes } from './pin-boxes.tsx'
import { emptyDigits, isFull } from './pin-digits.ts'
import { FieldProblem } from '../../../ui/forms/field-problem.tsx'

const noDigits = emptyDigits(limits.databasePinDigits)

interface Props {
  /** The reason for the dialog when the user did not open it. */
  reason?: string | undefined
  onClose: () => void
}

/** Asks for the PIN that opens the database view. The digits exist only in this component. */
export function PinDialog({ reason, onClose }: Props) {
  const [digits, setDigits] = useState(noDigits)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  /** Incremented per refusal, so that a repeated text is announced again. */
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const group = useRef<HTMLDivElement>(null)
  const isUnmounted = useRef(false)
  const id = useId()
  useEffect(() => {
    isUnmounted.current = false
    return () => void (isUnmounted.current = true)
  }, [])
  const close = () => form.current?.closest('dialog')?.close()

  async function verify(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!isFull(digits) || isBusy) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const open = await checkPin(digits.join(''))
      // Canceled during the request.
      if (isUnmounted.current) return
      close()
      open()
      adminNotify.done(pin.granted, pin.grantedText)
    } catch (error) {
      if (!isUnmounted.current) refuse(error)
    }
  }

  function refuse(error: unknown): void {
    console.info('The database view stays locked', error)
    const isRefused = error instanceof ApiError && error.status < 500
    const isWrong = error instanceof ApiError && error.code === 'wrong_pin'
    const text = isWrong ? pin.deniedText : serverText(error, database.network)
    setBusy(false)
    setRefusal(text)
    setTries(tries + 1)
    // The failure says nothing about the PIN: it can be sent again.
    if (isRefused) setDigits(noDigits)
    focusBox(group.current, isRefused ? 0 : digits.length - 1)
    if (isWrong) shake(group.current)
    // Without a response nobody was denied anything.
    if (isRefused) adminNotify.failed(pin.denied, text)
  }

  return (
    <Dialog title={pin.title} size="small" describedBy={`${id}text`} onClose={onClose}>
      <form ref={form} className="grid gap-5" noValidate onSubmit={(event) => void verify(event)}>
        <div id={`${id}text`} className="grid gap-1 text-text-2">
          {reason !== undefined && <p>{reason}</p>}
          <p>{pin.enter}</p>
        </div>
        <PinBoxes
          group={group}
          digits={digits}
          isReadOnly={isBusy}
          isInvalid={refusal !== undefined}
          describedBy={`${id}refusal`}
          onChange={(next) => {
            setDigits(next)
            setRefusal(undefined)
          }}
        />
        {/* The space of one line is reserved, so that nothing moves under the pointer. */}
        <div id={`${id}refusal`} className="min-h-5.5">
          {refusal !== undefined && <FieldProblem key={tries} text={refusal} />}
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className="btn btn-quiet" onClick={close}>
            {pin.cancel}
          </button>
          <button type="submit" className="btn btn-primary" disabled={!isFull(digits) || isBusy}>
            {isBusy && <LoaderCircle className="spin size-4" aria-hidden />}
            {isBusy ? pin.verifying : pin.verify}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function shake(element: HTMLElement | null): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const translate = ['0', '-8px', '7px', '-5px', '3px', '0']
  element?.animate({ translate }, { duration: 360, easing: 'ease-out' })
}
