import { clsx } from 'clsx'
import { useId, useLayoutEffect, useRef, type ReactNode, type SubmitEvent } from 'react'
import { common } from '../../texts/messages.ts'
import { OutcomeText } from '../forms/form-outcome.tsx'
import type { useSubmit } from '../forms/use-submit.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  submit: string
  /** The button's label while the form is sent. */
  busy: string
  form: Pick<ReturnType<typeof useSubmit>, 'isBusy' | 'outcome' | 'formProps'>
  /** True while the form cannot be sent. */
  isLocked?: boolean
  size?: 'small' | 'normal'
  /** `single`: without Cancel, on the whole width of a phone. `large`: for fingers. */
  buttons?: 'single' | 'large'
  /** After each change, and of what. */
  onInput?: (form: HTMLFormElement) => void
  onClose: () => void
  children: ReactNode
}

/** Asks for the fields of a form, and closes when they are sent. */
export function FormDialog(props: Props) {
  const { title, submit, busy, form, isLocked = false, size = 'normal', buttons, onInput, onClose, children } = props
  const { isBusy, outcome, formProps } = form
  const outcomeId = useId()
  const fields = useRef<HTMLFormElement>(null)
  // The dialog, which opens after this, focuses the field at once: each move of the focus is styled. On a touch screen the
  // keyboard would cover the dialog.
  useLayoutEffect(() => {
    if (fields.current?.querySelector('[autofocus]') === null && !matchMedia('(pointer: coarse)').matches)
      fields.current
        .querySelector('input:not([readonly], [hidden], [type=checkbox]), textarea')
        ?.toggleAttribute('autofocus')
  }, [])

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    const dialog = event.currentTarget.closest('dialog')
    if (await formProps.onSubmit(event)) dialog?.close()
  }

  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <form
        ref={fields}
        {...formProps}
        className="grid gap-5"
        aria-describedby={outcome && outcomeId}
        onSubmit={send}
        onInput={(event) => {
          formProps.onInput(event)
          onInput?.(event.currentTarget)
        }}
      >
        {children}
        <OutcomeText id={outcomeId} outcome={outcome} />
        <div className="flex flex-wrap justify-end gap-3">
          {buttons !== 'single' && (
            <button
              type="button"
              className={clsx('btn btn-quiet', buttons === 'large' && 'coarse:h-12')}
              onClick={(event) => event.currentTarget.closest('dialog')?.close()}
            >
              {common.cancel}
            </button>
          )}
          <button
            type="submit"
            className={clsx(
              'btn btn-primary',
              buttons === 'single' && 'max-xs:w-full',
              buttons === 'large' && 'min-w-24 coarse:h-12',
            )}
            disabled={isBusy || isLocked}
          >
            {isBusy ? busy : submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
