import { useId } from 'react'
import type { User } from '../../../contract/endpoints/accounts.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { shortDate } from '../../format/dates.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { FieldProblem } from '../../ui/forms/field-problem.tsx'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { QuotaBar } from '../../ui/quota-bar.tsx'
import { AccountSection } from './account-section.tsx'
import { explainFailure, saveAccount } from './own-account.ts'

const texts = ownAccount.profile

export function ProfileSection({ user }: { user: User }) {
  return (
    <AccountSection title={texts.title}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(7rem,100%),1fr))] gap-x-4 gap-y-4">
        <Fact name={texts.role} value={texts.roles[user.role]} />
        <Fact name={texts.since} value={shortDate(user.created_at)} />
        <UsedFact name={texts.images} used={user.imageCount} limit={user.quota.images} format={number} />
        <UsedFact name={texts.storage} used={user.imageBytes} limit={user.quota.bytes} format={formatBytes} />
      </dl>
      <NameForm name={user.name} />
    </AccountSection>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-meta text-text-2">{name}</dt>
      <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
    </div>
  )
}

const number = (n: number) => n.toLocaleString('en')

interface UsedFactProps {
  name: string
  used: number
  /** 0: no limit. */
  limit: number
  format: (n: number) => string
}

/** A figure with its limit, and a bar of how much is used. */
function UsedFact({ name, used, limit, format }: UsedFactProps) {
  const text = limit === 0 ? format(used) : texts.of(format(used), format(limit))
  return (
    <div className={limit === 0 ? undefined : 'col-span-full'}>
      <dt className="text-meta text-text-2">{name}</dt>
      <dd className="font-medium tabular-nums">{text}</dd>
      {limit > 0 && (
        <dd className="mt-2">
          <QuotaBar used={used} limit={limit} label={name} text={text} />
        </dd>
      )}
    </div>
  )
}

function NameForm({ name }: { name: string }) {
  const id = useId()
  const { isBusy, problems, outcome, formProps } = useSubmit<'name'>({
    async send(form) {
      const next = textIn(form, 'name').trim()
      return next === '' ? { name: texts.nameMissing } : saveAccount({ name: next }, texts.done)
    },
    explain: (error) => ({ name: explainFailure(error) }),
  })

  return (
    <form className="grid gap-1.5" {...formProps}>
      <label className="font-medium" htmlFor={id}>
        {texts.name}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={id}
          className="field flex-1 basis-56"
          name="name"
          autoComplete="name"
          maxLength={limits.account.maxNameLength}
          defaultValue={name}
          aria-invalid={problems.name !== undefined}
          aria-describedby={`${id}outcome`}
        />
        <button type="submit" className="btn btn-quiet coarse:h-12" disabled={isBusy}>
          {isBusy ? ownAccount.saving : ownAccount.save}
        </button>
      </div>
      <div id={`${id}outcome`} className="empty:hidden">
        {problems.name === undefined ? <OutcomeText outcome={outcome} /> : <FieldProblem text={problems.name} />}
      </div>
    </form>
  )
}
