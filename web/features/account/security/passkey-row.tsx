import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Passkey } from '../../../../contract/endpoints/factors.ts'
import { accountLimits } from '../../../../contract/plain/account-limits.ts'
import { errorText } from '../../../format/error-text.ts'
import { attempt } from '../../../model/attempt.ts'
import { canUsePasskeys } from './passkeys.ts'
import { addPasskey, deletePasskey, renamePasskey } from './security.ts'
import { shortDate } from '../../../format/dates.ts'
import { security } from '../../../texts/security-messages.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../../ui/forms/use-submit.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { SecurityRow } from './security-row.tsx'
import { SmallButton } from '../../../ui/small-button.tsx'

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

  async function add(name: string): Promise<void> {
    const codes = await addPasskey(name)
    notify.success(texts.added, 'account')
    onCodes(codes)
  }
  async function rename(id: string, name: string): Promise<void> {
    await renamePasskey(id, name)
    notify.success(texts.renamed, 'account')
  }
  async function remove(id: string): Promise<void> {
    await deletePasskey(id)
    notify.success(texts.removed, 'account')
  }

  return (
    <SecurityRow
      title={texts.title}
      text={isSupported ? texts.text : texts.unsupported}
      action={isSupported && <SmallButton text={texts.add} onPress={() => setOpen({ what: 'add' })} />}
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
                <SmallButton
                  text={texts.rename}
                  name={texts.renameNamed(passkey.name)}
                  isGhost
                  onPress={() => setOpen({ what: 'rename', passkey })}
                />
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
        <NameDialog title={texts.addTitle} submit={texts.addSubmit} name="" save={add} onClose={close} />
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title={texts.renameTitle}
          submit={texts.rename}
          name={open.passkey.name}
          save={(name) => rename(open.passkey.id, name)}
          onClose={close}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={texts.removeQuestion(open.passkey.name)}
          confirm={texts.remove}
          busy={security.working}
          isDanger
          onConfirm={() => attempt(() => remove(open.passkey.id), security.failed)}
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
  save: (name: string) => Promise<void>
  onClose: () => void
}

function NameDialog({ title, submit, name, save, onClose }: NameDialogProps) {
  const { problems, ...form } = useSubmit<'passkey-name'>({
    async send(element) {
      const given = textIn(element, 'passkey-name').trim()
      return given === '' ? { 'passkey-name': texts.nameMissing } : save(given)
    },
    explain: (error) => ({ 'passkey-name': errorText(error, security.failed) }),
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      busy={security.working}
      form={form}
      size="small"
      buttons="single"
      onClose={onClose}
    >
      <TextField
        name="passkey-name"
        label={texts.name}
        hint={texts.nameHint}
        error={problems['passkey-name']}
        autoComplete="off"
        maxLength={accountLimits.factors.maxNameLength}
        defaultValue={name}
      />
    </FormDialog>
  )
}
