// What differs between the two blocklists: their data, columns, texts and the fields of a new block.
import { Ban, Copy, ImageOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BlockedImage, BlockedNetwork } from '../../../../contract/endpoints/blocklists.ts'
import {
  blockedImageList,
  blockedNetworkList,
  blockImages,
  blockNetworks,
  type BlocklistOptions,
  unblockImages,
  unblockNetworks,
} from './blocklists.ts'
import { dateAndTime, shortDate } from '../../../format/dates.ts'
import { blockedImages, blockedNetworks, blocklists } from '../../../texts/admin/blocklist-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { copyText } from '../../../ui/copy/copy-text.ts'
import { Cell } from '../../../ui/card-table.tsx'

/** Those that both lists have. */
type Texts = Omit<typeof blockedNetworks, 'columns' | 'ends' | 'endsIn' | 'added' | 'hashed'>

export interface NewBlocks {
  /** The lines of the form. */
  names: string[]
  note: string
  endsInDays: number | undefined
}

export interface BlockKind<Row> {
  texts: Texts
  icon: LucideIcon
  list: BlocklistOptions<Row>
  /** Names of the columns, the row header first. */
  columns: readonly string[]
  keyOf: (row: Row) => string
  /** The row header: as short as it can be recognized. */
  nameOf: (row: Row) => string
  head: (row: Row) => ReactNode
  cells: (row: Row) => ReactNode
  /** Whether new blocks can end by themselves. */
  canEnd: boolean
  /** Returns what to report, and the names that could not be blocked with the reason. */
  add: (blocks: NewBlocks) => Promise<{ done: string; left?: { names: string[]; reason: string } }>
  /** @returns the number of removed blocks */
  remove: (keys: readonly string[]) => Promise<number>
}

const shortDigest = ({ sha256 }: BlockedImage) => `${sha256.slice(0, 16)}…`

export const imageBlocks: BlockKind<BlockedImage> = {
  texts: blockedImages,
  icon: ImageOff,
  list: blockedImageList,
  columns: Object.values(blockedImages.columns),
  keyOf: ({ sha256 }) => sha256,
  nameOf: shortDigest,
  head: (row) => (
    <>
      <code className="text-meta">{shortDigest(row)}</code>
      <CopyButton
        className="btn-icon btn-icon-sm -my-1"
        icon={<Copy className="size-4" aria-hidden />}
        copied={blockedImages.copied}
        onCopy={() => copyText(row.sha256, blockedImages.copied)}
      >
        <span className="sr-only">{blockedImages.copy}</span>
      </CopyButton>
    </>
  ),
  cells: ({ phash, reason, created_at, created_by }) => (
    <>
      <Cell label={blockedImages.columns.compared} isWide>
        <span className="xl:whitespace-nowrap">
          {phash === null ? blockedImages.sameFile : blockedImages.lookalikes}
        </span>
      </Cell>
      <NoteCells columns={blockedImages.columns} note={reason} createdAt={created_at} createdBy={created_by} />
    </>
  ),
  canEnd: false,
  async add({ names, note }) {
    const { added, quarantined, notFound } = await blockImages(names, note)
    const left = notFound.length > 0 && {
      left: { names: notFound, reason: blockedImages.notFound(notFound.join(', ')) },
    }
    return { done: blockedImages.added(added, quarantined), ...left }
  },
  remove: unblockImages,
}

/** Of an uploader only the hash is known. */
const networkName = ({ network }: BlockedNetwork) =>
  network.startsWith('hash:') ? blockedNetworks.hashed(network.slice('hash:'.length, 'hash:'.length + 8)) : network

export const networkBlocks: BlockKind<BlockedNetwork> = {
  texts: blockedNetworks,
  icon: Ban,
  list: blockedNetworkList,
  columns: Object.values(blockedNetworks.columns),
  keyOf: ({ network }) => network,
  nameOf: networkName,
  head: (row) => <code className="text-meta">{networkName(row)}</code>,
  cells: ({ note, expires_at, created_at, created_by }) => (
    <>
      <Cell label={blockedNetworks.columns.ends}>
        {expires_at === null ? blocklists.never : <time dateTime={expires_at}>{dateAndTime(expires_at)}</time>}
      </Cell>
      <NoteCells columns={blockedNetworks.columns} note={note} createdAt={created_at} createdBy={created_by} />
    </>
  ),
  canEnd: true,
  async add({ names, note, endsInDays }) {
    return { done: blockedNetworks.added(await blockNetworks(names, note, endsInDays)) }
  },
  remove: unblockNetworks,
}

interface NoteProps {
  columns: { note: string; created: string; by: string }
  note: string
  createdAt: string
  createdBy: string | null
}

const NoteCells = ({ columns, note, createdAt, createdBy }: NoteProps) => (
  <>
    <Cell label={columns.note} isWide>
      {note === '' ? blocklists.noNote : note}
    </Cell>
    <Cell label={columns.created}>
      <time dateTime={createdAt}>{shortDate(createdAt)}</time>
    </Cell>
    <Cell label={columns.by}>{createdBy ?? blocklists.deletedAdmin}</Cell>
  </>
)
