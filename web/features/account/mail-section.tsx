import { useSite } from '../../model/site.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { SwitchSection } from './switch-section.tsx'

const texts = ownAccount.mail

/** @param isConfirmed whether the address is: mail goes to no other */
export function MailSection({ isOn, isConfirmed }: { isOn: boolean; isConfirmed: boolean }) {
  const { mail } = useSite()
  const note = !mail ? texts.none : isConfirmed ? undefined : texts.unconfirmed
  return <SwitchSection field="mailDigest" isOn={isOn} texts={texts} note={note} />
}
