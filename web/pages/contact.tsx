import { AtSign, Globe, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSite } from '../data/site.ts'
import { pageTitle, titles } from '../notify/messages.ts'
import { contact } from '../notify/prose.ts'
import { paths } from '../paths.ts'
import { useTitle } from '../ui/title.ts'

export function ContactPage() {
  const { siteName, supportEmail, developerUrl } = useSite()
  useTitle(pageTitle(titles.contact, siteName))
  return (
    <div className="page page-wide pt-12 md:pt-16">
      <h1 className="text-title">{contact.title}</h1>
      <p className="mt-3 mb-10 text-lead text-text-2">{contact.lead}</p>
      <ul className="grid gap-4 md:grid-cols-3">
        <ContactCard icon={Mail} words={contact.email}>
          {supportEmail === '' ? (
            <p className="text-text-2">{contact.email.none}</p>
          ) : (
            <a className="link wrap-anywhere" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>
          )}
        </ContactCard>
        <ContactCard icon={Globe} words={contact.website}>
          <a className="link wrap-anywhere" href={developerUrl || paths.home}>
            {developerUrl || contact.website.home}
          </a>
        </ContactCard>
        <ContactCard icon={AtSign} words={contact.social}>
          <p className="flex flex-wrap gap-x-4">
            {contact.social.links.map((name) => (
              <a key={name} className="link" href="#main">
                {name}
              </a>
            ))}
          </p>
        </ContactCard>
      </ul>
    </div>
  )
}

interface CardProps {
  icon: typeof Mail
  words: { title: string; text: string }
  children: ReactNode
}

function ContactCard({ icon: Icon, words, children }: CardProps) {
  return (
    <li className="card p-6">
      <Icon className="size-5.5 text-accent-text" aria-hidden />
      <h2 className="mt-4 text-h3">{words.title}</h2>
      <p className="mt-1 mb-4 text-dense text-text-2">{words.text}</p>
      {children}
    </li>
  )
}
