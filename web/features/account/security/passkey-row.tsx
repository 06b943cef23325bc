import { KeyRound } from 'lucide-react'
import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { Passkey } from '../../../../contract/endpoints/factors.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { canUsePasskeys } from './passkeys.ts'
import { addPasskey, deletePasskey, renamePasskey } from './security.ts'
import { shortDate } from '../../../format/dates.ts'
import { common } from '../../../texts/messages.ts'
import { security } from '../../../texts/security-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LabelledField } from '../../../ui/forms/labelled-field.tsx'
import { notify } from '../../../ui/toast/toast.ts'
import { attempt } from './attempt.ts'
import { SecurityRow } from './security-row.tsx'

const texts = security.passkeys

interface Props {
  passkeys: readonly Passkey[]
  /** Shows recovery codes. */
  onCodes: (codes: string[] | undefined) => void
}

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey }

/** The passkeys of the account. */
export function PasskeyRow({ passkeys, onCodes }: Props) {
  const [open, setOpen] = useState<Open>()
  const isSupported = canUsePasskeys()
  const close = () => setOpen(undefined)

  async function add(name: string): Promise<string | undefined> {
    let codes: string[] | undefined
    const reason = await attempt(async () => {
      codes = await addPasskey(name)
    })
    if (reason === undefined) notify.success(texts.added, 'account')
    onCodes(codes)
    return reason
  }
  async function rename(id: string, name: string): Promise<string | undefined> {
    const reason = await attempt(() => renamePasskey(id, name))
    if (reason === undefined) notify.success(texts.renamed, 'account')
    return reason
  }
  async function remove(id: string): Promise<string | undefined> {
    const reason = await attempt(() => deletePasskey(id))
    if (reason === undefined) notify.success(texts.removed, 'account')
    return reason
  }

  return (
    <SecurityRow
      title={texts.title}
      text={isSupported ? texts.text : texts.unsupported}
      action={
        isSupported && (
          <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={() => setOpen({ what: 'add' })}>
            {texts.add}
          </button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className="grid gap-2">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control border border-border px-3.5 py-2.5"
            >
              <KeyRound className="size-4.5 shrink-0 text-text-2" aria-hidden />
              <div className="min-w-0 flex-1 basis-40">
                <p className="font-medium wrap-anywhere">{passkey.name}</p>
                <p className="text-meta text-text-2">{factsOf(passkey)}</p>
              </div>
              <div className="flex gap-2">
                <button
                  type="button"
                  className="btn btn-ghost btn-sm coarse:h-11"
                  aria-label={texts.renameNamed(passkey.name)}
                  onClick={() => setOpen({ what: 'rename', passkey })}
                >
                  {texts.rename}
                </button>
                <button
                  type="button"
                  className="btn btn-ghost btn-sm btn-icon-danger coarse:h-11"
                  aria-label={texts.removeNamed(passkey.name)}
                  onClick={() => setOpen({ what: 'remove', passkey })}
                >
                  {texts.remove}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {open?.what === 'add' && (
        <NameDialog title={texts.addTitle} submit={texts.addSubmit} name="" onSubmit={add} onClose={close} />
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title={texts.renameTitle}
          submit={texts.rename}
          name={open.passkey.name}
          onSubmit={(name) => rename(open.passkey.id, name)}
          onClose={close}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={texts.removeQuestion(open.passkey.name)}
          confirm={texts.remove}
          busy={security.working}
          cancel={common.cancel}
          isDanger
          onConfirm={() => remove(open.passkey.id)}
          onClose={close}
        >
          <p>{texts.removeExplain}</p>
        </ConfirmDialog>
      )}
    </SecurityRow>
  )
}

function factsOf({ createdAt, lastUsedAt, isSynced }: Passkey): string {
  const used = lastUsedAt === null ? undefined : shortDate(lastUsedAt)
  return [texts.facts(shortDate(createdAt), used), ...(isSynced ? [texts.synced] : [])].join(' · ')
}

interface NameDialogProps {
  title: string
  submit: string
  name: string
  /** @returns why it failed */
  onSubmit: (name: string) => Promise<string | undefined>
  onClose: () => void
}

function NameDialog({ title, submit, name, onSubmit, onClose }: NameDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const id = useId()

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const given = field.current?.value.trim() ?? ''
    if (given === '') return refuse(texts.nameMissing)
    setBusy(true)
    const reason = await onSubmit(given)
    setBusy(false)
    if (reason === undefined) onClose()
    else refuse(reason)
  }
  function refuse(text: string): void {
    setProblem(text)
    field.current?.focus()
  }

  return (
    <Dialog title={title} closeLabel={common.close} size="small" onClose={onClose}>
      <form className="grid gap-5" noValidate onSubmit={save}>
        <LabelledField id={id} label={texts.name} hint={texts.nameHint} error={problem}>
          <input
            ref={field}
            id={id}
            className="field"
            name="passkey-name"
            autoComplete="off"
            maxLength={accountLimits.factors.maxNameLength}
            defaultValue={name}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}hint`}
            onChange={() => setProblem(undefined)}
          />
        </LabelledField>
        <button type="submit" className="btn btn-primary justify-self-end max-xs:w-full" disabled={isBusy}>
          {isBusy ? security.working : submit}
        </button>
      </form>
    </Dialog>
  )
}
