import { useId } from 'react'
import { type BlocklistQuery, lists } from './blocklists.ts'
import { blocklists as texts } from '../../../texts/admin/blocklist-messages.ts'
import { TabList, tabId } from '../../../ui/tab-list.tsx'
import { Blocklist } from './blocklist.tsx'
import { imageBlocks, networkBlocks } from './block-kinds.tsx'

interface Props {
  query: BlocklistQuery
  onQuery: (query: BlocklistQuery) => void
}

const tabs = lists.map((id) => ({ id, label: texts.lists[id] }))

/** The two blocklists: search, add, remove. */
export function BlocklistPanel({ query: { list, q }, onQuery }: Props) {
  const panelId = useId()
  const rest = { q, onSearch: (text: string) => onQuery({ list, q: text }) }
  return (
    <>
      <div className="admin-tabs -mt-4!">
        <TabList
          label={texts.listsLabel}
          tabs={tabs}
          selected={list}
          onSelect={(next) => onQuery({ list: next, q: '' })}
          panelId={panelId}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, list)} tabIndex={-1} className="pt-5">
        {list === 'images' ? (
          <Blocklist key="images" kind={imageBlocks} {...rest} />
        ) : (
          <Blocklist key="networks" kind={networkBlocks} {...rest} />
        )}
      </div>
    </>
  )
}
