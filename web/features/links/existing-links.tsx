// In the share sheet: the links that already lead to what is shared.
import { useId } from 'react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { shortDate } from '../../format/dates.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { linkList, linkSheet as texts } from '../../texts/links/link-messages.ts'
import { TryAgain } from '../../ui/load-failure.tsx'
import { LinkMarks, LinkState } from './link-badges.tsx'
import { CopyLinkButton, RevokeButton } from './link-buttons.tsx'

interface Props {
  links: readonly Link[]
  isFailed: boolean
  onRetry: () => unknown
}

export function ExistingLinks({ links, isFailed, onRetry }: Props) {
  const id = useId()
  if (isFailed)
    return (
      <div className="link-existing" role="alert">
        <p className="text-dense text-danger-text">{texts.existingFailed}</p>
        <TryAgain onRetry={onRetry} />
      </div>
    )
  if (links.length === 0) return null
  return (
    <section className="link-existing" aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {texts.existing}
      </h3>
      <ul>
        {links.map((link) => (
          <ExistingLink key={link.id} link={link} />
        ))}
      </ul>
    </section>
  )
}

function ExistingLink({ link }: { link: Link }) {
  // All share the same thing, whose name would not tell them apart.
  const name = link.name || link.slug
  return (
    <li>
      <div className="link-name">
        <span className="font-medium">{name}</span>
        <span className="text-meta text-text-2">{linkUse(link)}</span>
      </div>
      <LinkState link={link} />
      <LinkMarks link={link} />
      <CopyLinkButton link={link} name={name} className="btn-ghost" />
      <RevokeButton link={link} name={name} />
    </li>
  )
}

/** How often it was opened, and the last time. */
const linkUse = ({ views, last_viewed_at: last }: Link): string =>
  last === null ? linkList.notViewed : `${gallery.views(views)} · ${linkList.lastView(shortDate(last))}`
