import { useLocation } from 'wouter'
import { useSession } from '../model/session.ts'
import { AppearanceSection } from '../features/account/appearance-section.tsx'
import { DataSection } from '../features/account/data-section.tsx'
import { EmailSection } from '../features/account/email-section.tsx'
import { PasswordSection } from '../features/account/password-section.tsx'
import { SecuritySection } from '../features/account/security/security-section.tsx'
import { ProfileSection } from '../features/account/profile-section.tsx'
import { SessionsSection } from '../features/account/sessions-section.tsx'
import { MailSection, SwitchSection } from '../features/account/switch-section.tsx'
import { ownAccount } from '../texts/account-messages.ts'
import { titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { Section } from '../ui/section.tsx'
import { usePageTitle } from './use-page-title.ts'

export function AccountPage() {
  const session = useSession()
  const [, navigate] = useLocation()
  usePageTitle(titles.account)
  const leave = () => navigate(paths.login, { replace: true })

  return (
    <div className="page page-text pt-8 md:pt-12">
      <h1 className="text-title">{titles.account}</h1>
      <p className="mt-1 mb-7 text-text-2">{ownAccount.lead}</p>
      {session.status === 'in' && (
        <div className="grid gap-5">
          <Section>
            <ProfileSection user={session.user} />
          </Section>
          <Section>
            <EmailSection
              email={session.user.email}
              isConfirmed={session.user.emailConfirmed}
              isAdmin={session.user.role === 'admin'}
            />
          </Section>
          <Section>
            <PasswordSection email={session.user.email} />
          </Section>
          <Section>
            <SecuritySection />
          </Section>
          <Section>
            <MailSection isOn={session.user.mailDigest} isConfirmed={session.user.emailConfirmed} />
          </Section>
          <Section>
            <SwitchSection field="showName" isOn={session.user.showName} texts={ownAccount.share} />
          </Section>
          <Section>
            <AppearanceSection />
          </Section>
          <Section>
            <SessionsSection onEnd={leave} />
          </Section>
          <Section>
            <DataSection user={session.user} onDeleted={leave} />
          </Section>
        </div>
      )}
    </div>
  )
}
