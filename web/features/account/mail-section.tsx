import { useState } from 'react'
import { ownAccount } from '../../texts/account-messages.ts'
import { Switch } from '../../ui/switch.tsx'
import { save } from './own-account.ts'
import { type Outcome, OutcomeText, Section } from './account-section.tsx'

const words = ownAccount.mail

export function MailSection({ isOn }: { isOn: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()

  async function change(next: boolean): Promise<void> {
    const text = next ? words.on : words.off
    setOutcome(undefined)
    setBusy(true)
    const reason = await save({ mailDigest: next }, text)
    setBusy(false)
    setOutcome(reason === undefined ? { kind: 'done', text } : { kind: 'failed', text: reason })
  }

  return (
    <Section title={words.title}>
      <Switch
        label={words.label}
        text={words.text}
        isOn={isOn}
        isBusy={isBusy}
        onChange={(next) => void change(next)}
      />
      <OutcomeText outcome={outcome} />
    </Section>
  )
}
