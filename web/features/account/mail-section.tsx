import { useState } from 'react'
import { ownAccount } from '../../texts/account-messages.ts'
import { Switch } from '../../ui/switch.tsx'
import { saveAccount } from './own-account.ts'
import { type ChangeOutcome, OutcomeText, AccountSection } from './account-section.tsx'

const texts = ownAccount.mail

export function MailSection({ isOn }: { isOn: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ChangeOutcome>()

  async function change(next: boolean): Promise<void> {
    const text = next ? texts.on : texts.off
    setOutcome(undefined)
    setBusy(true)
    const refusal = await saveAccount({ mailDigest: next }, text)
    setBusy(false)
    setOutcome(refusal === undefined ? { kind: 'done', text } : { kind: 'failed', text: refusal.text })
  }

  return (
    <AccountSection title={texts.title}>
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
