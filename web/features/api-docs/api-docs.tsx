// The API documentation: four tabs, and the categories, which lead to the endpoints.
import { useDeferredValue, useEffect, useId, useRef } from 'react'
import { catalogue } from 'virtual:api-catalogue'
import { useIsBack } from '../../model/history.ts'
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

const counts = countByCategory(catalogue)

export function ApiDocs() {
  const panelId = useId()
  const place = useDocsAddress()
  const { tab, endpoint: id, go } = place
  // A panel can take longer than a frame: the pressed tab is painted first.
  const deferredTab = useDeferredValue(tab)
  const panelTab = useIsBack() ? tab : deferredTab
  const endpoint = catalogue.find((one) => one.id === id)

  // The focus stays below the chip that was pressed.
  const panel = useRef<HTMLDivElement>(null)
  const isHeadingWanted = useRef(false)
  useEffect(() => {
    if (!isHeadingWanted.current || panelTab !== tab) return
    isHeadingWanted.current = false
    panel.current?.querySelector('h2')?.focus()
  })
  const openCategory = (wanted: Category) => {
    isHeadingWanted.current = true
    go({ tab: 'endpoints', category: wanted })
  }

  return (
    <div className="docs">
      <TabList
        label={docs.sections}
        tabs={tabs.map((one) => ({ id: one, label: docs.tabs[one] }))}
        selected={tab}
        onSelect={(selected) => go({ tab: selected })}
        panelId={panelId}
      />
      {/* The endpoints have filters by category themselves. With the panel: it would move the one before. */}
      {panelTab !== 'endpoints' && <CategoryStrip counts={counts} onPress={openCategory} />}
      <div ref={panel} id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, tab)} className="docs-panel">
        {panelTab === 'overview' && <DocsOverview catalogue={catalogue} />}
        {panelTab === 'authentication' && <Authentication catalogue={catalogue} place={place} />}
        {panelTab === 'endpoints' && <Endpoints catalogue={catalogue} counts={counts} place={place} />}
        {panelTab === 'examples' && <Examples catalogue={catalogue} />}
      </div>
      {endpoint !== undefined && <EndpointDialog key={endpoint.id} endpoint={endpoint} place={place} />}
    </div>
  )
}
