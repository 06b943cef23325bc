// The API documentation: the category strip and four tabs.
import { useEffect, useId, useMemo, useRef } from 'react'
import { catalogue } from 'virtual:api-catalogue'
import { docs } from '../../texts/docs-messages.ts'
import { TabList, tabId } from '../../ui/tab-list.tsx'
import { tabs, type Category } from './docs-address.ts'
import { Authentication } from './guide/authentication.tsx'
import { CategoryStrip } from './endpoints/category-strip.tsx'
import { EndpointDialog } from './endpoints/endpoint-dialog.tsx'
import { Endpoints } from './endpoints/endpoints.tsx'
import { Examples } from './guide/examples.tsx'
import { countByCategory } from './endpoints/filter-endpoints.ts'
import { DocsOverview } from './guide/docs-overview.tsx'
import { useDocsAddress } from './use-docs-address.ts'
import './api-docs.css'

export function ApiDocs() {
  const panelId = useId()
  const place = useDocsAddress()
  const { tab, category, endpoint: id, go } = place
  const counts = useMemo(() => countByCategory(catalogue), [])
  const endpoint = catalogue.find((one) => one.id === id)

  // The focus stays below the chip that was pressed.
  const panel = useRef<HTMLDivElement>(null)
  const isHeadingWanted = useRef(false)
  useEffect(() => {
    if (!isHeadingWanted.current) return
    isHeadingWanted.current = false
    panel.current?.querySelector('h2')?.focus()
  })
  const openCategory = (wanted: Category) => {
    isHeadingWanted.current = true
    go({ tab: 'endpoints', category: wanted })
  }

  return (
    <div className="docs">
      <CategoryStrip counts={counts} pressed={tab === 'endpoints' ? category : undefined} onPress={openCategory} />
      <TabList
        label={docs.sections}
        tabs={tabs.map((one) => ({ id: one, label: docs.tabs[one] }))}
        selected={tab}
        onSelect={(selected) => go({ tab: selected })}
        panelId={panelId}
      />
      <div ref={panel} id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, tab)} className="docs-panel">
        {tab === 'overview' && <DocsOverview catalogue={catalogue} />}
        {tab === 'authentication' && <Authentication catalogue={catalogue} place={place} />}
        {tab === 'endpoints' && <Endpoints catalogue={catalogue} counts={counts} place={place} />}
        {tab === 'examples' && <Examples catalogue={catalogue} />}
      </div>
      {endpoint !== undefined && <EndpointDialog key={endpoint.id} endpoint={endpoint} place={place} />}
    </div>
  )
}
