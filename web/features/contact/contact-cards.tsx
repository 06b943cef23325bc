import { AtSign, Globe, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSite, type Site } from '../../model/site.ts'
import { contact } from '../../texts/contact-messages.ts'
import { SocialLinks } from './social-links.tsx'

/** Whether there is another way than the form. */
export const hasContactCards = ({ supportEmail, developerUrl }: Pick<Site, 'supportEmail' | 'developerUrl'>) =>
  supportEmail !== '' || developerUrl !== ''

/** Those that lead somewhere. */
export function ContactCards() {
  const { supportEmail, developerUrl } = useSite()
  return (
    <ul className="grid gap-4 md:grid-cols-3 lg:grid-cols-1">
      {supportEmail !== '' && (
        <ContactCard icon={Mail} texts={contact.email}>
          <a className="link inline-block py-1 wrap-anywhere" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
        </ContactCard>
      )}
      {developerUrl !== '' && (
        <ContactCard icon={Globe} texts={contact.website}>
          <a className="link inline-block py-1 wrap-anywhere" href={developerUrl}>
            {developerUrl}
          </a>
        </ContactCard>
      )}
      <ContactCard icon={AtSign} texts={contact.social}>
        <SocialLinks />
      </ContactCard>
    </ul>
  )
}

interface CardProps {
  icon: typeof Mail
  texts: { title: string; text: string }
  children: ReactNode
}

function ContactCard({ icon: Icon, texts, children }: CardProps) {
  return (
    <li className="card p-5 md:p-6">
      <Icon className="size-5.5 text-accent-text" aria-hidden />
      <h2 className="mt-4 text-h3">{texts.title}</h2>
      <p className="mt-1 mb-4 text-dense text-text-2">{texts.text}</p>
      {children}
    </li>
  )
}
