import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { isAvailable, type AdminImageQuery } from './admin-images.ts'
import { imageViews } from '../../../model/images/image-views.ts'
import { queryClient } from '../../../model/query-client.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { dateAndTime } from '../../../format/dates.ts'
import { paths } from '../../../paths.ts'
import { adminImages, adminLightbox as texts } from '../../../texts/admin/admin-images-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { copyText } from '../../../ui/copy/copy-text.ts'
import { Link } from '../../../ui/link.tsx'
import { searchOfBlocks } from '../admin-address.ts'

interface Props {
  image: ModeratedImage
  isOff: boolean
  onFind: (query: AdminImageQuery) => void
  onBlockUploader: () => void
}

/** What an admin needs to know about an image, and searches for related ones. */
export function ImageFacts({ image, isOff, onFind, onBlockUploader }: Props) {
  const { id, owner, size, width, height, created_at, expires_at, sha256, address_hash, from_own_network } = image
  const find = (q: string) => onFind({ q, status: undefined })
  return (
    <section aria-label={texts.facts}>
      <dl className="grid content-start gap-3 text-dense">
        <Fact label={texts.state}>
          <span className="badge badge-dot" data-tone={isAvailable(image) ? 'success' : 'warning'}>
            {stateOf(image)}
          </span>
          {image.quarantined_at !== null && image.resembles !== null && (
            <>
              <span className="block">{texts.resembles}</span>
              <Link
                className="link text-dense"
                to={paths.admin + searchOfBlocks({ list: 'images', q: image.resembles })}
              >
                {texts.showBlock}
              </Link>
            </>
          )}
        </Fact>
        <Fact label={texts.owner}>
          {owner === null ? (
            adminImages.guest
          ) : (
            <>
              {owner.email}
              <Related text={texts.ownersImages} onPress={() => find(owner.email)} />
            </>
          )}
        </Fact>
        <Fact label={texts.uploaded}>{dateAndTime(created_at)}</Fact>
        <Fact label={texts.network}>
          {address_hash === null ? (
            texts.networkUnknown
          ) : (
            <>
              <Related text={texts.moreFromAddress} onPress={() => find(addressSearch(address_hash))} />
              {from_own_network ? (
                <span className="block text-text-2">{texts.ownNetwork}</span>
              ) : (
                <Related text={texts.blockNetwork} isDanger isOff={isOff} onPress={onBlockUploader} />
              )}
            </>
          )}
        </Fact>
        <Fact label={texts.expires}>{expires_at === null ? texts.never : dateAndTime(expires_at)}</Fact>
        {isAvailable(image) && <Views image={image} />}
        <Fact label={texts.file}>{texts.fileOf(formatBytes(size), width, height)}</Fact>
        <Fact label={texts.id}>
          <Copied what={texts.id} text={id} />
        </Fact>
        <Fact label={texts.digest}>
          <Copied what={texts.digest} text={sha256} />
          <Related text={texts.copies} onPress={() => find(sha256)} />
        </Fact>
      </dl>
    </section>
  )
}

function Views({ image: { id, views_left: left } }: Pick<Props, 'image'>) {
  const { data } = useQuery(imageViews(id), queryClient)
  return (
    <>
      {data?.isCounted !== false && (
        <Fact label={texts.views}>{data === undefined ? '…' : data.total.toLocaleString('en')}</Fact>
      )}
      {left !== null && <Fact label={texts.viewsLeft}>{left.toLocaleString('en')}</Fact>}
    </>
  )
}

function stateOf(image: ModeratedImage): string {
  if (image.quarantined_at !== null) return texts.quarantinedSince(dateAndTime(image.quarantined_at))
  return isAvailable(image) ? texts.available : texts.ownerInactive
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-meta text-text-2">{label}</dt>
    <dd className="wrap-anywhere tabular-nums">{children}</dd>
  </div>
)

/** The first digits of the hash tell addresses apart, and can be read. */
const addressSearch = (hash: string) => `address:${hash.slice(0, 12)}`

interface RelatedProps {
  text: string
  isDanger?: boolean
  isOff?: boolean
  onPress: () => void
}

const Related = ({ text, isDanger = false, isOff = false, onPress }: RelatedProps) => (
  <button
    type="button"
    className={clsx('link block min-h-7 text-left text-dense coarse:min-h-11', isDanger && 'text-danger-text')}
    disabled={isOff}
    onClick={onPress}
  >
    {text}
  </button>
)

function Copied({ what, text }: { what: string; text: string }) {
  return (
    <span className="flex items-start gap-1">
      <code className="min-w-0 text-meta wrap-anywhere">{text}</code>
      <CopyButton
        className="btn-icon btn-icon-sm -my-1"
        icon={<Copy className="size-4" aria-hidden />}
        copied={texts.copied(what)}
        onCopy={() => copyText(text, texts.copied(what))}
      >
        <span className="sr-only">{texts.copy(what)}</span>
      </CopyButton>
    </span>
  )
}
