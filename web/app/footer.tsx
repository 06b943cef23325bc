import { Link } from '../ui/link.tsx'
import { useSite } from '../model/site.ts'
import { footer, titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { useClientValue } from '../ui/client-value.ts'
import { Logo } from '../ui/logo.tsx'
import { SiteName } from './site-name.tsx'

const pages = [
  [paths.home, footer.home],
  [paths.tools, titles.tools],
  [paths.about, titles.about],
  [paths.contact, titles.contact],
] as const
const legal = [
  [paths.privacy, titles.privacy],
  [paths.terms, titles.terms],
] as const

export function Footer() {
  const { supportEmail, developerUrl, version } = useSite()
  // The page may have been prerendered in another year.
  const year = useClientValue<number | undefined>(() => new Date().getFullYear(), undefined)
  return (
    <footer className="mt-24 border-t border-border bg-surface text-dense">
      <div className="page page-wide grid gap-8 py-12 xs:grid-cols-2 md:grid-cols-4">
        <div className="xs:col-span-2">
          <p className="flex items-center gap-2.5 text-body font-semibold">
            <Logo className="size-[1.375rem]" />
            <SiteName />
          </p>
          <p className="mt-3 max-w-[34ch] text-text-2">{footer.text}</p>
        </div>
        <FooterLinks title={footer.pages} links={pages} />
        <FooterLinks title={footer.legal} links={legal} />
      </div>
      <div className="page page-wide">
        <div className="flex flex-wrap items-center gap-x-6 border-t border-border py-5 text-text-2">
          <p className="mr-auto py-1 max-xs:basis-full">
            {footer.copyright(year)}
            <SiteName />
          </p>
          {version !== '' && <p className="py-1 text-text-3">{footer.version(version)}</p>}
          {developerUrl !== '' && (
            <a className="footer-link" href={developerUrl} target="_blank" rel="noopener noreferrer">
              {footer.developer}
            </a>
          )}
          {supportEmail !== '' && (
            <a className="footer-link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>
          )}
        </div>
      </div>
    </footer>
  )
}

interface LinksProps {
  title: string
  links: readonly (readonly [to: string, label: string])[]
}

function FooterLinks({ title, links }: LinksProps) {
  return (
    <nav aria-label={title}>
      <h2 className="mb-2 font-semibold">{title}</h2>
      <ul>
        {links.map(([to, label]) => (
          <li key={to}>
            <Link to={to} className="footer-link">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
