import { Fragment } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { shortDate } from '../../format/dates.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { lightbox } from '../../texts/lightbox-messages.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { DetailsForm, type ImageTexts } from './details-form.tsx'
import { ViewLimit } from './view-limit.tsx'

interface Props {
  id: string
  image: Image | undefined
  /** Without it, the texts of the image cannot be changed here. */
  onSave?: (image: Image, texts: ImageTexts) => Promise<void>
}

/** A panel with the properties of the image, and a form for what its owner says about it. */
export function Details({ id, image, onSave }: Props) {
  return (
    <section id={id} className="lightbox-details" aria-label={lightbox.details}>
      {image !== undefined && (
        <>
          <h2 className="mb-4 text-h3 wrap-anywhere">{shownName(image)}</h2>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-dense">
            {rowsOf(image).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-text-2">{name}</dt>
                <dd className="text-right tabular-nums wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          {onSave !== undefined && (
            <Fragment key={image.id}>
              <DetailsForm image={image} onSave={(texts) => onSave(image, texts)} />
              <ViewLimit id={image.id} left={image.views_left} />
            </Fragment>
          )}
        </>
      )}
    </section>
  )
}

function rowsOf(image: Image): [string, string][] {
  const { title, original_name, tags, width, height, size, mime, frames, created_at, expires_at, views, views_left } =
    image
  return [
    ...(title === '' ? [] : [[lightbox.fileName, original_name] as [string, string]]),
    [lightbox.dimensions, gallery.dimensions(width, height)],
    [lightbox.size, formatBytes(size)],
    [lightbox.type, lightbox.frames(typeName(mime), frames)],
    [lightbox.added, shortDate(created_at)],
    [lightbox.expires, expires_at === null ? lightbox.never : shortDate(expires_at)],
    ...(isPrivate(image) ? [[lightbox.visibility, lightbox.private] as [string, string]] : []),
    [lightbox.views, views.toLocaleString('en-US')],
    ...(tags.length === 0 ? [] : [[lightbox.tags, tags.join(', ')] as [string, string]]),
    ...(typeof views_left === 'number'
      ? [[lightbox.viewsLeft, views_left.toLocaleString('en-US')] as [string, string]]
      : []),
  ]
}

/** `image/svg+xml`: SVG */
const typeName = (mime: string) =>
  mime
    .replace(/^image\//, '')
    .replace(/\+.*$/, '')
    .toUpperCase()
