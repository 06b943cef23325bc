import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { User } from '../../../contract/accounts.ts'
import { limits } from '../../../contract/limits.ts'
import { formatBytes } from '../../format/bytes.ts'
import { shortDate } from '../../format/dates.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { save } from './own-account.ts'
import { type Outcome, OutcomeText, Section } from './account-section.tsx'

const words = ownAccount.profile

export function ProfileSection({ user }: { user: User }) {
  return (
    <Section title={words.title}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7rem,100%),1fr))] gap-x-4 gap-y-4">
        <Fact name={words.email} value={user.email} isWide />
        <Fact name={words.role} value={words.roles[user.role]} />
        <Fact name={words.since} value={shortDate(user.created_at)} />
        <Fact name={words.images} value={user.imageCount.toLocaleString('en')} />
        <Fact name={words.storage} value={formatBytes(user.imageBytes)} />
      </dl>
      <NameForm name={user.name} />
    </Section>
  )
}

function Fact({ name, value, isWide = false }: { name: string; value: string; isWide?: boolean }) {
  return (
    <div className={isWide ? 'col-span-full' : ''}>
      <dt className="text-meta text-text-2">{name}</dt>
      <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
    </div>
  )
}

function NameForm({ name }: { name: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const next = field.current?.value.trim() ?? ''
    if (next === '') return refuse(words.nameMissing)
    setOutcome(undefined)
    setBusy(true)
    const reason = await save({ name: next }, words.done)
    setBusy(false)
    if (reason === undefined) setOutcome({ kind: 'done', text: words.done })
    else refuse(reason)
  }
  function refuse(text: string): void {
    setOutcome({ kind: 'failed', text })
    field.current?.focus()
  }

  return (
    <form className="grid gap-1.5" noValidate onSubmit={submit}>
      <label className="font-medium" htmlFor={id}>
        {words.name}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          ref={field}
          id={id}
          className="field flex-1 basis-56"
          name="name"
          autoComplete="name"
          maxLength={limits.account.maxNameLength}
          defaultValue={name}
          aria-invalid={outcome?.kind === 'failed'}
          aria-describedby={`${id}outcome`}
        />
        <button type="submit" className="btn btn-quiet coarse:h-12" disabled={isBusy}>
          {isBusy ? ownAccount.saving : ownAccount.save}
        </button>
      </div>
      <OutcomeText id={`${id}outcome`} outcome={outcome} />
    </form>
  )
}
