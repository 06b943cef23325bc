import { Lock } from 'lucide-react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { linkList as texts } from '../../texts/links/link-messages.ts'
import '../../styles/lists.css'

const tones = { open: 'success', waiting: 'warning', ended: 'neutral', revoked: 'danger' } as const

export const LinkState = ({ link: { state } }: { link: Link }) => (
  <span className="badge badge-dot" data-tone={tones[state]}>
    {texts.states[state]}
  </span>
)

/** What limits its visitors. */
export function LinkMarks({ link }: { link: Link }) {
  const marks = [
    link.has_password && texts.password,
    !link.can_download && texts.noDownload,
    link.watermark !== '' && texts.watermark,
  ].filter((mark) => mark !== false)
  return (
    <>
      {link.images === 0 && link.state === 'open' && (
        <span className="badge" data-tone="warning">
          {texts.nothingVisible}
        </span>
      )}
      {marks.map((mark) => (
        <span key={mark} className="badge">
          {mark === texts.password && <Lock className="size-3" aria-hidden />}
          {mark}
        </span>
      ))}
    </>
  )
}

/** How people know it: its own name, or that of what it shares. */
export const nameOf = ({ name, title, images, album_id: album }: Link): string =>
  name || (album === null ? texts.imagesOf(title, Math.max(1, images)) : title)
