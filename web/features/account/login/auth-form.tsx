import { useEffect, useId, useRef, type ReactNode } from 'react'
import { errorText } from '../../../format/error-text.ts'
import { ApiError } from '../../../model/api-error.ts'
import { useSite } from '../../../model/site.ts'
import { account } from '../../../texts/account-messages.ts'
import { OutcomeText } from '../../../ui/forms/form-outcome.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { notifySilently } from '../../../ui/toast/silent.ts'
import { notify } from '../../../ui/toast/toast.ts'

/** The toast that says why a form was refused, which goes with the next success. */
const refusal = 'refusal'

/** What is wrong with the field `password`, and the id of the text that says why the form was refused. */
interface FormState {
  problem: string | undefined
  refusalId: string | undefined
}

interface Props {
  texts: { submit: string; busy: string; failed: string }
  /** A new password is validated; an existing one is not. */
  isNewPassword?: boolean
  /** A refusal of the whole form is also a toast, as the specification wants it of the login and of registering. */
  hasToast?: boolean
  /** The name of the field that takes the focus after a failure. */
  refocus: string
  send: (form: HTMLFormElement) => Promise<void>
  children: (state: FormState) => ReactNode
}

/** The form in an AuthCard, whose fields are its children. */
export function AuthForm(props: Props) {
  const { texts, isNewPassword = false, hasToast = false, refocus, send, children } = props
  const { passwordMin } = useSite()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => focusFirstEmpty(form.current), [])
  const isShort = (password: string) => isNewPassword && password.length < passwordMin
  const { isBusy, problems, outcome, formProps } = useSubmit<'password'>({
    async send(form) {
      if (isShort(textIn(form, 'password'))) return { password: account.passwordShort(passwordMin) }
      await send(form)
      notify.dismiss(refusal)
      return undefined
    },
    explain(error) {
      const text = errorText(error, texts.failed)
      if (isNewPassword && error instanceof ApiError && error.code === 'weak_password') return { password: text }
      if (hasToast) notifySilently.error(text, refusal)
      return text
    },
    refocus,
    isStillWrong: ({ value }) => isShort(value),
  })

  return (
    // The browser itself asks for what is missing.
    <form ref={form} className="grid gap-5" {...formProps} noValidate={false}>
      {children({ problem: problems.password, refusalId: outcome && id })}
      <OutcomeText id={id} outcome={outcome} />
      <button type="submit" className="btn btn-primary btn-lg" disabled={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </button>
    </form>
  )
}

/** Not on a touch screen, whose keyboard would open, and not away from where somebody is typing. */
function focusFirstEmpty(form: HTMLFormElement | null): void {
  const isTyping = document.activeElement?.matches('input, textarea, select') === true
  if (form === null || isTyping || matchMedia('(pointer: coarse)').matches) return
  const fields = [...form.querySelectorAll('input')]
  fields.find(({ value, type }) => value === '' && type !== 'checkbox')?.focus({ preventScroll: true })
}
