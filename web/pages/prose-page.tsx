// The pages of text.
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatBytes } from '../../contract/plain/format-bytes.ts'
import { uploadLimits } from '../model/site.ts'
import { days, keptFor } from '../texts/counts.ts'
import { titles } from '../texts/messages.ts'
import { about, privacy, prose, terms, type Chapter } from '../texts/prose.ts'
import { paths } from '../paths.ts'
import { Link } from '../ui/link.tsx'
import { usePageTitle } from './use-page-title.ts'
import '../styles/prose.css'

export const AboutPage = () => (
  <ProsePage {...about} documentTitle={titles.about}>
    <p className="mt-10 text-reading text-text-2">
      {about.questions}{' '}
      <Link className="link" to={paths.contact}>
        {about.contact}
      </Link>
    </p>
  </ProsePage>
)

export const PrivacyPage = () => <ProsePage {...privacy} documentTitle={titles.privacy} isDated />
export const TermsPage = () => <ProsePage {...terms} documentTitle={titles.terms} isDated />

interface Props {
  title: string
  documentTitle: string
  lead: string
  chapters: readonly Chapter[]
  /** The date of the last change, and a table of contents beside the text on wide screens. */
  isDated?: boolean
  children?: ReactNode
}

const { guest, user } = uploadLimits
const numbers: Record<string, string> = {
  guestSize: formatBytes(guest.maxBytes),
  guestDays: days(guest.retentionDays),
  userSize: formatBytes(user.maxBytes),
  userDays: keptFor(user),
}
const withNumbers = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => numbers[name] ?? whole)

function ProsePage({ title, documentTitle, lead, chapters, isDated = false, children }: Props) {
  usePageTitle(documentTitle)
  return (
    <div
      className={clsx(
        'page page-text prose-page pt-8 md:pt-12',
        isDated ? 'grid gap-12 lg:grid-cols-[minmax(0,36rem)_1fr]' : 'prose-split',
      )}
    >
      <article className="max-lg:max-w-[36rem]">
        <h1 className="text-title">{title}</h1>
        <p className="mt-3 text-lead text-text-2">{lead}</p>
        {isDated && <p className="mt-3 text-meta text-text-2">{prose.updated}</p>}
        {chapters.map((chapter) => (
          <ChapterText key={chapter.id} {...chapter} />
        ))}
        {children}
      </article>
      {isDated && <Contents chapters={chapters} />}
    </div>
  )
}

function ChapterText({ id, title, paragraphs, points = [] }: Chapter) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{withNumbers(paragraph)}</p>
      ))}
      {points.length > 0 && (
        <ul>
          {points.map(([subject, text]) => (
            <li key={subject}>
              <b className="font-semibold text-text">{subject}</b> {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Contents({ chapters }: { chapters: readonly Chapter[] }) {
  return (
    <nav aria-label={prose.contents} className="max-lg:hidden">
      <div className="sticky top-24 ml-auto w-60 border-l border-border pl-5">
        <p className="mb-2 text-meta font-semibold">{prose.contents}</p>
        <ul>
          {chapters.map(({ id, title }) => (
            <li key={id}>
              <a className="footer-link text-dense" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  )
}
