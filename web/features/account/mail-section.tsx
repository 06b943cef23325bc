import { useState } from 'react'
import { useSite } from '../../data/site.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { Switch } from '../../ui/switch.tsx'
import { saveAccount } from './own-account.ts'
import { type ChangeOutcome, OutcomeText, AccountSection } from './account-section.tsx'

const texts = ownAccount.mail

/** @param isConfirmed whether the address is: mail goes to no other */
export function MailSection({ isOn, isConfirmed }: { isOn: boolean; isConfirmed: boolean }) {
  const { mail } = useSite()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ChangeOutcome>()
  const note = !mail ? texts.none : isConfirmed ? undefined : texts.unconfirmed

  async function change(next: boolean): Promise<void> {
    const text = next ? texts.on : texts.off
    setOutcome(undefined)
    setBusy(true)
    const refusal = await saveAccount({ mailDigest: next }, text)
    setBusy(false)
    setOutcome(refusal === undefined ? { kind: 'done', text } : { kind: 'failed', text: refusal.text })
  }

  return (
    <AccountSection title={texts.title} {...(note === undefined ? {} : { text: note })}>
      <Switch
        label={texts.label}
        text={texts.text}
        isOn={isOn}
        isBusy={isBusy}
        onChange={(next) => void change(next)}
      />
      <OutcomeText outcome={outcome} />
    </AccountSection>
  )
}
