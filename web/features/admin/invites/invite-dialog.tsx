import { useId, useRef, useState, type SubmitEvent } from 'react'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { createInvite } from './invites.ts'
import { inviteForm as texts, invites } from '../../../texts/admin/invites-messages.ts'
import { common } from '../../../texts/messages.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { OwnPasswordField } from '../users/own-password-field.tsx'

interface Props {
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  /** Receives the link of the new invitation. */
  onLink: (link: string) => void
  onClose: () => void
}

type Days = keyof typeof texts.daysIn
type Role = keyof typeof invites.roles
const roles = ['user', 'admin'] as const satisfies Role[]
const periods = ['7', '1', '30', '90', '365'] as const satisfies Days[]
const { maxUses, maxNoteLength } = accountLimits.invites

export function InviteDialog({ attempt, onLink, onClose }: Props) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const uses = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const note = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<Role>('user')
  const [period, setPeriod] = useState<Days>('7')
  const [isBusy, setBusy] = useState(false)
  const [usesProblem, setUsesProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()

  const close = () => form.current?.closest('dialog')?.close()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setRefusal(undefined)
    if (uses.current?.validity.valid !== true || uses.current.value === '') {
      setUsesProblem(texts.usesProblem(maxUses))
      return uses.current?.focus()
    }
    const currentPassword = password.current?.value
    const body = {
      note: note.current?.value.trim() ?? '',
      role,
      maxUses: Number(uses.current.value),
      days: Number(period),
      ...(currentPassword === undefined ? {} : { currentPassword }),
    }
    setBusy(true)
    let link = ''
    const reason = await attempt(async () => {
      link = await createInvite(body)
      return texts.done
    }, texts.failed)
    setBusy(false)
    if (reason !== undefined) {
      setRefusal(reason)
      return (password.current ?? note.current)?.focus()
    }
    close()
    onLink(link)
  }

  return (
    <Dialog title={texts.title} closeLabel={common.close} onClose={onClose}>
      <form ref={form} className="grid gap-5" noValidate onSubmit={submit}>
        <LabelledField id={`${id}note`} label={texts.note} hint={texts.noteHint} error={undefined}>
          <input
            ref={note}
            id={`${id}note`}
            className="field"
            autoComplete="off"
            maxLength={maxNoteLength}
            aria-describedby={`${id}notehint`}
          />
        </LabelledField>
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label={texts.role}
            hasLabel
            value={role}
            options={roles.map((one) => [one, invites.roles[one]])}
            onChange={setRole}
          />
          <Select
            label={texts.days}
            hasLabel
            value={period}
            options={periods.map((one) => [one, texts.daysIn[one]])}
            onChange={setPeriod}
          />
        </div>
        <LabelledField id={`${id}uses`} label={texts.uses} hint={texts.usesHint} error={usesProblem}>
          <input
            ref={uses}
            id={`${id}uses`}
            className="field"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxUses}
            step={1}
            defaultValue={1}
            aria-invalid={usesProblem !== undefined}
            aria-describedby={`${id}useshint`}
            onChange={() => setUsesProblem(undefined)}
          />
        </LabelledField>
        {role === 'admin' && (
          <OwnPasswordField id={`${id}own`} field={password} onLength={() => setRefusal(undefined)} />
        )}
        {refusal !== undefined && (
          <p role="alert" className="rounded-control bg-danger-soft px-3 py-2.5 text-danger-text wrap-anywhere">
            {refusal}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className="btn btn-quiet" onClick={close}>
            {common.cancel}
          </button>
          <button type="submit" className="btn btn-primary" disabled={isBusy}>
            {isBusy ? texts.busy : texts.submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
