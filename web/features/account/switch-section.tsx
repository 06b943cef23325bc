import { useSite } from '../../model/site.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AccountSection } from './account-section.tsx'
import { explainFailure, saveAccount } from './own-account.ts'

interface Props {
  /** The field of the account that the switch changes. */
  field: 'mailDigest' | 'showName'
  isOn: boolean
  texts: { title: string; label: string; text: string; on: string; off: string }
  /** Whether it has no effect here. */
  isOff?: boolean
  /** Below the title. */
  note?: string | undefined
}

/** A section with one setting of the account, saved at once. */
export function SwitchSection({ field, isOn, texts, note, isOff = false }: Props) {
  const { isBusy, outcome, run } = useAction()
  const change = (next: boolean) =>
    run(() => saveAccount({ [field]: next }, next ? texts.on : texts.off), explainFailure)

  return (
    <AccountSection title={texts.title} text={note}>
      <Switch
        label={texts.label}
        text={texts.text}
        isOn={isOn && !isOff}
        isBusy={isBusy || isOff}
        onChange={(next) => void change(next)}
      />
      <OutcomeText outcome={outcome} />
    </AccountSection>
  )
}

/** @param isConfirmed whether the address is: mail goes to no other */
export function MailSection({ isOn, isConfirmed }: { isOn: boolean; isConfirmed: boolean }) {
  const { mail } = useSite()
  const texts = ownAccount.mail
  const note = !mail ? texts.none : isConfirmed ? undefined : texts.unconfirmed
  return <SwitchSection field="mailDigest" isOn={isOn} texts={texts} note={note} isOff={!mail} />
}
