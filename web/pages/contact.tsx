import { clsx } from 'clsx'
import { ContactCards, hasContactCards } from '../features/contact/contact-cards.tsx'
import { ContactForm } from '../features/contact/contact-form.tsx'
import { paths } from '../paths.ts'
import { useSite } from '../model/site.ts'
import { contact } from '../texts/contact-messages.ts'
import { titles } from '../texts/messages.ts'
import { Link } from '../ui/link.tsx'
import { usePageTitle } from './use-page-title.ts'

export function ContactPage() {
  usePageTitle(titles.contact)
  const hasCards = hasContactCards(useSite())
  return (
    <div className="page page-text pt-8 md:pt-12">
      <h1 className="text-title">{contact.title}</h1>
      <p className="mt-3 mb-10 text-lead text-text-2">
        {contact.lead} {contact.unwanted}{' '}
        <Link className="link" to={paths.report}>
          {contact.report}
        </Link>
      </p>
      <div className={clsx('grid gap-6', hasCards && 'lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]')}>
        {hasCards && <ContactCards />}
        <ContactForm />
      </div>
    </div>
  )
}
