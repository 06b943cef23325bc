import { clsx } from 'clsx'
import { use, useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { common } from '../../texts/messages.ts'
import { FormFailure } from '../forms/form-outcome.tsx'
import { WaitText } from './wait-text.ts'

interface Props {
  title: string
  /** The name of what it is about, in bold. */
  subject?: string | undefined
  children: ReactNode
  confirm: string
  /** The button's label while `onConfirm` runs. */
  busy?: string
  cancel?: string
  isDanger?: boolean
  /** True while a field in the dialog must be filled in first. */
  isLocked?: boolean
  /** Runs the action. A returned text is shown as the reason of a failure, and the dialog stays open. */
  onConfirm: () => Promise<string | undefined>
  onClose: () => void
}

/** Asks for confirmation of what cannot be undone. The focus is on Cancel or on a text field. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    subject,
    children,
    confirm,
    busy = confirm,
    cancel = common.cancel,
    isDanger = false,
    isLocked = false,
    onConfirm,
    onClose,
  } = props
  const ref = useRef<HTMLDialogElement>(null)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const waitText = use(WaitText)
  const [titleId, textId] = [useId(), useId()]
  useEffect(() => {
    if (ref.current?.open !== false) return
    ref.current.showModal()
    // showModal focuses the first control. A text field of the children keeps the focus.
    if (document.activeElement?.matches('[type=checkbox], [type=radio]')) cancelButton.current?.focus()
  }, [])

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    const reason = await onConfirm()
    setBusy(false)
    if (reason === undefined) ref.current?.close()
    else setFailure(reason)
  }

  return (
    <dialog
      ref={ref}
      role="alertdialog"
      className="dialog dialog-small"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={onClose}
    >
      <form className="dialog-inner" noValidate onSubmit={submit}>
        <h2 id={titleId} className="text-h2 wrap-anywhere">
          {title}
        </h2>
        <div id={textId} className="text-text-2">
          {subject && <p className="mb-2 font-semibold text-text wrap-anywhere">{subject}</p>}
          {children}
        </div>
        {failure !== undefined && <FormFailure text={failure} />}
        <p role="status" className="text-dense text-text-2 empty:hidden">
          {isBusy && waitText}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          {/* First in the tab order, so that an accidental Enter does not confirm. */}
          <button ref={cancelButton} type="button" className="btn btn-quiet" onClick={() => ref.current?.close()}>
            {cancel}
          </button>
          <button
            type="submit"
            className={clsx('btn', isDanger ? 'btn-danger' : 'btn-primary')}
            disabled={isBusy || isLocked}
          >
            {isBusy ? busy : confirm}
          </button>
        </div>
      </form>
    </dialog>
  )
}
