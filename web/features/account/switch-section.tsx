import { useState } from 'react'
import { Switch } from '../../ui/forms/switch.tsx'
import { saveAccount } from './own-account.ts'
import { type ChangeOutcome, OutcomeText, AccountSection } from './account-section.tsx'

interface Props {
  /** The field of the account that the switch changes. */
  field: 'mailDigest' | 'showName'
  isOn: boolean
  texts: { title: string; label: string; text: string; on: string; off: string }
  /** Below the title. */
  note?: string | undefined
}

/** A section with one setting of the account, saved at once. */
export function SwitchSection({ field, isOn, texts, note }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ChangeOutcome>()

  async function change(next: boolean): Promise<void> {
    const text = next ? texts.on : texts.off
    setOutcome(undefined)
    setBusy(true)
    const refusal = await saveAccount({ [field]: next }, text)
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
